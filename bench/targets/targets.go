// Package targets has the fuzz targets of examples/bst/planted as a user would
// write them without Espalier.
package targets

import (
	"slices"
	"testing"

	"github.com/espalier-go/espalier/examples/bst/planted"
)

const lo, hi = 0, 99

type tree = planted.Tree

type operation struct {
	Tree *tree
	X    int
}

type pair struct{ A, B *tree }

func insert(t testing.TB, o operation) {
	isSet(t, o.Tree.Insert(o.X), append(o.Tree.Keys(), o.X))
}

func del(t testing.TB, o operation) {
	isSet(t, o.Tree.Delete(o.X), slices.DeleteFunc(o.Tree.Keys(), func(x int) bool { return x == o.X }))
}

func union(t testing.TB, p pair) {
	isSet(t, p.A.Union(p.B), append(p.A.Keys(), p.B.Keys()...))
}

func isSet(t testing.TB, got *tree, want []int) {
	t.Helper()
	slices.Sort(want)
	if want = slices.Compact(want); !slices.Equal(got.Keys(), want) {
		t.Errorf("the set is %v, want %v", got.Keys(), want)
	}
}

func valid(t *tree, lo, hi int) bool {
	return t == nil || lo <= t.X && t.X <= hi && valid(t.L, lo, t.X-1) && valid(t.R, t.X+1, hi)
}

// parse reads a tree in preorder from bytes: one for leaf or node, by its lowest
// bit, and one for the integer of a node.
func parse(b []byte) (t *tree, rest []byte) {
	if len(b) < 2 || b[0]&1 == 0 {
		return nil, b[min(1, len(b)):]
	}
	t = &tree{X: int(b[1])}
	t.L, rest = parse(b[2:])
	t.R, rest = parse(rest)
	return t, rest
}
