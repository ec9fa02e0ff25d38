package openapi

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/jsonschema"
)

// A direction is who sends a value: the same schema asks different things of a request and of a
// response.
type direction int

const (
	inRequest  direction = iota // properties that are readOnly are not sent, and objects are meant
	inResponse                  // those that are writeOnly need not be; null is meant by nullable
	inEither                    // what a service may accept, though nobody should send it
)

// schemas are the schemas of a description as JSON Schema of draft 2020-12.
type schemas struct {
	doc map[string]any
	to  direction
	old bool // of OpenAPI 3.0, with its own keywords

	mu    sync.Mutex
	known map[string]any // converted schemas to which references lead, by the reference
}

func newSchemas(doc map[string]any, to direction) *schemas {
	return &schemas{doc: doc, to: to, old: strings.HasPrefix(text(doc, "openapi"), "3.0"),
		known: map[string]any{}}
}

// generator returns a generator of the values that a converted schema allows.
func (s *schemas) generator(schema any) (bigen.Gen[any], error) {
	whole, err := s.whole(schema)
	if err != nil {
		return bigen.Gen[any]{}, err
	}
	return jsonschema.Parse(whole, jsonschema.AssertFormat())
}

// validator returns a function that says why a value is not one that a converted schema allows.
func (s *schemas) validator(schema any) (func(v any) error, error) {
	whole, err := s.whole(schema)
	if err != nil {
		return nil, err
	}
	return jsonschema.Validator(whole, jsonschema.AssertFormat())
}

// A validated is a converted schema whose validator is made when it is needed.
type validated struct {
	schema any
	once   sync.Once
	valid  func(v any) error
	err    error
}

func (v *validated) validator(s *schemas) (func(v any) error, error) {
	v.once.Do(func() { v.valid, v.err = s.validator(v.schema) })
	return v.valid, v.err
}

// whole returns the text of a converted schema with all schemas to which it refers.
func (s *schemas) whole(schema any) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defs := map[string]any{}
	if err := s.collect(schema, defs); err != nil {
		return "", err
	}
	b, err := json.Marshal(map[string]any{"$defs": defs, "allOf": []any{schema}})
	return string(b), err
}

// collect adds to defs what a converted schema refers to.
func (s *schemas) collect(v any, defs map[string]any) error {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			if err := s.collect(x, defs); err != nil {
				return err
			}
		}
	case map[string]any:
		for k, x := range v {
			if ref, ok := x.(string); ok && k == "$ref" {
				if err := s.add(ref, defs); err != nil {
					return err
				}
			} else if err := s.collect(x, defs); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds the schema to which a converted reference leads.
func (s *schemas) add(ref string, defs map[string]any) error {
	name, ok := definition(ref)
	if !ok {
		return nil
	}
	if _, has := defs[name]; has {
		return nil
	}
	if _, has := s.known[name]; !has {
		v, err := pointed(s.doc, name)
		if err != nil {
			return err
		}
		s.known[name] = s.convert(v, nil)
	}
	defs[name] = s.known[name]
	return s.collect(s.known[name], defs)
}

// refer returns the converted form of a reference: what it points to is a definition, whose name is
// the reference.
func refer(ref string) string {
	if !strings.HasPrefix(ref, "#/") {
		return ref
	}
	return "#/$defs/" + pointerEscape.Replace(ref)
}

// definition is the opposite of refer.
func definition(ref string) (name string, ok bool) {
	escaped, ok := strings.CutPrefix(ref, "#/$defs/")
	if !ok {
		return "", false
	}
	name, err := url.PathUnescape(escaped)
	return pointerUnescape.Replace(name), err == nil
}

var (
	pointerEscape   = strings.NewReplacer("~", "~0", "/", "~1", "%", "%25", "#", "%23")
	pointerUnescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// of returns a schema of the description in its converted form.
func (s *schemas) of(schema any) any {
	if schema == nil {
		return true
	}
	return s.convert(schema, nil)
}

// Keywords with schemas below them.
var (
	schemaKeywords = []string{"additionalProperties", "items", "not", "if", "then", "else", "contains",
		"propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema"}
	listKeywords = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	mapKeywords  = []string{"properties", "patternProperties", "dependentSchemas", "$defs"}
)

// convert returns a schema as one of draft 2020-12. Some properties need not be there, because the
// schema of which it is a part says so.
func (s *schemas) convert(v any, optional []string) any {
	in, ok := v.(map[string]any)
	if !ok {
		return v
	}
	if ref := text(in, "$ref"); ref != "" && s.old {
		return map[string]any{"$ref": refer(ref)}
	}
	out := map[string]any{}
	optional = s.hidden(in, optional, 0)
	for k, x := range in {
		switch {
		case k == "$ref":
			ref, _ := x.(string)
			out[k] = refer(ref)
		case slices.Contains(schemaKeywords, k):
			out[k] = s.convert(x, nil)
		case slices.Contains(listKeywords, k):
			l := slices.Clone(list(x))
			for i := range l {
				if k == "prefixItems" {
					l[i] = s.convert(l[i], nil)
				} else {
					l[i] = s.convert(l[i], optional)
				}
			}
			out[k] = l
		case slices.Contains(mapKeywords, k):
			m := map[string]any{}
			for name, sub := range object(x) {
				m[name] = s.convert(sub, nil)
			}
			out[k] = m
		default:
			out[k] = x
		}
	}
	s.hide(in, out, optional)
	s.formats(in, out)
	s.discriminate(in, out)
	if s.old {
		return s.modern(in, out)
	}
	return out
}

// hidden adds to some names of properties those that the other side sends.
func (s *schemas) hidden(schema any, names []string, depth int) []string {
	in, err := follow(s.doc, schema)
	if err != nil || depth > 10 {
		return names // to compile the schema says what is wrong
	}
	for _, name := range sortedKeys(object(in, "properties")) {
		sub := object(in, "properties", name)
		target, err := follow(s.doc, sub)
		is := func(keyword string) bool {
			return flag(sub, keyword) && !(s.old && sub["$ref"] != nil) || err == nil && flag(target, keyword)
		}
		if is("readOnly") && s.to != inResponse || is("writeOnly") && s.to != inRequest {
			names = append(names, name)
		}
	}
	for _, part := range list(in, "allOf") {
		names = s.hidden(part, names, depth+1)
	}
	return names
}

// hide takes out the properties that the other side sends.
func (s *schemas) hide(in, out map[string]any, hidden []string) {
	properties := object(out, "properties")
	for name := range properties {
		if s.to == inRequest && slices.Contains(hidden, name) {
			properties[name] = false
		}
	}
	if required := list(in, "required"); required != nil {
		out["required"] = slices.DeleteFunc(slices.Clone(required), func(r any) bool {
			name, _ := r.(string)
			return slices.Contains(hidden, name)
		})
	}
	if s.to == inRequest && in["type"] == nil && (properties != nil || in["required"] != nil) &&
		in["enum"] == nil && in["const"] == nil {
		out["type"] = "object" // nobody means that other values have no properties
	}
}

// integerFormats are the ranges of formats of integers.
var integerFormats = map[string][2]json.Number{
	"int8":   {"-128", "127"},
	"int16":  {"-32768", "32767"},
	"int32":  {"-2147483648", "2147483647"},
	"int64":  {"-9223372036854775808", "9223372036854775807"},
	"uint8":  {"0", "255"},
	"uint16": {"0", "65535"},
	"uint32": {"0", "4294967295"},
	"uint64": {"0", "18446744073709551615"},
}

// largestFloat is the greatest number of format float, as it is written with the fewest digits.
const largestFloat = 3.4028235e38

// base64Text is what a string of format byte matches.
const base64Text = `^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`

// formats adds what formats of OpenAPI ask.
func (s *schemas) formats(in, out map[string]any) {
	format := text(in, "format")
	switch r, isInteger := integerFormats[format]; {
	case isInteger:
		and(out, map[string]any{"minimum": r[0], "maximum": r[1]})
	case format == "float":
		and(out, map[string]any{"minimum": -largestFloat, "maximum": largestFloat})
	case format == "byte":
		and(out, map[string]any{"pattern": base64Text})
	}
}

// and adds to a schema what values must fulfill, too.
func and(schema, more map[string]any) { schema["allOf"] = append(list(schema, "allOf"), more) }

// discriminate makes the property of a discriminator name the schema to which an alternative refers.
func (s *schemas) discriminate(in, out map[string]any) {
	property := text(in, "discriminator", "propertyName")
	if property == "" {
		return
	}
	mapping := object(in, "discriminator", "mapping")
	for _, keyword := range []string{"oneOf", "anyOf"} {
		for i, alternative := range list(in, keyword) {
			ref := text(alternative, "$ref")
			if ref == "" {
				continue
			}
			base := ref[strings.LastIndexByte(ref, '/')+1:]
			var names []any
			for name, target := range mapping {
				if target == ref || target == base {
					names = append(names, name)
				}
			}
			slices.SortFunc(names, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
			if len(names) == 0 {
				names = []any{base}
			}
			list(out, keyword)[i] = map[string]any{
				"title":      base,
				"allOf":      []any{list(out, keyword)[i]},
				"properties": map[string]any{property: map[string]any{"enum": names}},
				"required":   []any{property},
			}
		}
	}
}

// modern replaces the keywords of OpenAPI 3.0.
func (s *schemas) modern(in, out map[string]any) any {
	for bound, exclusive := range map[string]string{
		"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum",
	} {
		if is, ok := in[exclusive].(bool); ok {
			if delete(out, exclusive); is && in[bound] != nil {
				out[exclusive] = in[bound]
				delete(out, bound)
			}
		}
	}
	if example, ok := in["example"]; ok {
		delete(out, "example")
		out["examples"] = []any{example}
	}
	if !flag(in, "nullable") {
		return out
	}
	switch t := in["type"].(type) {
	case string:
		out["type"] = []any{t, "null"}
	case []any: // a type alone may be a list in what has been read
		out["type"] = append(slices.Clone(t), "null")
	}
	if s.to != inRequest { // null is meant, whatever else the schema says
		return map[string]any{"anyOf": []any{out, map[string]any{"type": "null"}}}
	}
	return out
}

// scalars returns the types of the values of a schema if these are texts, numbers or bools.
func (s *schemas) scalars(schema any) (types []any, ok bool) {
	switch t := s.resolve(schema)["type"].(type) {
	case string:
		types = []any{t}
	case []any:
		types = t
	}
	return types, types != nil && !slices.Contains(types, any("array")) &&
		!slices.Contains(types, any("object"))
}

// resolve returns a converted schema, or the one to which it refers.
func (s *schemas) resolve(schema any) map[string]any {
	for range 10 {
		v := object(schema)
		ref, isRef := definition(text(v, "$ref"))
		if v["type"] != nil || !isRef {
			return v
		}
		target, err := pointed(s.doc, ref)
		if err != nil {
			return nil
		}
		schema = s.of(target)
	}
	return nil
}
