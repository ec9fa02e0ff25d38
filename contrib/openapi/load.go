package openapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
	"go.yaml.in/yaml/v4"
)

// A Spec is the description of a service, in OpenAPI 2.0, 3.0, 3.1 or 3.2. Several goroutines may
// use it at once.
type Spec struct {
	doc        map[string]any // of OpenAPI 3, as encoding/json.Unmarshal makes it
	operations []*operation   // in the order of their paths
	requests   *schemas
	accepted   *schemas // what is not of these, a service must refuse
	responses  *schemas
}

// Load reads a description from a file, in JSON or YAML, and the files to which it refers.
//
// It returns an error if it cannot read one of these, if the text is not a description, or if a
// part of it is missing or of the wrong type; the error says where.
func Load(file string) (*Spec, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	whole, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	s, err := parse(text, &url.URL{Path: filepath.ToSlash(whole)})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// Parse is [Load] for a text, such as an embedded one, which may not refer to files.
func Parse(text []byte) (*Spec, error) { return parse(text, nil) }

// Operations returns the names of the operations, such as POST /pets, in the order of their paths.
func (s *Spec) Operations() (names []string) {
	for _, o := range s.operations {
		names = append(names, o.name)
	}
	return names
}

func parse(text []byte, location *url.URL) (*Spec, error) {
	doc, err := read(text, location)
	if err != nil {
		return nil, err
	}
	doc.InternalizeRefs(context.Background(), nil)
	s := &Spec{}
	b, err := doc.MarshalJSON()
	if err == nil {
		err = json.Unmarshal(b, &s.doc)
	}
	if err != nil {
		return nil, err
	}
	s.requests, s.responses = newSchemas(s.doc, inRequest), newSchemas(s.doc, inResponse)
	s.accepted = newSchemas(s.doc, inEither)
	if err := s.readOperations(); err != nil {
		return nil, err
	}
	return s, nil
}

// read reads a description of any version.
func read(text []byte, location *url.URL) (*openapi3.T, error) {
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed = location != nil
	var raw any
	if err := yaml.Unmarshal(text, &raw); err != nil {
		return nil, fmt.Errorf("it is neither JSON nor YAML: %w", err)
	}
	top, _ := textKeys(raw).(map[string]any)
	switch version := fmt.Sprint(top["swagger"], top["openapi"]); {
	case strings.HasPrefix(version, "2"):
		inherit(top)
		b, err := json.Marshal(top)
		var old openapi2.T
		if err == nil {
			err = json.Unmarshal(b, &old)
		}
		if err != nil {
			return nil, err
		}
		return openapi2conv.ToV3WithLoader(&old, loader, location)
	case top["openapi"] == nil:
		return nil, fmt.Errorf("it has neither %q nor %q: it is no description of a service", "openapi",
			"swagger")
	case location == nil: // some references are resolved by a location, whatever it is
		location = &url.URL{Path: "/openapi.yaml"}
	}
	return loader.LoadFromDataWithPath(text, location)
}

// inherit gives the operations of OpenAPI 2.0 what the conversion does not give them: the media
// types that the description has for all, and in place of references to parameters and responses
// these themselves, since their media types are those of the operation.
func inherit(top map[string]any) {
	resolve := func(v any, section string) any {
		if strings.HasPrefix(text(v, "$ref"), "#/"+section+"/") {
			if target, err := follow(top, v); err == nil && target != nil {
				return target
			}
		}
		return v
	}
	parameters := func(v any) {
		for i, p := range list(v, "parameters") {
			list(v, "parameters")[i] = resolve(p, "parameters")
		}
	}
	for path, item := range object(top, "paths") {
		if !strings.HasPrefix(path, "/") {
			continue
		}
		parameters(item)
		for method, v := range object(item) {
			o := object(v)
			if !slices.Contains(methods, method) || o == nil {
				continue
			}
			if o["produces"] == nil && top["produces"] != nil {
				o["produces"] = top["produces"]
			}
			parameters(o)
			responses := object(o, "responses")
			for status, r := range responses {
				responses[status] = resolve(r, "responses")
			}
		}
	}
}

// textKeys returns a value that YAML has made, with maps as JSON has them.
func textKeys(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = textKeys(v[k])
		}
	case map[any]any:
		m := make(map[string]any, len(v))
		for k, x := range v {
			m[fmt.Sprint(k)] = textKeys(x)
		}
		return m
	case []any:
		for i := range v {
			v[i] = textKeys(v[i])
		}
	}
	return v
}

// at returns what stands below some keys, or nil.
func at(v any, keys ...string) any {
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}

func object(v any, keys ...string) map[string]any {
	m, _ := at(v, keys...).(map[string]any)
	return m
}

func text(v any, keys ...string) string {
	s, _ := at(v, keys...).(string)
	return s
}

func list(v any, keys ...string) []any {
	l, _ := at(v, keys...).([]any)
	return l
}

func flag(v any, keys ...string) bool {
	b, _ := at(v, keys...).(bool)
	return b
}

// follow returns what a reference stands for, or the value itself if it is none.
func follow(doc, v any) (map[string]any, error) {
	for range 100 {
		ref := text(v, "$ref")
		if ref == "" {
			m, _ := v.(map[string]any)
			return m, nil
		}
		var err error
		if v, err = pointed(doc, ref); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("the reference %q leads to itself", text(v, "$ref"))
}

// pointed returns what a reference within the description points to.
func pointed(doc any, ref string) (any, error) {
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil, fmt.Errorf("the reference %q does not begin with #/", ref)
	}
	v := doc
	for _, key := range strings.Split(path, "/") {
		key, err := url.PathUnescape(key)
		if err != nil {
			return nil, fmt.Errorf("the reference %q: %w", ref, err)
		}
		key = strings.NewReplacer("~1", "/", "~0", "~").Replace(key)
		switch x := v.(type) {
		case map[string]any:
			v = x[key]
		case []any:
			var i int
			if _, err := fmt.Sscan(key, &i); err != nil || i < 0 || i >= len(x) {
				return nil, fmt.Errorf("the reference %q points to nothing", ref)
			}
			v = x[i]
		default:
			v = nil
		}
		if v == nil {
			return nil, fmt.Errorf("the reference %q points to nothing", ref)
		}
	}
	return v, nil
}
