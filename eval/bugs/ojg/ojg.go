// Package ojg has bugs of github.com/ohler55/ojg.
package ojg

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/ohler55/ojg/jp"
	"github.com/ohler55/ojg/oj"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
	"github.com/espalier-go/espalier/eval/document"
)

const source = "hegeldev/hegel-zoo, targets/go/ojg"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[removal]{
		Name:   "ojg/10",
		Title:  "Remove ignores the negative indices of a union",
		Source: source,
		Gen:    genRemoval,
		Rapid:  rapidRemoval,
		Fails: func(r removal) string {
			var keys, want []any
			gone := map[int]bool{}
			for _, i := range r.Indices {
				keys = append(keys, i)
				gone[i], gone[i+r.Len] = true, true
			}
			for i := range r.Len {
				if !gone[i] && !gone[i-r.Len] {
					want = append(want, i)
				}
			}
			got, err := jp.R().U(keys...).Remove(array(r.Len))
			if list, _ := got.([]any); err != nil || !slices.Equal(list, want) {
				return fmt.Sprintf("without %v of %d: got %v, %v; want %v", r.Indices, r.Len, got, err, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[slice]{
		Name:   "ojg/12",
		Title:  "a slice with a negative step selects an element too much if a bound is out of range",
		Source: source,
		Gen:    genSlice,
		Rapid:  rapidSlice,
		Fails: func(s slice) string {
			got := jp.MustParseString(s.String()).Get(array(s.Len))
			if want := s.selected(); !slices.Equal(got, want) {
				return fmt.Sprintf("%s of %d: got %v, want %v", s, s.Len, got, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[query]{
		Name:   "ojg/16",
		Title:  "Match with a descent does not search an element that has matched",
		Source: source,
		Gen:    genQuery,
		Rapid:  rapidQuery,
		Fails: func(q query) string {
			path := jp.MustParseString("$" + strings.Join(q.Path, ""))
			var got []string
			text := string(document.Encode(q.Doc))
			if err := oj.MatchString(text,
				func(at jp.Expr, _ any) { got = append(got, at.String()) }, path); err != nil {
				return err.Error()
			}
			var want []string
			for _, at := range path.Locate(q.Doc, 0) {
				want = append(want, at.String())
			}
			slices.Sort(got)
			slices.Sort(want)
			if want = slices.Compact(want); !reflect.DeepEqual(slices.Compact(got), want) {
				return fmt.Sprintf("%s in %s matches %q, want %q", path, text, got, want)
			}
			return ""
		},
	}),
}

// array returns the numbers from 0 on.
func array(n int) []any {
	list := []any{}
	for i := range n {
		list = append(list, i)
	}
	return list
}

// A removal is of the elements at indices of an array.
type removal struct {
	Len     int
	Indices []int
}

// A slice is a slice of an array by RFC 9535, which lacks what is nil.
type slice struct {
	Len        int
	Start, End *int
	Step       int
}

func (s slice) String() string {
	bound := func(p *int) string {
		if p == nil {
			return ""
		}
		return strconv.Itoa(*p)
	}
	return fmt.Sprintf("$[%s:%s:%d]", bound(s.Start), bound(s.End), s.Step)
}

// selected is what section 2.3.4.2.2 says.
func (s slice) selected() (list []any) {
	bound := func(p *int, other, least, most int) int {
		if p == nil {
			return other
		}
		i := *p
		if i < 0 {
			i += s.Len
		}
		return min(max(i, least), most)
	}
	if s.Step > 0 {
		for i := bound(s.Start, 0, 0, s.Len); i < bound(s.End, s.Len, 0, s.Len); i += s.Step {
			list = append(list, i)
		}
		return list
	}
	for i := bound(s.Start, s.Len-1, -1, s.Len-1); i > bound(s.End, -1, -1, s.Len-1); i += s.Step {
		list = append(list, i)
	}
	return list
}

// A query is a path in a document.
type query struct {
	Doc  any
	Path []string
}

var (
	kind = document.Kind{
		Scalars: []any{nil, true, 1.0, "x"},
		Keys:    []string{"a", "b"},
		Depth:   3,
		Most:    3,
	}
	fragments = []string{".a", ".b", "[0]", "[1]", "[*]", "..a", "..[0]", "..[1]", "..*"}
	moves     = []int{-3, -2, -1, 1, 2, 3}
)

const (
	mostLen     = 5
	mostBound   = 8
	mostIndices = 4
	mostPath    = 2
)

var (
	genRemoval = bigen.Struct(func(c *bigen.C, r *removal) {
		bigen.At(c, &r.Len, bigen.IntRange(1, mostLen))
		bigen.At(c, &r.Indices, bigen.SliceOf(bigen.IntRange(-r.Len, r.Len-1), 1, mostIndices))
	})
	genSlice = bigen.Struct(func(c *bigen.C, s *slice) {
		bigen.At(c, &s.Len, bigen.IntRange(1, mostLen))
		bigen.At(c, &s.Start, bigen.Ptr(bigen.IntRange(-mostBound, mostBound)))
		bigen.At(c, &s.End, bigen.Ptr(bigen.IntRange(-mostBound, mostBound)))
		bigen.At(c, &s.Step, bigen.OneOf(moves...))
	})
	genDoc   = kind.Gen()
	genQuery = bigen.Struct(func(c *bigen.C, q *query) {
		bigen.At(c, &q.Doc, genDoc)
		bigen.At(c, &q.Path, bigen.SliceOf(bigen.OneOf(fragments...), 1, mostPath))
	})
)

func rapidRemoval(t *rapid.T) (r removal) {
	r.Len = rapid.IntRange(1, mostLen).Draw(t, "len")
	r.Indices = rapid.SliceOfN(rapid.IntRange(-r.Len, r.Len-1), 1, mostIndices).Draw(t, "indices")
	return r
}

func rapidSlice(t *rapid.T) slice {
	bounds := rapid.Ptr(rapid.IntRange(-mostBound, mostBound), true)
	return slice{
		Len:   rapid.IntRange(1, mostLen).Draw(t, "len"),
		Start: bounds.Draw(t, "start"),
		End:   bounds.Draw(t, "end"),
		Step:  rapid.SampledFrom(moves).Draw(t, "step"),
	}
}

var rapidDoc = kind.Rapid()

func rapidQuery(t *rapid.T) query {
	return query{rapidDoc.Draw(t, "doc"),
		rapid.SliceOfN(rapid.SampledFrom(fragments), 1, mostPath).Draw(t, "path")}
}
