package mutants

import (
	"cmp"
	"slices"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
)

var trees = New(Spec[treeCase]{
	Name: "trees",
	Bugs: []string{
		"insert: leaf is replaced", "insert: equal goes left", "insert: old value stays",
		"insert: sides are swapped", "insert: right of equal is lost",
		"insert: same value on top drops the other side",
		"insert: zero key goes nowhere",

		"delete: takes the left only", "delete: only leaves", "delete: only what has one side",
		"delete: successor stays",
		"delete: right of successor is lost", "delete: old value stays", "delete: never the root",

		"find: not below depth 6", "find: zero value is absent", "find: last key is absent",
		"floor: equal is too large", "floor: no return from the right",
		"ceiling: equal is too small", "ceiling: no return from the left",

		"split: equal goes left", "split: inner part is lost on the left",
		"split: inner part is lost on the right",
		"union: b wins", "union: equal roots drop the left of b", "union: single nodes of b are lost",

		"rank: counts the key itself", "rank: skips left sides",
	},
	Valid: func(c treeCase) bool { return c.A.sorted(0, lastKey) && c.B.sorted(0, lastKey) },
	Fails: func(bug string, c treeCase) bool { return tree(bug).fails(c) },

	Built: genTreeCase(genNode(0, lastKey)),
	Naive: genTreeCase(genAnyNode()),
	RapidBuilt: func(t *rapid.T) treeCase {
		return rapidTreeCase(t, rapidNode(t, 0, lastKey), rapidNode(t, 0, lastKey))
	},
	RapidNaive: func(t *rapid.T) treeCase {
		return rapidTreeCase(t, rapidAnyNode(t), rapidAnyNode(t))
	},
})

func genTreeCase(n bigen.Gen[*node]) bigen.Gen[treeCase] {
	return bigen.Struct(func(c *bigen.C, t *treeCase) {
		bigen.At(c, &t.A, n)
		bigen.At(c, &t.B, n)
		bigen.At(c, &t.Key, bigen.IntRange(0, lastKey))
		bigen.At(c, &t.Value, bigen.Int[int]())
	})
}

func rapidTreeCase(t *rapid.T, a, b *node) treeCase {
	return treeCase{a, b, rapid.IntRange(0, lastKey).Draw(t, "key"), rapid.Int().Draw(t, "value")}
}

const lastKey = 99

// A node is a binary search tree, or nil: an empty one.
type node struct {
	Left       *node
	Key, Value int
	Right      *node
}

type treeCase struct {
	A, B       *node
	Key, Value int
}

func genNode(lo, hi int) bigen.Gen[*node] {
	if lo > hi {
		return bigen.Nil[node]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[node]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, n *node) {
			bigen.At(c, &n.Key, bigen.IntRange(lo, hi))
			bigen.At(c, &n.Value, bigen.Int[int]())
			bigen.At(c, &n.Left, genNode(lo, n.Key-1))
			bigen.At(c, &n.Right, genNode(n.Key+1, hi))
		})).Weight(3),
	)
}

func rapidNode(t *rapid.T, lo, hi int) *node {
	if lo > hi || rapid.IntRange(0, 3).Draw(t, "node") == 0 {
		return nil
	}
	key := rapid.IntRange(lo, hi).Draw(t, "key")
	return &node{
		Key:   key,
		Value: rapid.Int().Draw(t, "value"),
		Left:  rapidNode(t, lo, key-1),
		Right: rapidNode(t, key+1, hi),
	}
}

func genAnyNode() (g bigen.Gen[*node]) {
	self := bigen.Lazy(func() bigen.Gen[*node] { return g })
	g = bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[node]()).Weight(3),
		bigen.Tag("node", bigen.New(func(c *bigen.C, n *node) {
			bigen.At(c, &n.Key, bigen.IntRange(0, lastKey))
			bigen.At(c, &n.Value, bigen.Int[int]())
			bigen.At(c, &n.Left, self)
			bigen.At(c, &n.Right, self)
		})).Weight(2),
	)
	return g
}

func rapidAnyNode(t *rapid.T) *node {
	if rapid.IntRange(0, 4).Draw(t, "node") > 1 {
		return nil
	}
	return &node{
		Key:   rapid.IntRange(0, lastKey).Draw(t, "key"),
		Value: rapid.Int().Draw(t, "value"),
		Left:  rapidAnyNode(t),
		Right: rapidAnyNode(t),
	}
}

func (n *node) sorted(lo, hi int) bool {
	return n == nil || lo <= n.Key && n.Key <= hi && n.Left.sorted(lo, n.Key-1) &&
		n.Right.sorted(n.Key+1, hi)
}

func (n *node) leaf() bool { return n.Left == nil && n.Right == nil }

func (n *node) size() int {
	if n == nil {
		return 0
	}
	return n.Left.size() + 1 + n.Right.size()
}

type entry struct{ key, value int }

func (n *node) entries(all []entry) []entry {
	if n == nil {
		return all
	}
	return n.Right.entries(append(n.Left.entries(all), entry{n.Key, n.Value}))
}

func (n *node) is(model []entry) bool {
	return n.sorted(0, lastKey) && slices.Equal(n.entries(nil), model)
}

func position(model []entry, key int) (at, end int) {
	at, found := slices.BinarySearchFunc(model, key, func(e entry, key int) int {
		return cmp.Compare(e.key, key)
	})
	if found {
		return at, at + 1
	}
	return at, at
}

// A tree implements maps by search trees.
type tree string

func (m tree) fails(c treeCase) bool {
	a, b := c.A.entries(nil), c.B.entries(nil)
	at, end := position(a, c.Key)

	if !m.insert(c.A, c.Key, c.Value).is(slices.Concat(a[:at], []entry{{c.Key, c.Value}}, a[end:])) ||
		!m.delete(c.A, c.Key).is(slices.Concat(a[:at], a[end:])) {
		return true
	}
	n := m.find(c.A, c.Key, 0)
	if (n != nil) != (end > at) || n != nil && n.Value != a[at].value {
		return true
	}
	n = m.floor(c.A, c.Key)
	if (n != nil) != (end > 0) || n != nil && n.Key != a[end-1].key {
		return true
	}
	n = m.ceiling(c.A, c.Key)
	if (n != nil) != (at < len(a)) || n != nil && n.Key != a[at].key {
		return true
	}
	l, _, r := m.split(c.A, c.Key)
	if !l.is(a[:at]) || !r.is(a[end:]) || m.rank(c.A, c.Key) != at {
		return true
	}
	union := slices.Clone(a)
	for _, e := range b {
		if at, end := position(union, e.key); at == end {
			union = slices.Insert(union, at, e)
		}
	}
	return !m.union(c.A, c.B).is(union)
}

func (m tree) insert(n *node, key, value int) *node {
	switch {
	case n == nil && m == "insert: zero key goes nowhere" && key == 0:
		return nil
	case n == nil, m == "insert: leaf is replaced" && n.leaf():
		return &node{Key: key, Value: value}
	case m == "insert: same value on top drops the other side" && value == n.Value && key < n.Key:
		return &node{m.insert(n.Left, key, value), n.Key, n.Value, nil}
	case (key < n.Key) != (m == "insert: sides are swapped") && key != n.Key,
		m == "insert: equal goes left" && key == n.Key:
		return &node{m.insert(n.Left, key, value), n.Key, n.Value, n.Right}
	case key != n.Key:
		return &node{n.Left, n.Key, n.Value, m.insert(n.Right, key, value)}
	case m == "insert: old value stays":
		return n
	case m == "insert: right of equal is lost":
		return &node{n.Left, key, value, nil}
	}
	return &node{n.Left, key, value, n.Right}
}

func (m tree) delete(n *node, key int) *node {
	if m == "delete: never the root" && n != nil && n.Key == key {
		return n
	}
	return m.from(n, key)
}

func (m tree) from(n *node, key int) *node {
	switch {
	case n == nil:
		return nil
	case key < n.Key:
		return &node{m.from(n.Left, key), n.Key, n.Value, n.Right}
	case key > n.Key:
		return &node{n.Left, n.Key, n.Value, m.from(n.Right, key)}
	case m == "delete: takes the left only":
		return n.Left
	case m == "delete: only leaves" && !n.leaf(),
		m == "delete: only what has one side" && n.Left != nil && n.Right != nil:
		return n
	case n.Left == nil:
		return n.Right
	case n.Right == nil:
		return n.Left
	}
	next := n.Right
	for next.Left != nil {
		next = next.Left
	}
	right := n.Right
	if m != "delete: successor stays" {
		right = m.withoutFirst(right)
	}
	if m == "delete: old value stays" {
		return &node{n.Left, next.Key, n.Value, right}
	}
	return &node{n.Left, next.Key, next.Value, right}
}

func (m tree) withoutFirst(n *node) *node {
	switch {
	case n.Left != nil:
		return &node{m.withoutFirst(n.Left), n.Key, n.Value, n.Right}
	case m == "delete: right of successor is lost":
		return nil
	}
	return n.Right
}

func (m tree) find(n *node, key, depth int) *node {
	switch {
	case n == nil, m == "find: not below depth 6" && depth > 6,
		m == "find: last key is absent" && key == lastKey:
		return nil
	case key < n.Key:
		return m.find(n.Left, key, depth+1)
	case key > n.Key:
		return m.find(n.Right, key, depth+1)
	case m == "find: zero value is absent" && n.Value == 0:
		return nil
	}
	return n
}

func (m tree) floor(n *node, key int) *node {
	switch {
	case n == nil:
		return nil
	case key < n.Key, m == "floor: equal is too large" && key == n.Key:
		return m.floor(n.Left, key)
	}
	if below := m.floor(n.Right, key); below != nil ||
		m == "floor: no return from the right" && n.Right != nil {
		return below
	}
	return n
}

func (m tree) ceiling(n *node, key int) *node {
	switch {
	case n == nil:
		return nil
	case key > n.Key, m == "ceiling: equal is too small" && key == n.Key:
		return m.ceiling(n.Right, key)
	}
	if above := m.ceiling(n.Left, key); above != nil ||
		m == "ceiling: no return from the left" && n.Left != nil {
		return above
	}
	return n
}

// split returns the trees of what is less and greater, and the node of the key.
func (m tree) split(n *node, key int) (l, at, r *node) {
	switch {
	case n == nil:
		return nil, nil, nil
	case key < n.Key:
		l, at, r = m.split(n.Left, key)
		if m == "split: inner part is lost on the left" {
			r = nil
		}
		return l, at, &node{r, n.Key, n.Value, n.Right}
	case key > n.Key:
		l, at, r = m.split(n.Right, key)
		if m == "split: inner part is lost on the right" {
			l = nil
		}
		return &node{n.Left, n.Key, n.Value, l}, at, r
	case m == "split: equal goes left":
		return &node{n.Left, n.Key, n.Value, nil}, n, n.Right
	}
	return n.Left, n, n.Right
}

func (m tree) union(a, b *node) *node {
	switch {
	case a == nil:
		return b
	case b == nil, m == "union: single nodes of b are lost" && b.leaf() && !a.leaf():
		return a
	}
	l, at, r := tree("").split(b, a.Key)
	if m == "union: equal roots drop the left of b" && a.Key == b.Key {
		l = nil
	}
	value := a.Value
	if m == "union: b wins" && at != nil {
		value = at.Value
	}
	return &node{m.union(a.Left, l), a.Key, value, m.union(a.Right, r)}
}

// rank returns how many keys are less.
func (m tree) rank(n *node, key int) int {
	switch {
	case n == nil:
		return 0
	case key < n.Key:
		return m.rank(n.Left, key)
	case key == n.Key:
		if m == "rank: counts the key itself" {
			return n.Left.size() + 1
		}
		return n.Left.size()
	case m == "rank: skips left sides":
		return 1 + m.rank(n.Right, key)
	}
	return n.Left.size() + 1 + m.rank(n.Right, key)
}
