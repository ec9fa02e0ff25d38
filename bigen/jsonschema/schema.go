// Package jsonschema makes generators of the JSON values that a JSON Schema allows. It is a package
// of its own, so that other tests do not link code that reads schemas.
package jsonschema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/bigen"
	"golang.org/x/exp/slices"
)

// Matching makes the values that a JSON Schema allows, as [encoding/json.Unmarshal] makes them: see
// [bigen.JSON]. A schema has one of these forms:
//
//   - type object: properties, required, additionalProperties. An object has other properties
//     only if the schema has additionalProperties.
//   - type array: items, minItems, maxItems; type string: minLength, maxLength, pattern
//   - type number, integer: minimum, maximum. Integers have up to 53 bits.
//   - type boolean, null; const, enum; none of these: any JSON
//   - oneOf, anyOf: the alternatives should exclude each other
//   - $ref to a schema in $defs or definitions, as in #/$defs/NAME, or to the whole schema, #
//
// Annotations, such as title and format, have no effect. Trees and corpora identify properties by
// their names, and alternatives by their titles or, if they have none, by their index. Matching
// panics if a schema has another keyword, or allows no value, and names the place.
func Matching(schema string) bigen.Gen[any] {
	var root any
	if err := json.Unmarshal([]byte(schema), &root); err != nil {
		panic("jsonschema.Matching: " + err.Error())
	}
	return bigen.ForSchema((&node{root: root, refs: map[string]*bigen.Schema{}}).schema("#", root))
}

// node is a schema at a place in the root.
type node struct {
	root  any
	refs  map[string]*bigen.Schema
	place string
	keys  map[string]any
}

func (n *node) fail(format string, args ...any) {
	panic("jsonschema.Matching: " + n.place + ": " + fmt.Sprintf(format, args...))
}

const annotations = " $schema $id $comment $defs definitions title description default examples " +
	"format deprecated readOnly writeOnly "

// only fails if the schema has a keyword that is neither an annotation nor listed.
func (n *node) only(keywords string) {
	for _, key := range sortedKeys(n.keys) {
		if word := " " + key + " "; !strings.Contains(annotations, word) &&
			!strings.Contains(" "+keywords+" ", word) {
			n.fail("the keyword %s is not supported here", key)
		}
	}
}

// schema returns the schema at another place.
func (n *node) schema(place string, v any) *bigen.Schema {
	keys, ok := v.(map[string]any)
	if n = (&node{n.root, n.refs, place, keys}); !ok && v != true {
		n.fail("the schema %v allows no value", v)
	}
	for _, form := range []string{"$ref", "const", "enum", "oneOf", "anyOf", "type"} {
		v, ok := n.keys[form]
		values, _ := v.([]any)
		switch {
		case !ok:
			continue
		case form == "type":
			return n.ofType(fmt.Sprint(v))
		case form == "$ref":
			n.only("$ref")
			return n.ref(fmt.Sprint(v))
		case form == "const":
			values = []any{v}
		case len(values) == 0:
			n.fail("%s lists nothing", form)
		}
		if n.only(form + " type"); form == "const" || form == "enum" {
			return &bigen.Schema{Gen: bigen.OneOf(values...)}
		}
		s := &bigen.Schema{Name: place}
		for i, v := range values {
			tag := strconv.Itoa(i)
			if keys, ok := v.(map[string]any); ok && keys["title"] != nil {
				tag = fmt.Sprint(keys["title"])
			}
			s.Either = append(s.Either, bigen.SchemaPart{
				Name:   tag,
				Schema: n.schema(place+"/"+form+"/"+tag, v),
			})
		}
		return s
	}
	n.only("")
	return &bigen.Schema{Gen: bigen.JSON()}
}

// ref returns the schema at another place, always the same.
func (n *node) ref(place string) *bigen.Schema {
	if s := n.refs[place]; s != nil {
		return s
	}
	v := n.root
	for _, name := range strings.Split(place, "/")[1:] {
		keys, _ := v.(map[string]any)
		v = keys[name]
	}
	if v == nil || !strings.HasPrefix(place, "#") {
		n.fail("$ref: there is no schema at %s", place)
	}
	s := &bigen.Schema{}
	n.refs[place] = s
	*s = *n.schema(place, v)
	return s
}

func (n *node) ofType(t string) *bigen.Schema {
	s := &bigen.Schema{Name: n.place}
	switch t {
	case "null":
		n.only("type")
		s.Gen = bigen.Just[any](nil)
	case "boolean":
		n.only("type")
		s.Gen = bigen.Any(bigen.Bool())
	case "number":
		n.only("type minimum maximum")
		s.Gen =
			bigen.Any(bigen.FloatRange(n.between("minimum", "maximum", -math.MaxFloat64, math.MaxFloat64)))
	case "integer":
		n.only("type minimum maximum")
		lo, hi := n.between("minimum", "maximum", -1<<53, 1<<53)
		s.Gen = bigen.Iso(bigen.IntRange(int64(math.Ceil(lo)), int64(math.Floor(hi))),
			func(i int64) any { return float64(i) }, func(v any) (int64, bool) {
				f, ok := v.(float64)
				return int64(f), ok && f == math.Trunc(f) && math.Abs(f) <= 1<<53
			})
	case "string":
		n.only("type minLength maxLength pattern")
		s.Gen = bigen.Any(n.text())
	case "array":
		n.only("type items minItems maxItems")
		lo, hi := n.between("minItems", "maxItems", 0, math.MaxInt32)
		if hi == 0 {
			return &bigen.Schema{Gen: bigen.Just[any]([]any{})}
		}
		s.Elem, s.Min, s.Max = n.schema(n.place+"/items", n.get("items", true)), int(lo), int(hi)
	case "object":
		n.only("type properties required additionalProperties")
		n.object(s)
	default:
		n.fail("there is no type %s", t)
	}
	return s
}

func (n *node) get(key string, missing any) any {
	if v, ok := n.keys[key]; ok {
		return v
	}
	return missing
}

func (n *node) between(least, greatest string, lo, hi float64) (float64, float64) {
	from, ok1 := n.get(least, lo).(float64)
	to, ok2 := n.get(greatest, hi).(float64)
	if from, to = max(from, lo), min(to, hi); !ok1 || !ok2 || from > to {
		n.fail("nothing is from %s %v to %s %v", least, n.get(least, lo), greatest, n.get(greatest, hi))
	}
	return from, to
}

func (n *node) text() bigen.Gen[string] {
	lo, hi := n.between("minLength", "maxLength", 0, math.MaxInt32)
	pattern, ok := n.keys["pattern"].(string)
	if !ok {
		return bigen.StringOf(nil, int(lo), int(hi))
	}
	whole := "(?:" + pattern + ")" // a pattern is about a part of a string
	if !strings.HasPrefix(pattern, "^") {
		whole = "(?s:.*)" + whole
	}
	if !strings.HasSuffix(pattern, "$") {
		whole += "(?s:.*)"
	}
	return bigen.SuchThat(bigen.Matching(whole), func(s string) bool {
		size := float64(utf8.RuneCountInString(s))
		return lo <= size && size <= hi
	})
}

// property is a property that an object has, even if its value is null.
type property struct{ value any }

func (n *node) object(s *bigen.Schema) {
	all, _ := n.keys["properties"].(map[string]any)
	required, _ := n.keys["required"].([]any)
	others := n.get("additionalProperties", false)
	names := sortedKeys(all)
	for _, name := range names {
		value := n.schema(n.place+"/properties/"+name, all[name])
		optional := !slices.Contains(required, any(name))
		s.All = append(s.All, bigen.SchemaPart{Name: name, Optional: optional, Schema: propertyOf(value)})
	}
	for _, name := range required {
		if _, ok := all[fmt.Sprint(name)]; !ok {
			n.fail("the required property %v is not in properties", name)
		}
	}
	if others != false {
		name := bigen.SuchThat(bigen.String(256), func(s string) bool {
			return !slices.Contains(names, s)
		})
		s.All = append(s.All, bigen.SchemaPart{Name: "additionalProperties", Schema: &bigen.Schema{
			Key:  &bigen.Schema{Gen: bigen.Any(name)},
			Elem: n.schema(n.place+"/additionalProperties", others),
		}})
	}
	s.Join = func(parts []any) any { return joinObject(names, parts) }
	s.Split = func(v any) ([]any, error) { return splitObject(names, others == false, v) }
}

// propertyOf tells a property of an object from a value.
func propertyOf(value *bigen.Schema) *bigen.Schema {
	return &bigen.Schema{
		All:  []bigen.SchemaPart{{Name: "value", Schema: value}},
		Join: func(parts []any) any { return property{parts[0]} },
		Split: func(v any) ([]any, error) {
			if v, ok := v.(property); ok {
				return []any{v.value}, nil
			}
			return nil, errors.New("the object has no such property, which is required")
		},
	}
}

// joinObject makes an object of the properties that have names, and of others.
func joinObject(names []string, parts []any) any {
	object := map[string]any{}
	for i, part := range parts {
		if p, ok := part.(property); ok {
			object[names[i]] = p.value
		}
		others, _ := part.(map[any]any)
		for k, v := range others {
			object[k.(string)] = v
		}
	}
	return object
}

// splitObject returns the properties that have names and, unless the object is closed, the others.
func splitObject(names []string, closed bool, v any) ([]any, error) {
	object, ok := v.(map[string]any)
	if !ok || object == nil {
		return nil, fmt.Errorf("it is a %T, not an object", v)
	}
	parts, others := make([]any, len(names)), map[any]any{}
	for k, v := range object {
		i, named := slices.BinarySearch(names, k)
		switch {
		case named:
			parts[i] = property{v}
		case closed:
			return nil, fmt.Errorf("the schema has no property %q", k)
		default:
			others[k] = v
		}
	}
	if closed {
		return parts, nil
	}
	return append(parts, others), nil
}

// sortedKeys returns the keys of m in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
