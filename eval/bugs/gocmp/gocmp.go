// Package gocmp has bugs of github.com/google/go-cmp.
package gocmp

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/go-cmp"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[pair[map[string]int]]{
		Name:   "go-cmp/1",
		Title:  "IgnoreMapEntries does nothing to a map that SortMaps flattens",
		Source: source,
		Gen: genPair(
			bigen.For[map[string]int](bigen.WithTag("len=..3,range=-2..2,empty=ornil,key.match=[a-c]"))),
		Rapid: func(t *rapid.T) pair[map[string]int] {
			return rapidPair(t, rapid.OneOf(rapid.Just[map[string]int](nil),
				rapid.MapOfN(rapid.StringMatching(`[a-c]`), rapid.IntRange(-2, 2), 0, 3)))
		},
		Fails: func(p pair[map[string]int]) string {
			var options cmp.Options
			x, y := maps.Clone(p.X), maps.Clone(p.Y)
			if p.Ignore {
				options = append(options, cmpopts.IgnoreMapEntries(func(_ string, v int) bool { return v < 0 }))
				ignored := func(k string, _ int) bool { return p.X[k] < 0 || p.Y[k] < 0 }
				maps.DeleteFunc(x, ignored)
				maps.DeleteFunc(y, ignored)
			}
			if p.Sort {
				options = append(options, cmpopts.SortMaps(func(a, b string) bool { return a < b }))
			}
			return p.compare(options, (p.X == nil) == (p.Y == nil) && maps.Equal(x, y))
		},
	}),
	bug.New(bug.Spec[pair[[]string]]{
		Name:   "go-cmp/2",
		Title:  "SortSlices makes nil equal to a slice of ignored elements that is not sorted",
		Source: source,
		Gen:    genPair(bigen.For[[]string](bigen.WithTag("len=..3,empty=ornil,match=[ax][a-c]"))),
		Rapid: func(t *rapid.T) pair[[]string] {
			return rapidPair(t, rapid.OneOf(rapid.Just[[]string](nil),
				rapid.SliceOfN(rapid.StringMatching(`[ax][a-c]`), 0, 3)))
		},
		Fails: func(p pair[[]string]) string {
			var options cmp.Options
			x, y := slices.Clone(p.X), slices.Clone(p.Y)
			if p.Ignore {
				ignored := func(s string) bool { return strings.HasPrefix(s, "x") }
				options = append(options, cmpopts.IgnoreSliceElements(ignored))
				x, y = slices.DeleteFunc(x, ignored), slices.DeleteFunc(y, ignored)
			}
			if p.Sort {
				options = append(options, cmpopts.SortSlices(func(a, b string) bool { return a < b }))
				slices.Sort(x)
				slices.Sort(y)
			}
			return p.compare(options, (p.X == nil) == (p.Y == nil) && slices.Equal(x, y))
		},
	}),
}

// A pair has two values, and which options compare them.
type pair[V any] struct {
	X, Y         V
	Ignore, Sort bool
}

func genPair[V any](g bigen.Gen[V]) bigen.Gen[pair[V]] {
	return bigen.Struct(func(c *bigen.C, p *pair[V]) {
		bigen.At(c, &p.X, g)
		bigen.At(c, &p.Y, g)
		bigen.At(c, &p.Ignore, bigen.Bool())
		bigen.At(c, &p.Sort, bigen.Bool())
	})
}

func rapidPair[V any](t *rapid.T, g *rapid.Generator[V]) pair[V] {
	return pair[V]{g.Draw(t, "x"), g.Draw(t, "y"), rapid.Bool().Draw(t, "ignore"),
		rapid.Bool().Draw(t, "sort")}
}

func (p pair[V]) compare(options cmp.Options, want bool) string {
	if got := cmp.Equal(p.X, p.Y, options); got != want {
		return fmt.Sprintf("%v equals %v: %t, want %t", p.X, p.Y, got, want)
	}
	return ""
}
