// Package sjson has bugs of github.com/tidwall/sjson.
package sjson

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/tidwall/sjson"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
	"github.com/espalier-go/espalier/eval/document"
)

const source = "hegeldev/hegel-zoo, targets/go/sjson"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[query]{
		Name:   "sjson/7",
		Title:  "Set does not find a key that begins with a bracket, and adds it again",
		Source: source,
		Gen:    genQuery(brackets, brackets.Keys),
		Rapid:  rapidQuery(brackets, brackets.Keys),
		Fails: func(q query) string {
			out, err := sjson.Set(string(document.Encode(q.Doc)), q.path(), 9)
			want := document.Encode(set(q.Doc, q.Path))
			after, err2 := document.Decode([]byte(out))
			// The text counts, because decoding drops a key that is there twice.
			if err != nil || err2 != nil || len(out) != len(want) ||
				string(document.Encode(after)) != string(want) {
				return fmt.Sprintf("got %s, %v; want %s", out, err, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[query]{
		Name:   "sjson/8",
		Title:  "a path with two # writes over the beginning of the document",
		Source: source,
		Gen:    genQuery(arrays, steps),
		Rapid:  rapidQuery(arrays, steps),
		Fails: func(q query) string {
			text := string(document.Encode(q.Doc))
			if out, err := sjson.Set(text, q.path(), 9); err == nil && !json.Valid([]byte(out)) {
				return fmt.Sprintf("setting %s in %s makes %s", q.path(), text, out)
			}
			return ""
		},
	}),
	deleting("sjson/10", "Delete of a key that begins with a quote deletes others, too", quotes,
		quotes.Keys),
	deleting("sjson/11", "Delete of -1 in an object that has # deletes another key, or nothing",
		numbers, []string{"-1", "1", "2", "a"}),
}

// deleting returns a bug of Delete.
func deleting(name, title string, kind document.Kind, steps []string) bug.Bug {
	return bug.New(bug.Spec[query]{
		Name: name, Title: title, Source: source,
		Gen:   genQuery(kind, steps),
		Rapid: rapidQuery(kind, steps),
		Fails: func(q query) string {
			out, err := sjson.Delete(string(document.Encode(q.Doc)), q.path())
			want := without(q.Doc, q.Path)
			if after, err2 := document.Decode([]byte(out)); err != nil || err2 != nil ||
				!reflect.DeepEqual(after, want) {
				return fmt.Sprintf("got %s, %v; want %s", out, err, document.Encode(want))
			}
			return ""
		},
	})
}

// set returns a document with 9 at a path. What is not an object becomes one.
func set(doc any, path []string) any {
	if len(path) == 0 {
		return 9.0
	}
	object, _ := doc.(map[string]any)
	if object = maps.Clone(object); object == nil {
		object = map[string]any{}
	}
	object[path[0]] = set(object[path[0]], path[1:])
	return object
}

// without returns a document without the member at a path.
func without(doc any, path []string) any {
	object, ok := doc.(map[string]any)
	v, has := object[path[0]]
	if !ok || !has {
		return doc
	}
	object = maps.Clone(object)
	if delete(object, path[0]); len(path) > 1 {
		object[path[0]] = without(v, path[1:])
	}
	return object
}

var (
	scalars  = []any{nil, true, 1.0, 2.0, "x"}
	brackets = document.Kind{
		Scalars:  scalars,
		Keys:     []string{"a", "b", "[a", "{b"},
		Depth:    2,
		Most:     3,
		NoArrays: true,
	}
	quotes = document.Kind{
		Scalars:  scalars,
		Keys:     []string{"a", "b", `"`, `"x`, `x"`},
		Depth:    2,
		Most:     3,
		NoArrays: true,
	}
	numbers = document.Kind{
		Scalars:  scalars,
		Keys:     []string{"a", "#", "-1", "1", "2"},
		Depth:    2,
		Most:     3,
		NoArrays: true,
	}
	arrays = document.Kind{Scalars: scalars, Keys: []string{"a", "b"}, Depth: 4, Most: 3}
	steps  = []string{"a", "b", "#", "0"}
)

const mostPath = 4

// A query is a path in a document.
type query struct {
	Doc  any
	Path []string
}

func (q query) path() string { return strings.Join(q.Path, ".") }

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
