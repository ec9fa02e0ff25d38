// Package guidebugs has red-black trees, a generator that knows little of them, and bugs to
// find with it under [fuzzext.T.Assume].
package guidebugs

import (
	"cmp"
	"math"
	"slices"

	"github.com/espalier-go/espalier/bigen"
)

// A RedBlack is a red-black tree, or nil: a leaf.
type RedBlack struct {
	Red        bool
	Left       *RedBlack
	Key, Value int
	Right      *RedBlack
}

// An Edit is a tree with what to insert into it, and to delete from it.
type Edit struct {
	Tree       *RedBlack
	Key, Value int
}

const maxKey = 25

func genRedBlack() (g bigen.Gen[*RedBlack]) {
	self := bigen.Lazy(func() bigen.Gen[*RedBlack] { return g })
	g = bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[RedBlack]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *RedBlack) {
			bigen.At(c, &t.Red, bigen.Bool())
			bigen.At(c, &t.Left, self)
			bigen.At(c, &t.Key, bigen.IntRange(-maxKey, maxKey))
			bigen.At(c, &t.Value, bigen.Int[int]())
			bigen.At(c, &t.Right, self)
		})),
	)
	return g
}

// Gen makes edits. It knows nothing of order, colors or balance.
var Gen = func() bigen.Gen[Edit] {
	tree := genRedBlack()
	return bigen.Struct(func(c *bigen.C, e *Edit) {
		bigen.At(c, &e.Tree, tree)
		bigen.At(c, &e.Key, bigen.IntRange(-maxKey, maxKey))
		bigen.At(c, &e.Value, bigen.Int[int]())
	})
}()

// Valid reports whether t is a search tree with a black root in which no red node has a red
// child and all paths down have equally many black nodes.
func (t *RedBlack) Valid() bool {
	if t.red() {
		return false
	}
	_, ok := t.blacks(math.MinInt, math.MaxInt)
	return ok
}

func (t *RedBlack) blacks(lo, hi int) (height int, ok bool) {
	if t == nil {
		return 0, true
	}
	if t.Key <= lo || t.Key >= hi || t.Red && (t.Left.red() || t.Right.red()) {
		return 0, false
	}
	l, lok := t.Left.blacks(lo, t.Key)
	r, rok := t.Right.blacks(t.Key, hi)
	if !t.Red {
		height = 1
	}
	return height + l, lok && rok && l == r
}

func (t *RedBlack) red() bool   { return t != nil && t.Red }
func (t *RedBlack) black() bool { return t != nil && !t.Red }

// Size returns the number of nodes.
func (t *RedBlack) Size() int {
	if t == nil {
		return 0
	}
	return 1 + t.Left.Size() + t.Right.Size()
}

type entry struct{ key, value int }

func (t *RedBlack) entries(all []entry) []entry {
	if t == nil {
		return all
	}
	return t.Right.entries(append(t.Left.entries(all), entry{t.Key, t.Value}))
}

// Finds reports whether an edit shows a bug of [Bugs].
func (e Edit) Finds(bug string) bool {
	m := mutant(bug)
	model := e.Tree.entries(nil)
	at, found := slices.BinarySearchFunc(model, e.Key, func(x entry, key int) int {
		return cmp.Compare(x.key, key)
	})
	end := at
	if found {
		end++
	}
	return !e.is(m.insert(e.Tree, e.Key, e.Value),
		slices.Concat(model[:at], []entry{{e.Key, e.Value}}, model[end:])) ||
		!e.is(m.delete(e.Tree, e.Key), slices.Concat(model[:at], model[end:]))
}

// Finds reports whether an edit of t, at its keys or beside them, shows a bug of [Bugs] or [Rare].
func (t *RedBlack) Finds(bug string) bool {
	all := []int{0}
	for _, e := range t.entries(nil) {
		all = append(all, e.key-1, e.key, e.key+1)
	}
	return slices.ContainsFunc(all, func(key int) bool { return Edit{t, key, 1}.Finds(bug) })
}

func (e Edit) is(t *RedBlack, model []entry) bool {
	return t.Valid() && slices.Equal(t.entries(nil), model)
}

// Example returns an edit of a tree with so many nodes.
func Example(nodes int) Edit {
	e := Edit{}
	for key := range nodes {
		e.Tree = mutant("").insert(e.Tree, 2*key, key)
	}
	return e
}
