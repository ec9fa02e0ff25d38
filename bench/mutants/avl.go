package mutants

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
)

var avls = New(Spec[avlCase]{
	Name: "avl",
	Bugs: []string{
		"insert: equal goes right", "insert: left is not balanced", "insert: right is not balanced", "insert: leaf is replaced",

		"balance: no left left", "balance: no left right", "balance: no right left", "balance: no right right",
		"balance: left left swaps", "balance: left right swaps", "balance: right left swaps", "balance: right right swaps",
		"balance: left right rotates once", "balance: right left rotates once",
		"balance: even left rotates twice", "balance: even right rotates twice", "balance: only from a difference of three",

		"delete: left is not balanced", "delete: right is not balanced", "delete: joined is not balanced",
		"delete: path to the first is not balanced", "delete: first stays", "delete: never a root of both sides", "delete: least key stays",
	},
	Valid: func(c avlCase) bool { return c.Tree.valid(0, lastKey) },
	Fails: func(bug string, c avlCase) bool { return avl(bug).fails(c) },

	Built: bigen.Struct(func(c *bigen.C, v *avlCase) {
		bigen.At(c, &v.Tree, genAVL)
		bigen.At(c, &v.Key, bigen.IntRange(0, lastKey))
	}),
	Naive: func() bigen.Gen[avlCase] {
		b := genAnyBranch()
		return bigen.Struct(func(c *bigen.C, v *avlCase) {
			bigen.At(c, &v.Tree, b)
			bigen.At(c, &v.Key, bigen.IntRange(0, lastKey))
		})
	}(),
	RapidBuilt: func(t *rapid.T) avlCase {
		return avlCase{rapidBranch(t, rapid.IntRange(0, maxHeight).Draw(t, "height"), 0, lastKey), rapid.IntRange(0, lastKey).Draw(t, "key")}
	},
	RapidNaive: func(t *rapid.T) avlCase {
		return avlCase{rapidAnyBranch(t), rapid.IntRange(0, lastKey).Draw(t, "key")}
	},
})

// A branch is a balanced search tree, or nil: an empty one.
type branch struct {
	Left  *branch
	Key   int
	Right *branch
}

type avlCase struct {
	Tree *branch
	Key  int
}

const maxHeight = 5

type tall struct {
	Height int
	Tree   *branch
}

var genAVL = bigen.Iso(bigen.Struct(func(c *bigen.C, t *tall) {
	bigen.At(c, &t.Height, bigen.IntRange(0, maxHeight))
	bigen.At(c, &t.Tree, genBranch(t.Height, 0, lastKey))
}), func(t tall) *branch { return t.Tree }, func(b *branch) (tall, bool) { return tall{b.height(), b}, true })

// genBranch makes trees of a height. A tag says how high the sides are.
func genBranch(height, lo, hi int) bigen.Gen[*branch] {
	sides := func(left, right int) bigen.Gen[*branch] {
		return bigen.New(func(c *bigen.C, b *branch) {
			bigen.At(c, &b.Key, bigen.IntRange(lo+room(left), hi-room(right)))
			bigen.At(c, &b.Left, genBranch(left, lo, b.Key-1))
			bigen.At(c, &b.Right, genBranch(right, b.Key+1, hi))
		})
	}
	switch height {
	case 0:
		return bigen.Nil[branch]()
	case 1:
		return sides(0, 0)
	}
	return bigen.Pick(
		bigen.Tag("even", sides(height-1, height-1)),
		bigen.Tag("left", sides(height-1, height-2)),
		bigen.Tag("right", sides(height-2, height-1)),
	)
}

// room returns how many keys a tree of a height may need.
func room(height int) int { return 1<<height - 1 }

func rapidBranch(t *rapid.T, height, lo, hi int) *branch {
	if height == 0 {
		return nil
	}
	left, right := height-1, height-1
	if height > 1 {
		switch rapid.IntRange(0, 2).Draw(t, "sides") {
		case 1:
			right--
		case 2:
			left--
		}
	}
	key := rapid.IntRange(lo+room(left), hi-room(right)).Draw(t, "key")
	return &branch{rapidBranch(t, left, lo, key-1), key, rapidBranch(t, right, key+1, hi)}
}

func genAnyBranch() (g bigen.Gen[*branch]) {
	self := bigen.Lazy(func() bigen.Gen[*branch] { return g })
	g = bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[branch]()).Weight(3),
		bigen.Tag("node", bigen.New(func(c *bigen.C, b *branch) {
			bigen.At(c, &b.Key, bigen.IntRange(0, lastKey))
			bigen.At(c, &b.Left, self)
			bigen.At(c, &b.Right, self)
		})).Weight(2),
	)
	return g
}

func rapidAnyBranch(t *rapid.T) *branch {
	if rapid.IntRange(0, 4).Draw(t, "node") > 1 {
		return nil
	}
	return &branch{Key: rapid.IntRange(0, lastKey).Draw(t, "key"), Left: rapidAnyBranch(t), Right: rapidAnyBranch(t)}
}

func (b *branch) height() int {
	if b == nil {
		return 0
	}
	return 1 + max(b.Left.height(), b.Right.height())
}

func (b *branch) valid(lo, hi int) bool {
	return b == nil || lo <= b.Key && b.Key <= hi && b.lean() >= -1 && b.lean() <= 1 && b.Left.valid(lo, b.Key-1) && b.Right.valid(b.Key+1, hi)
}

// lean is positive if the left is higher.
func (b *branch) lean() int {
	if b == nil {
		return 0
	}
	return b.Left.height() - b.Right.height()
}

func (b *branch) keys(all []int) []int {
	if b == nil {
		return all
	}
	return b.Right.keys(append(b.Left.keys(all), b.Key))
}

// An avl implements sets by trees whose sides differ by at most one in height.
type avl string

func (m avl) fails(c avlCase) bool {
	is := func(b *branch, keys []int) bool { return b.valid(0, lastKey) && slices.Equal(b.keys(nil), keys) }
	keys := c.Tree.keys(nil)
	at, found := slices.BinarySearch(keys, c.Key)
	end := at
	if found {
		end++
	}
	return !is(m.insert(c.Tree, c.Key), slices.Concat(keys[:at], []int{c.Key}, keys[end:])) ||
		!is(m.delete(c.Tree, c.Key), slices.Concat(keys[:at], keys[end:]))
}

func (m avl) insert(b *branch, key int) *branch {
	switch {
	case b == nil, m == "insert: leaf is replaced" && b.Left == nil && b.Right == nil:
		return &branch{Key: key}
	case key < b.Key:
		return m.balance("insert: left is not balanced", m.insert(b.Left, key), b.Key, b.Right)
	case key > b.Key, m == "insert: equal goes right":
		return m.balance("insert: right is not balanced", b.Left, b.Key, m.insert(b.Right, key))
	}
	return b
}

func (m avl) delete(b *branch, key int) *branch {
	switch {
	case b == nil:
		return nil
	case key < b.Key:
		return m.balance("delete: left is not balanced", m.delete(b.Left, key), b.Key, b.Right)
	case key > b.Key:
		return m.balance("delete: right is not balanced", b.Left, b.Key, m.delete(b.Right, key))
	case m == "delete: least key stays" && key == 0:
		return b
	case b.Left == nil:
		return b.Right
	case b.Right == nil:
		return b.Left
	case m == "delete: never a root of both sides" && b.lean() == 0 && b.height() > 3:
		return b
	}
	first := b.Right
	for first.Left != nil {
		first = first.Left
	}
	right := b.Right
	if m != "delete: first stays" {
		right = m.withoutFirst(right)
	}
	return m.balance("delete: joined is not balanced", b.Left, first.Key, right)
}

func (m avl) withoutFirst(b *branch) *branch {
	if b.Left == nil {
		return b.Right
	}
	return m.balance("delete: path to the first is not balanced", m.withoutFirst(b.Left), b.Key, b.Right)
}

// balance makes a tree of sides that differ by at most two in height, except with a bug.
func (m avl) balance(bug string, l *branch, key int, r *branch) *branch {
	b := &branch{l, key, r}
	lean := b.lean()
	switch {
	case string(m) == bug, lean >= -1 && lean <= 1, m == "balance: only from a difference of three" && lean >= -2 && lean <= 2:
		return b
	case lean > 1:
		if inner := l.lean(); inner < 0 && m != "balance: left right rotates once" || inner == 0 && m == "balance: even left rotates twice" && l.Right != nil {
			if m == "balance: no left right" {
				return b
			}
			return m.rotate("balance: left right swaps", l.Left, l.Key, l.Right.Left, l.Right.Key, l.Right.Right, key, r)
		}
		if m == "balance: no left left" {
			return b
		}
		return m.rotate("balance: left left swaps", l.Left.Left, l.Left.Key, l.Left.Right, l.Key, l.Right, key, r)
	}
	if inner := r.lean(); inner > 0 && m != "balance: right left rotates once" || inner == 0 && m == "balance: even right rotates twice" && r.Left != nil {
		if m == "balance: no right left" {
			return b
		}
		return m.rotate("balance: right left swaps", l, key, r.Left.Left, r.Left.Key, r.Left.Right, r.Key, r.Right)
	}
	if m == "balance: no right right" {
		return b
	}
	return m.rotate("balance: right right swaps", l, key, r.Left, r.Key, r.Right.Left, r.Right.Key, r.Right.Right)
}

// rotate makes a tree of the subtrees p, q, r and s and the keys between.
func (m avl) rotate(swaps string, p *branch, x int, q *branch, y int, r *branch, z int, s *branch) *branch {
	if string(m) == swaps {
		q, r = r, q
	}
	return &branch{&branch{p, x, q}, y, &branch{r, z, s}}
}
