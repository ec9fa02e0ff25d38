package jsonschema

import (
	"fmt"
	"net/url"
	"strings"

	js "github.com/santhosh-tekuri/jsonschema/v6"
)

// A resource is a schema that has an address of its own: "URL#pointer", where the pointer leads
// from the document's root to the resource's.
type resource string

// scope is resources through which validation has come to a schema, outermost first, each with a
// line end: those with a $dynamicAnchor that none before has, since $dynamicRef leads to the
// outermost one.
type scope string

// resources returns the resources of a scope.
func (sc scope) resources() (all []resource) {
	for _, r := range strings.Split(strings.TrimSuffix(string(sc), "\n"), "\n") {
		all = append(all, resource(r))
	}
	return all
}

// enter returns the scope within a resource that is reached in another.
func (x *schemas) enter(sc scope, r resource) scope {
	have := map[string]bool{}
	for _, outer := range sc.resources() {
		if outer == r {
			return sc
		}
		for _, a := range x.anchors(outer) {
			have[a.DynamicAnchor] = true
		}
	}
	for _, a := range x.anchors(r) {
		if !have[a.DynamicAnchor] { // without a name, a $recursiveAnchor
			return sc + scope(r) + "\n"
		}
	}
	return sc
}

// resourceOf returns the resource to which a schema belongs.
func (x *schemas) resourceOf(s *js.Schema) resource {
	doc, pointer, _ := strings.Cut(s.Location, "#")
	v, at, found := x.docs[doc], "", ""
	for _, name := range tokens(pointer) {
		v = step(v, name)
		at += "/" + name
		if m, ok := v.(map[string]any); ok {
			if id, ok := m["$id"].(string); ok && !strings.HasPrefix(id, "#") {
				found = at
			}
		}
	}
	return resource(doc + "#" + found)
}

// tokens returns the parts of a JSON pointer.
func tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	return strings.Split(pointer, "/")[1:]
}

// step returns the part of a document to which an escaped token of a JSON pointer leads.
func step(v any, token string) any {
	name, err := url.PathUnescape(token)
	if err != nil {
		name = token
	}
	name = unescape.Replace(name)
	switch v := v.(type) {
	case map[string]any:
		return v[name]
	case []any:
		var i int
		if _, err := fmt.Sscan(name, &i); err == nil && 0 <= i && i < len(v) {
			return v[i]
		}
	}
	return nil
}

var (
	unescape = strings.NewReplacer("~1", "/", "~0", "~")
	escape   = strings.NewReplacer("~", "~0", "/", "~1")
)

// token returns a name as a part of a JSON pointer in a URL.
func token(name string) string { return "/" + url.PathEscape(escape.Replace(name)) }

// resources returns the roots of the documents that have been read, and the resources in them.
func (x *schemas) resources() (all []resource) {
	for _, doc := range sortedKeys(x.docs) {
		all = append(all, resource(doc+"#"))
		var walk func(v any, at string)
		walk = func(v any, at string) {
			switch v := v.(type) {
			case map[string]any:
				if id, ok := v["$id"].(string); ok && at != "" && !strings.HasPrefix(id, "#") {
					all = append(all, resource(doc+"#"+at))
				}
				for _, k := range sortedKeys(v) {
					walk(v[k], at+token(k))
				}
			case []any:
				for i := range v {
					walk(v[i], fmt.Sprint(at, "/", i))
				}
			}
		}
		walk(x.docs[doc], "")
	}
	return all
}

// anchors returns the schemas of a resource that have a $dynamicAnchor, and its root if it has a
// $recursiveAnchor.
func (x *schemas) anchors(r resource) []*js.Schema {
	all, known := x.anchored[r]
	if !known {
		all = x.findAnchors(r)
		x.anchored[r] = all
	}
	return all
}

func (x *schemas) findAnchors(r resource) (all []*js.Schema) {
	address, pointer, _ := strings.Cut(string(r), "#")
	doc, known := x.docs[address]
	if !known { // a draft's own
		if s := x.at(r, ""); s != nil {
			all = append(all, s)
		}
		return all
	}
	for _, name := range tokens(pointer) {
		doc = step(doc, name)
	}
	var walk func(v any, at string)
	walk = func(v any, at string) {
		switch v := v.(type) {
		case map[string]any:
			_, anchored := v["$dynamicAnchor"].(string)
			if recursive, _ := v["$recursiveAnchor"].(bool); anchored || recursive {
				if s := x.at(r, at); s != nil {
					all = append(all, s)
				}
			}
			for _, k := range sortedKeys(v) {
				if m, ok := v[k].(map[string]any); ok && m["$id"] != nil {
					continue // another resource
				}
				walk(v[k], at+token(k))
			}
		case []any:
			for i := range v {
				if m, ok := v[i].(map[string]any); ok && m["$id"] != nil {
					continue
				}
				walk(v[i], fmt.Sprint(at, "/", i))
			}
		}
	}
	walk(doc, "")
	return all
}

// at returns the schema at a pointer in a resource, or nil.
func (x *schemas) at(r resource, pointer string) *js.Schema {
	s, err := x.compiler.Compile(string(r) + pointer)
	if err != nil {
		return nil
	}
	return s
}

// dynamicTarget returns to what the $dynamicRef of a schema leads in a scope.
func (x *schemas) dynamicTarget(s *js.Schema, sc scope) *js.Schema {
	target := s.DynamicRef.Ref
	if anchor := s.DynamicRef.Anchor; anchor != "" && target.DynamicAnchor == anchor {
		for _, r := range sc.resources() {
			for _, a := range x.anchors(r) {
				if a.DynamicAnchor == anchor {
					return a
				}
			}
		}
	}
	return target
}

// recursiveTarget returns to what the $recursiveRef of a schema leads in a scope.
func (x *schemas) recursiveTarget(s *js.Schema, sc scope) *js.Schema {
	target := s.RecursiveRef
	if target.RecursiveAnchor {
		for _, r := range sc.resources() {
			if root := x.at(r, ""); root != nil && root.RecursiveAnchor {
				return root
			}
		}
	}
	return target
}
