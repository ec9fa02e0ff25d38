// Package jsonparser has bugs of github.com/buger/jsonparser.
package jsonparser

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/buger/jsonparser"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
	"github.com/espalier-go/espalier/eval/document"
)

const source = "hegeldev/hegel-zoo, targets/go/jsonparser"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[query]{
		Name:   "jsonparser/2",
		Title:  "Set replaces a container that its path takes for one of the other kind",
		Source: source,
		Gen:    genQuery(plain, steps),
		Rapid:  rapidQuery(plain, steps),
		Fails: func(q query) string {
			text := document.Encode(q.Doc)
			out, err := jsonparser.Set(slices.Clone(text), []byte("9"), q.Path...)
			if err != nil {
				return ""
			}
			after, err := document.Decode(out)
			if err != nil {
				return fmt.Sprintf("%s: %v", out, err)
			}
			for _, path := range leaves(q.Doc, nil) {
				if prefix(path, q.Path) || prefix(q.Path, path) {
					continue // it may change
				}
				if v, ok := get(after, path); !ok || !reflect.DeepEqual(v, must(get(q.Doc, path))) {
					return fmt.Sprintf("Set makes %s, without what %s has at %q", out, text, path)
				}
			}
			return ""
		},
	}),
	bug.New(bug.Spec[query]{
		Name:   "jsonparser/4",
		Title:  "EachKeyWildcard ends at the first element that does not have the key",
		Source: source,
		Gen:    genQuery(plain, wildcards),
		Rapid:  rapidQuery(plain, wildcards),
		Fails: func(q query) string {
			var got []any
			_ = jsonparser.EachKeyWildcard(document.Encode(q.Doc),
				func(_ int, value []byte, kind jsonparser.ValueType, err error) {
					if err == nil {
						got = append(got, value0(value, kind))
					}
				}, q.Path...) // it may find nothing
			if want := matches(q.Doc, q.Path); !reflect.DeepEqual(got, want) {
				return fmt.Sprintf("got %v, want %v", got, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[query]{
		Name:   "jsonparser/8",
		Title:  "an index of what is not an array finds an element of a later array",
		Source: source,
		Gen:    genQuery(plain, steps),
		Rapid:  rapidQuery(plain, steps),
		Fails: func(q query) string {
			value, kind, _, err := jsonparser.Get(document.Encode(q.Doc), q.Path...)
			want, ok := get(q.Doc, q.Path)
			if ok != (err == nil) || ok && !reflect.DeepEqual(value0(value, kind), want) {
				return fmt.Sprintf("got %s, %v; want %v, %t", value, err, want, ok)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[query]{
		Name:   "jsonparser/9",
		Title:  "Delete leaves a key that begins with a bracket, without a value",
		Source: source,
		Gen:    genQuery(brackets, brackets.Keys),
		Rapid:  rapidQuery(brackets, brackets.Keys),
		Fails: func(q query) string {
			out := jsonparser.Delete(document.Encode(q.Doc), q.Path...)
			after, err := document.Decode(out)
			if want := without(q.Doc, q.Path); err != nil || !reflect.DeepEqual(after, want) {
				return fmt.Sprintf("got %s, want %s", out, document.Encode(want))
			}
			return ""
		},
	}),
}

// value0 returns what a callback is given.
func value0(text []byte, kind jsonparser.ValueType) any {
	if kind == jsonparser.String {
		return string(text) // without escapes
	}
	v, err := document.Decode(text)
	if err != nil {
		return err
	}
	return v
}

func index(step string, n int) (i int, ok bool) {
	i, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(step, "["), "]"))
	return i, err == nil && 0 <= i && i < n
}

func child(doc any, step string) (v any, ok bool) {
	switch doc := doc.(type) {
	case map[string]any:
		v, ok = doc[step]
	case []any:
		if i, in := index(step, len(doc)); in {
			return doc[i], true
		}
	}
	return v, ok
}

func get(doc any, path []string) (v any, ok bool) {
	for _, step := range path {
		if doc, ok = child(doc, step); !ok {
			return nil, false
		}
	}
	return doc, true
}

func must(v any, _ bool) any { return v }

// matches returns what is found at a path with wildcards.
func matches(doc any, path []string) (found []any) {
	if len(path) == 0 {
		return []any{doc}
	}
	if path[0] != "[*]" {
		if v, ok := child(doc, path[0]); ok {
			return matches(v, path[1:])
		}
		return nil
	}
	if list, ok := doc.([]any); ok {
		for _, v := range list {
			found = append(found, matches(v, path[1:])...)
		}
	}
	return found
}

// without returns a document without the member at a path.
func without(doc any, path []string) any {
	v, ok := child(doc, path[0])
	if !ok {
		return doc
	}
	switch doc := doc.(type) {
	case map[string]any:
		doc = maps.Clone(doc)
		if delete(doc, path[0]); len(path) > 1 {
			doc[path[0]] = without(v, path[1:])
		}
		return doc
	case []any:
		i, _ := index(path[0], len(doc))
		if len(path) == 1 {
			return slices.Delete(slices.Clone(doc), i, i+1)
		}
		doc = slices.Clone(doc)
		doc[i] = without(v, path[1:])
		return doc
	}
	return doc
}

// leaves returns the paths of all that has no parts.
func leaves(doc any, at []string) (paths [][]string) {
	switch doc := doc.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(doc)) {
			paths = append(paths, leaves(doc[k], append(slices.Clone(at), k))...)
		}
	case []any:
		for i, v := range doc {
			paths = append(paths, leaves(v, append(slices.Clone(at), fmt.Sprintf("[%d]", i)))...)
		}
	}
	if paths == nil {
		paths = [][]string{at}
	}
	return paths
}

func prefix(short, long []string) bool {
	return len(short) <= len(long) && slices.Equal(short, long[:len(short)])
}

var (
	plain = document.Kind{
		Scalars: []any{nil, true, 1.0, "x"},
		Keys:    []string{"a", "b", "c"},
		Depth:   3,
		Most:    3,
	}
	brackets = document.Kind{
		Scalars: []any{nil, true, 1.0, "x"},
		Keys:    []string{"a", "b", "[0]", "["},
		Depth:   3,
		Most:    3,
	}
	steps     = []string{"a", "b", "c", "[0]", "[1]", "[2]"}
	wildcards = []string{"a", "b", "c", "[*]"}
)

const mostPath = 3

// A query is a path in a document.
type query struct {
	Doc  any
	Path []string
}

func genQuery(kind document.Kind, steps []string) bigen.Gen[query] {
	doc, path := kind.Gen(), bigen.SliceOf(bigen.OneOf(steps...), 1, mostPath)
	return bigen.Struct(func(c *bigen.C, q *query) {
		bigen.At(c, &q.Doc, doc)
		bigen.At(c, &q.Path, path)
	})
}

func rapidQuery(kind document.Kind, steps []string) func(t *rapid.T) query {
	doc, path := kind.Rapid(), rapid.SliceOfN(rapid.SampledFrom(steps), 1, mostPath)
	return func(t *rapid.T) query { return query{doc.Draw(t, "doc"), path.Draw(t, "path")} }
}
