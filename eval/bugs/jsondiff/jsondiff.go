// Package jsondiff has bugs of github.com/wI2L/jsondiff.
package jsondiff

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/wI2L/jsondiff"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
	"github.com/espalier-go/espalier/eval/document"
)

const source = "hegeldev/hegel-zoo, targets/go/jsondiff"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[pair]{
		Name:   "jsondiff/1",
		Title:  "Factorize copies a value that is not equal, but has the same hash",
		Source: source,
		Gen:    genPair,
		Rapid:  rapidPair,
		Fails: func(p pair) string {
			return mismatch(p, compare(p, jsondiff.Factorize()))
		},
	}),
	bug.New(bug.Spec[pair]{
		Name:   "jsondiff/9",
		Title:  "with Factorize and LCS, the test of a moved element comes after the move",
		Source: source,
		Gen:    genPair,
		Rapid:  rapidPair,
		Fails: func(p pair) string {
			patch := compare(p, jsondiff.Factorize(), jsondiff.LCS(), jsondiff.Invertible())
			edits := slices.DeleteFunc(slices.Clone(patch), func(o operation) bool { return o.Op == "test" })
			if mismatch(p, edits) != "" { // jsondiff/1, jsondiff/10
				return ""
			}
			return mismatch(p, patch)
		},
	}),
	bug.New(bug.Spec[pair]{
		Name:   "jsondiff/10",
		Title:  "with Factorize and LCS, moves have wrong indices",
		Source: source,
		Gen:    genPair,
		Rapid:  rapidPair,
		Fails: func(p pair) string {
			patch := compare(p, jsondiff.Factorize(), jsondiff.LCS())
			if slices.ContainsFunc(patch, func(o operation) bool { return o.Op == "copy" }) { // jsondiff/1
				return ""
			}
			return mismatch(p, patch)
		},
	}),
	bug.New(bug.Spec[lists]{
		Name:   "jsondiff/13",
		Title:  "Equivalent takes arrays for equal that have the same elements, but not as often",
		Source: source,
		Gen:    genLists,
		Rapid:  rapidLists,
		Fails: func(l lists) string {
			patch := compare(pair{l.From, l.To}, jsondiff.Equivalent())
			if equal := maps.EqualFunc(l.From, l.To, permuted); equal != (len(patch) == 0) {
				return fmt.Sprintf("%s, but the lists are permutations: %t", document.Encode(patch), equal)
			}
			return ""
		},
	}),
}

// An operation is one of a patch of RFC 6902.
type operation struct {
	Op, From, Path string
	Value          any
}

func compare(p pair, opts ...jsondiff.Option) (patch []operation) {
	diff, err := jsondiff.CompareJSON(document.Encode(p.From), document.Encode(p.To), opts...)
	if err != nil {
		panic(err)
	}
	if err := json.Unmarshal(document.Encode(diff), &patch); err != nil {
		panic(err)
	}
	return patch
}

// mismatch returns what is wrong with a patch.
func mismatch(p pair, patch []operation) string {
	got, err := apply(p.From, patch)
	if err != nil {
		return fmt.Sprintf("%v in %s", err, document.Encode(patch))
	}
	if !reflect.DeepEqual(got, p.To) {
		return fmt.Sprintf("%s makes %s", document.Encode(patch), document.Encode(got))
	}
	return ""
}

// apply is what RFC 6902 says.
func apply(doc any, patch []operation) (any, error) {
	var err error
	for _, o := range patch {
		if doc, err = o.apply(doc); err != nil {
			return nil, err
		}
	}
	return doc, nil
}

func (o operation) apply(doc any) (any, error) {
	switch o.Op {
	case "move", "copy":
		value, err := get(doc, pointer(o.From))
		if err != nil {
			return nil, err
		}
		if o.Op == "move" {
			if doc, err = edit(doc, pointer(o.From), "remove", nil); err != nil {
				return nil, err
			}
		}
		return edit(doc, pointer(o.Path), "add", value)
	case "test":
		got, err := get(doc, pointer(o.Path))
		if err == nil && !reflect.DeepEqual(got, o.Value) {
			err = fmt.Errorf("the test of %s fails", o.Path)
		}
		return doc, err
	}
	return edit(doc, pointer(o.Path), o.Op, o.Value)
}

func pointer(path string) []string {
	if path == "" {
		return nil
	}
	tokens := strings.Split(path[1:], "/")
	for i, t := range tokens {
		tokens[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(t)
	}
	return tokens
}

var errMissing = errors.New("no such place")

func get(doc any, path []string) (any, error) {
	if len(path) == 0 {
		return doc, nil
	}
	switch doc := doc.(type) {
	case map[string]any:
		if v, ok := doc[path[0]]; ok {
			return get(v, path[1:])
		}
	case []any:
		if i, err := strconv.Atoi(path[0]); err == nil && 0 <= i && i < len(doc) {
			return get(doc[i], path[1:])
		}
	}
	return nil, errMissing
}

// edit returns the document with something added, removed or replaced.
func edit(doc any, path []string, op string, value any) (any, error) {
	if len(path) == 0 && op == "remove" {
		return nil, errMissing
	}
	if len(path) == 0 {
		return value, nil
	}
	switch doc := doc.(type) {
	case map[string]any:
		return editObject(maps.Clone(doc), path, op, value)
	case []any:
		return editArray(slices.Clone(doc), path, op, value)
	}
	return nil, errMissing
}

func editObject(doc map[string]any, path []string, op string, value any) (any, error) {
	old, ok := doc[path[0]]
	switch {
	case len(path) == 1 && op == "add":
		doc[path[0]] = value
		return doc, nil
	case !ok:
		return nil, errMissing
	case len(path) == 1 && op == "remove":
		delete(doc, path[0])
		return doc, nil
	}
	v, err := edit(old, path[1:], op, value)
	doc[path[0]] = v
	return doc, err
}

func editArray(doc []any, path []string, op string, value any) (any, error) {
	add := len(path) == 1 && op == "add"
	i, err := strconv.Atoi(path[0])
	if path[0] == "-" && add {
		i, err = len(doc), nil
	}
	switch {
	case err != nil || i < 0 || i > len(doc) || i == len(doc) && !add:
		return nil, errMissing
	case add:
		return slices.Insert(doc, i, value), nil
	case len(path) == 1 && op == "remove":
		return slices.Delete(doc, i, i+1), nil
	}
	doc[i], err = edit(doc[i], path[1:], op, value)
	return doc, err
}

func permuted(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// A pair is two documents.
type pair struct{ From, To any }

var kind = document.Kind{
	Scalars: []any{nil, false, true, 0.0, 1.0, 2.0, "", "a", "b", "ab"},
	Keys:    []string{"a", "b", "c"},
	Depth:   3,
	Most:    3,
}

var (
	genDoc  = kind.Gen()
	genPair = bigen.Struct(func(c *bigen.C, p *pair) {
		bigen.At(c, &p.From, genDoc)
		bigen.At(c, &p.To, genDoc)
	})
)

var rapidDoc = kind.Rapid()

func rapidPair(t *rapid.T) pair {
	return pair{rapidDoc.Draw(t, "from"), rapidDoc.Draw(t, "to")}
}

// A lists is two documents that have nothing but lists of texts, because jsondiff/2 is about
// others.
type lists struct{ From, To map[string][]string }

var (
	genList = bigen.For[map[string][]string](
		bigen.WithTag("key.oneof=a|b|c,oneof=a|b|d,len=..3;..4,empty=notnil;notnil"))
	genLists = bigen.Struct(func(c *bigen.C, l *lists) {
		bigen.At(c, &l.From, genList)
		bigen.At(c, &l.To, genList)
	})
)

var rapidList = rapid.MapOfN(rapid.SampledFrom(kind.Keys),
	rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "d"}), 0, 4), 0, 3)

func rapidLists(t *rapid.T) lists {
	return lists{rapidList.Draw(t, "from"), rapidList.Draw(t, "to")}
}
