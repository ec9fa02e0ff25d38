package main

import (
	"math"
	"slices"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
)

// many is the greatest of integers.
const many = 1 << 20

// valueBugs returns the bugs, each with the generator that a user would write.
func valueBugs() []valueBug {
	ops := rapid.SliceOf(rapid.Custom(rapidMapOp))
	return []valueBug{
		newValueBug("bst insert", genSetAnd, rapidSetAnd, func(o setAnd) bool {
			return o.Set.insertLoses(o.X)
		}),
		newValueBug("bst delete", genSetAnd, rapidSetAnd, func(o setAnd) bool {
			return o.Set.deleteLoses(o.X)
		}),
		newValueBug("bst union", genSets, rapidSets, func(s sets) bool { return s.A.unionLoses(s.B) }),
		newValueBug("stale cache", bigen.SliceOf(genMapOp, 0, math.MaxInt),
			func(t *rapid.T) []mapOp { return ops.Draw(t, "v") }, stale),
	}
}

// A set is a search tree. The nil *set is empty.
type set struct {
	L *set // the integers below X
	X int
	R *set // the integers above X
}

const lastKey = 99

type setAnd struct {
	Set *set
	X   int
}

type sets struct{ A, B *set }

func genSet(lo, hi int) bigen.Gen[*set] {
	if lo > hi {
		return bigen.Nil[set]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[set]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *set) {
			bigen.At(c, &t.X, bigen.IntRange(lo, hi))
			bigen.At(c, &t.L, genSet(lo, t.X-1))
			bigen.At(c, &t.R, genSet(t.X+1, hi))
		})).Weight(5),
	)
}

func rapidSet(t *rapid.T, lo, hi int) *set {
	if lo > hi || rapid.IntRange(0, 5).Draw(t, "node") == 0 {
		return nil
	}
	x := rapid.IntRange(lo, hi).Draw(t, "x")
	return &set{L: rapidSet(t, lo, x-1), X: x, R: rapidSet(t, x+1, hi)}
}

var genSetAnd = bigen.Struct(func(c *bigen.C, o *setAnd) {
	bigen.At(c, &o.Set, genSet(0, lastKey))
	bigen.At(c, &o.X, bigen.IntRange(0, lastKey))
})

func rapidSetAnd(t *rapid.T) setAnd {
	return setAnd{rapidSet(t, 0, lastKey), rapid.IntRange(0, lastKey).Draw(t, "x")}
}

var genSets = bigen.Struct(func(c *bigen.C, s *sets) {
	bigen.At(c, &s.A, genSet(0, lastKey))
	bigen.At(c, &s.B, genSet(0, lastKey))
})

func rapidSets(t *rapid.T) sets { return sets{rapidSet(t, 0, lastKey), rapidSet(t, 0, lastKey)} }

func (t *set) size() int {
	if t == nil {
		return 0
	}
	return 1 + t.L.size() + t.R.size()
}

// at returns the node of x, or nil.
func (t *set) at(x int) *set {
	for t != nil && t.X != x {
		if x < t.X {
			t = t.L
		} else {
			t = t.R
		}
	}
	return t
}

// insertLoses reports whether an insertion loses something whose bug is that the subtrees of x are
// lost if it is there already.
func (t *set) insertLoses(x int) bool {
	n := t.at(x)
	return n.size() > 1
}

// deleteLoses does the same for a deletion that joins two subtrees, of whose inner subtrees it
// keeps only one.
func (t *set) deleteLoses(x int) bool {
	n := t.at(x)
	return n != nil && n.L != nil && n.R != nil && n.L.R != nil && n.R.L != nil
}

// unionLoses does the same for a union that splits u at each key of t.
func (t *set) unionLoses(u *set) bool {
	want := slices.Sorted(slices.Values(u.keys(t.keys(nil))))
	return !slices.Equal(t.union(u).keys(nil), slices.Compact(want))
}

func (t *set) keys(all []int) []int {
	if t == nil {
		return all
	}
	return t.R.keys(append(t.L.keys(all), t.X))
}

func (t *set) union(u *set) *set {
	if t == nil {
		return u
	}
	if u == nil {
		return t
	}
	below, above := u.split(t.X)
	return &set{t.L.union(below), t.X, t.R.union(above)}
}

// split returns the parts of t below x and above x. Planted: where x is left, right, left
// and right of some node, the part above it is lost.
func (t *set) split(x int) (below, above *set) {
	switch {
	case t == nil:
		return nil, nil
	case x < t.X:
		if a := t.L; a != nil && x > a.X {
			if b := a.R; b != nil && x < b.X {
				if c := b.L; c != nil && x > c.X && c.R != nil && c.R.X == x {
					return &set{a.L, a.X, &set{c.L, c.X, c.R.L}}, &set{&set{X: b.X, R: b.R}, t.X, t.R}
				}
			}
		}
		below, above = t.L.split(x)
		return below, &set{above, t.X, t.R}
	case x > t.X:
		below, above = t.R.split(x)
		return &set{t.L, t.X, below}, above
	}
	return t.L, t.R
}

// Operations on a map.

type mapOp struct {
	Delete     bool
	Key, Value int
}

const lastID = 9999

var genMapOp = bigen.Struct(func(c *bigen.C, o *mapOp) {
	bigen.At(c, &o.Delete, bigen.Bool())
	bigen.At(c, &o.Key, bigen.IntRange(0, lastID))
	bigen.At(c, &o.Value, bigen.IntRange(0, lastID))
})

func rapidMapOp(t *rapid.T) mapOp {
	id := rapid.IntRange(0, lastID)
	return mapOp{rapid.Bool().Draw(t, "delete"), id.Draw(t, "key"), id.Draw(t, "value")}
}

// stale reports whether a key is set, deleted and set to another value: the bug then
// returns the old value.
func stale(ops []mapOp) bool {
	type state struct {
		value   int
		deleted bool
	}
	keys := map[int]state{}
	for _, o := range ops {
		s, known := keys[o.Key]
		switch {
		case o.Delete && known:
			keys[o.Key] = state{s.value, true}
		case o.Delete:
		case known && s.deleted && s.value != o.Value:
			return true
		default:
			keys[o.Key] = state{value: o.Value}
		}
	}
	return false
}

type record struct {
	ID   uint32
	Name string
	Tags []string
}

var genRecord = bigen.Struct(func(c *bigen.C, r *record) {
	bigen.At(c, &r.ID, bigen.Int[uint32]())
	bigen.At(c, &r.Name, bigen.String(20))
	bigen.At(c, &r.Tags, bigen.SliceOf(bigen.String(5), 0, 3))
})

func rapidRecord(t *rapid.T) record {
	return record{
		rapid.Uint32().Draw(t, "id"),
		rapid.StringN(0, 20, -1).Draw(t, "name"),
		rapid.SliceOfN(rapid.StringN(0, 5, -1), 0, 3).Draw(t, "tags"),
	}
}
