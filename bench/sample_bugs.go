package main

import (
	"cmp"
	"math"
	"reflect"
	"slices"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
)

// many is the greatest of integers.
const many = 1 << 20

// sampleBugs returns the bugs, each with the generator that a user would write, for
// Espalier and for rapid.
func sampleBugs() []sampleBug {
	ints := bigen.SliceOf(bigen.IntRange(0, many), 0, math.MaxInt)
	rapidInts := draws(rapid.SliceOf(rapid.IntRange(0, many)))
	pair := bigen.ArrayOf[[2]int](bigen.IntRange(0, many))
	rapidPair := func(t *rapid.T) [2]int {
		g := rapid.IntRange(0, many)
		return [2]int{g.Draw(t, "a"), g.Draw(t, "b")}
	}
	expr, ops := genArith(), bigen.SliceOf(bigen.OneOf("top", "push", "pop"), 0, math.MaxInt)
	rapidOps := draws(rapid.SliceOf(rapid.SampledFrom([]string{"top", "push", "pop"})))

	return []sampleBug{
		newSampleBug("bst insert", genSetAnd, rapidSetAnd, func(o setAnd) bool {
			return !isSet(o.Set.Insert(o.X), append(o.Set.Keys(), o.X))
		}),
		newSampleBug("bst delete", genSetAnd, rapidSetAnd, func(o setAnd) bool {
			return !isSet(o.Set.Delete(o.X), slices.DeleteFunc(o.Set.Keys(), func(x int) bool { return x == o.X }))
		}),
		newSampleBug("bst union", genSets, rapidSets, func(s sets) bool {
			return !isSet(s.A.Union(s.B), append(s.A.Keys(), s.B.Keys()...))
		}),
		newSampleBug("duplicates", ints, rapidInts, func(v []int) bool {
			v = slices.Sorted(slices.Values(v))
			return len(slices.Compact(slices.Clone(v))) < len(v)
		}),
		newSampleBug("stale cache", bigen.SliceOf(genMapOp, 0, math.MaxInt), draws(rapid.SliceOf(rapid.Custom(rapidMapOp))), stale),
		newSampleBug("equal records", bigen.SliceOf(genRecord, 0, math.MaxInt), draws(rapid.SliceOf(rapid.Custom(rapidRecord))), clash),
		newSampleBug("equal subtrees", expr, rapidArith, func(e *arith) bool {
			return e.any(func(e *arith) bool { return e.Op == '-' && e.X.Op != 0 && reflect.DeepEqual(e.X, e.Y) })
		}),
		newSampleBug("only additions", expr, rapidArith, func(e *arith) bool {
			return e.count('+') >= 8 && e.count('+') == e.count(0)-1
		}),
		newSampleBug("long list", ints, rapidInts, func(v []int) bool { return len(v) >= 50 }),
		newSampleBug("empty list", ints, rapidInts, func(v []int) bool { return len(v) == 0 }),
		newSampleBug("one element", ints, rapidInts, func(v []int) bool { return len(v) == 1 }),
		newSampleBug("sorted list", ints, rapidInts, func(v []int) bool { return len(v) >= 7 && slices.IsSorted(v) }),
		newSampleBug("reversed list", ints, rapidInts, func(v []int) bool {
			return len(v) >= 7 && slices.IsSortedFunc(v, func(a, b int) int { return cmp.Compare(b, a) })
		}),
		newSampleBug("greatest integer", bigen.Int[int](), draws(rapid.Int()), func(x int) bool { return x+1 < x }),
		newSampleBug("least integers", bigen.ArrayOf[[2]int](bigen.Int[int]()), func(t *rapid.T) [2]int {
			return [2]int{rapid.Int().Draw(t, "a"), rapid.Int().Draw(t, "b")}
		}, func(x [2]int) bool { return x[0] == math.MinInt && x[1] == -1 }),
		newSampleBug("end of range", bigen.IntRange(1, 86_400), draws(rapid.IntRange(1, 86_400)), func(x int) bool { return x == 86_400 }),
		newSampleBug("equal integers", pair, rapidPair, func(p [2]int) bool { return p[0] == p[1] && p[0] > 100 }),
		newSampleBug("next integer", pair, rapidPair, func(p [2]int) bool { return p[0] == p[1]+1 && p[0] > 100 }),
		newSampleBug("equal strings", bigen.ArrayOf[[2]string](bigen.String(100)), func(t *rapid.T) [2]string {
			g := rapid.StringN(0, 100, -1)
			return [2]string{g.Draw(t, "a"), g.Draw(t, "b")}
		}, func(s [2]string) bool { return len(s[0]) >= 3 && s[0] == s[1] }),
		newSampleBug("deep nesting", genNest(), rapidNest, func(n *nest) bool { return n.depth() >= 12 }),
		newSampleBug("stack overflow", ops, rapidOps, overflows),
	}
}

func draws[A any](g *rapid.Generator[A]) func(t *rapid.T) A {
	return func(t *rapid.T) A { return g.Draw(t, "v") }
}

// Sets of integers, with three planted bugs: see sample_set.go.

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

func isSet(got *set, want []int) bool {
	slices.Sort(want)
	return slices.Equal(got.Keys(), slices.Compact(want))
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
		case o.Delete:
			if known {
				s.deleted = true
				keys[o.Key] = s
			}
		case known && s.deleted && s.value != o.Value:
			return true
		default:
			keys[o.Key] = state{value: o.Value}
		}
	}
	return false
}

// Records that have a key.

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

// clash reports whether two different records have the same key.
func clash(records []record) bool {
	byID := map[uint32]record{}
	for _, r := range records {
		if old, ok := byID[r.ID]; ok && r.ID > 100 && old.Name != r.Name {
			return true
		}
		byID[r.ID] = r
	}
	return false
}

// Arithmetic expressions.

type arith struct {
	Op   byte // 0 for a number
	N    int
	X, Y *arith
}

func (e *arith) any(ok func(*arith) bool) bool {
	return e != nil && (ok(e) || e.X.any(ok) || e.Y.any(ok))
}

func (e *arith) count(op byte) (n int) {
	e.any(func(e *arith) bool {
		if e.Op == op {
			n++
		}
		return false
	})
	return n
}

var arithOps = []byte("+-*/")

func genArith() bigen.Gen[*arith] {
	var expr bigen.Gen[*arith]
	self := bigen.Lazy(func() bigen.Gen[*arith] { return expr })
	alts := []bigen.Alt[*arith]{bigen.Tag("num", bigen.New(func(c *bigen.C, e *arith) {
		bigen.At(c, &e.N, bigen.IntRange(0, 99))
	})).Weight(6)}
	for _, op := range arithOps {
		alts = append(alts, bigen.Tag(string(op), bigen.New(func(c *bigen.C, e *arith) {
			e.Op = op
			bigen.At(c, &e.X, self)
			bigen.At(c, &e.Y, self)
		})))
	}
	expr = bigen.Pick(alts...)
	return expr
}

func rapidArith(t *rapid.T) *arith {
	op := rapid.IntRange(0, 9).Draw(t, "op")
	if op < 6 {
		return &arith{N: rapid.IntRange(0, 99).Draw(t, "n")}
	}
	return &arith{Op: arithOps[op-6], X: rapidArith(t), Y: rapidArith(t)}
}

// Nested lists.

type nest struct {
	N    int
	List []*nest
}

func (n *nest) depth() (d int) {
	for _, m := range n.List {
		d = max(d, 1+m.depth())
	}
	return d
}

func genNest() bigen.Gen[*nest] {
	var g bigen.Gen[*nest]
	self := bigen.Lazy(func() bigen.Gen[*nest] { return g })
	g = bigen.Pick(
		bigen.Tag("number", bigen.New(func(c *bigen.C, n *nest) { bigen.At(c, &n.N, bigen.Int[int]()) })).Weight(3),
		bigen.Tag("list", bigen.New(func(c *bigen.C, n *nest) { bigen.At(c, &n.List, bigen.SliceOf(self, 0, 4)) })),
	)
	return g
}

func rapidNest(t *rapid.T) *nest {
	if rapid.IntRange(0, 3).Draw(t, "list") > 0 {
		return &nest{N: rapid.Int().Draw(t, "n")}
	}
	return &nest{List: rapid.SliceOfN(rapid.Custom(rapidNest), 0, 4).Draw(t, "list")}
}

// overflows reports whether a stack that holds 12 overflows.
func overflows(ops []string) bool {
	height := 0
	for _, op := range ops {
		switch op {
		case "push":
			height++
		case "pop":
			height = max(0, height-1)
		}
		if height > 12 {
			return true
		}
	}
	return false
}
