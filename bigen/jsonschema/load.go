package jsonschema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	js "github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/exp/slices"
)

// rootURL is the address of a schema that names none.
const rootURL = "schema:///root"

// schemas are all schemas that a root refers to, and what has been computed of them.
type schemas struct {
	compiler *js.Compiler
	docs     map[string]any // by URL, of the documents that Parse has read
	assert   bool           // formats
	formats  map[*js.Schema]*js.Format
	anchored map[resource][]*js.Schema
	moving   map[*js.Schema]bool // those to which $dynamicRef or $recursiveRef may lead elsewhere
	*expansion
}

// load compiles a schema and what it refers to.
func load(doc any, c config) (*schemas, *js.Schema, error) {
	x := &schemas{
		compiler: js.NewCompiler(), docs: map[string]any{rootURL: doc}, assert: c.assertFormat,
		formats: map[*js.Schema]*js.Format{}, moving: map[*js.Schema]bool{},
		anchored: map[resource][]*js.Schema{},
	}
	x.compiler.DefaultDraft(c.draft)
	x.compiler.AssertFormat()
	x.compiler.UseRegexpEngine(func(s string) (js.Regexp, error) { return newPattern(s) })
	x.compiler.UseLoader(loader(func(url string) (any, error) {
		if c.remote == nil {
			return nil, errors.New("the schema refers to it: give its text by jsonschema.Remote")
		}
		text, err := c.remote(url)
		if err != nil {
			return nil, err
		}
		doc, err := decode(text)
		if err != nil {
			return nil, fmt.Errorf("the text of %s is not JSON: %w", url, err)
		}
		x.docs[url] = doc
		return doc, nil
	}))
	if err := x.compiler.AddResource(rootURL, doc); err != nil {
		return nil, nil, readable(err)
	}
	root, err := x.compiler.Compile(rootURL)
	if err != nil {
		return nil, nil, readable(err)
	}
	x.expansion = newExpansion(x)
	x.survey(root)
	return x, root, nil
}

type loader func(url string) (any, error)

func (l loader) Load(url string) (any, error) { return l(url) }

// readable returns an error without the address that stands for the root.
func readable(err error) error {
	var invalid *js.SchemaValidationError
	if errors.As(err, &invalid) {
		err = fmt.Errorf("it is not a valid schema: %w", explain(invalid.Err))
	}
	text := strings.ReplaceAll(err.Error(), rootURL, "")
	return errors.New(strings.ReplaceAll(text, "schema:///", ""))
}

// survey notes what the schemas below root hold that depends on more than themselves, and makes
// format an annotation unless it is a condition.
func (x *schemas) survey(root *js.Schema) {
	all, seen := []*js.Schema{root}, map[*js.Schema]bool{root: true}
	users := map[*js.Schema][]*js.Schema{}
	for i := 0; i < len(all); i++ {
		s := all[i]
		if s.Format != nil {
			if x.formats[s] = s.Format; !x.assert {
				s.Format = nil
			}
		}
		below := subschemas(s)
		if s.DynamicRef != nil || s.RecursiveRef != nil {
			x.moving[s] = true
			for _, r := range x.resources() {
				below = append(below, x.anchors(r)...)
			}
		}
		for _, sub := range below {
			users[sub] = append(users[sub], s)
			if !seen[sub] {
				seen[sub] = true
				all = append(all, sub)
			}
		}
	}
	for todo := sortedSchemas(x.moving); len(todo) > 0; todo = todo[1:] {
		for _, user := range users[todo[0]] {
			if !x.moving[user] {
				x.moving[user] = true
				todo = append(todo, user)
			}
		}
	}
}

func sortedSchemas(set map[*js.Schema]bool) []*js.Schema {
	var all []*js.Schema
	for s := range set {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *js.Schema) int { return strings.Compare(a.Location, b.Location) })
	return all
}

// subschemas returns the schemas to which one refers, in order.
func subschemas(s *js.Schema) (all []*js.Schema) {
	add := func(more ...*js.Schema) {
		for _, sub := range more {
			if sub != nil {
				all = append(all, sub)
			}
		}
	}
	addAny := func(v any) {
		switch v := v.(type) {
		case *js.Schema:
			add(v)
		case []*js.Schema:
			add(v...)
		}
	}
	add(s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames,
		s.UnevaluatedProperties, s.Contains, s.Items2020, s.UnevaluatedItems)
	if s.DynamicRef != nil {
		add(s.DynamicRef.Ref)
	}
	add(s.AllOf...)
	add(s.AnyOf...)
	add(s.OneOf...)
	add(s.PrefixItems...)
	addAny(s.Items)
	addAny(s.AdditionalItems)
	addAny(s.AdditionalProperties)
	for _, name := range sortedKeys(s.Properties) {
		add(s.Properties[name])
	}
	for _, p := range sortedPatterns(s.PatternProperties) {
		add(s.PatternProperties[p])
	}
	for _, name := range sortedKeys(s.Dependencies) {
		addAny(s.Dependencies[name])
	}
	for _, name := range sortedKeys(s.DependentSchemas) {
		add(s.DependentSchemas[name])
	}
	return all
}

// place returns where a schema is, for messages.
func place(s *js.Schema) string {
	at := strings.TrimPrefix(s.Location, rootURL)
	if at == "" {
		return "#"
	}
	return at
}

// plain returns a value of a document with numbers of type float64.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, _ := v.Float64()
		return plain(f)
	case float64:
		return v + 0 // not -0
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = plain(v[i])
		}
		return all
	case map[string]any:
		all := make(map[string]any, len(v))
		for k := range v {
			all[k] = plain(v[k])
		}
		return all
	}
	return v
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

func sortedPatterns(m map[js.Regexp]*js.Schema) []js.Regexp {
	var all []js.Regexp
	for p := range m {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b js.Regexp) int { return strings.Compare(a.String(), b.String()) })
	return all
}
