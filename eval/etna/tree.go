package etna

import (
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
)

// Keys are from 0 to lastKey. A list of insertions has up to mostEntries. A naive tree has up to
// depth nodes on a path.
const (
	lastKey     = 99
	mostEntries = 30
	depth       = 5
)

// A Node is a tree, or nil: an empty one. Red is for programs that color nodes.
type Node struct {
	Red   bool
	Left  *Node
	Key   int
	Value bool
	Right *Node
}

// An entry is a key of a tree, and its value.
type entry struct {
	Key   int
	Value bool
}

var (
	genEntry = bigen.Struct(func(c *bigen.C, e *entry) {
		bigen.At(c, &e.Key, bigen.IntRange(0, lastKey))
		bigen.At(c, &e.Value, bigen.Bool())
	})
	rapidEntry = rapid.Custom(func(t *rapid.T) entry {
		return entry{rapid.IntRange(0, lastKey).Draw(t, "key"), rapid.Bool().Draw(t, "value")}
	})
)

// genNode makes trees, sorted or not.
func genNode(depth int, colored bool) bigen.Gen[*Node] {
	if depth == 0 {
		return bigen.Nil[Node]()
	}
	sub := genNode(depth-1, colored)
	return bigen.Pick(bigen.Tag("leaf", bigen.Nil[Node]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, n *Node) {
			if colored {
				bigen.At(c, &n.Red, bigen.Bool())
			}
			bigen.At(c, &n.Left, sub)
			bigen.At(c, &n.Key, bigen.IntRange(0, lastKey))
			bigen.At(c, &n.Value, bigen.Bool())
			bigen.At(c, &n.Right, sub)
		})))
}

// rapidNode makes the same by rapid.
func rapidNode(depth int, colored bool) *rapid.Generator[*Node] {
	leaf := rapid.Just[*Node](nil)
	if depth == 0 {
		return leaf
	}
	sub := rapidNode(depth-1, colored)
	return rapid.OneOf(leaf, rapid.Custom(func(t *rapid.T) *Node {
		red := colored && rapid.Bool().Draw(t, "red")
		return &Node{red, sub.Draw(t, "left"), rapid.IntRange(0, lastKey).Draw(t, "key"),
			rapid.Bool().Draw(t, "value"), sub.Draw(t, "right")}
	}))
}

// Sorted reports whether keys are in order, and in the range of keys.
func (n *Node) Sorted() bool { return n.within(0, lastKey) }

func (n *Node) within(lo, hi int) bool {
	return n == nil || lo <= n.Key && n.Key <= hi && n.Left.within(lo, n.Key-1) &&
		n.Right.within(n.Key+1, hi)
}

// entries returns all, followed by the entries of n from left to right.
func (n *Node) entries(all []entry) []entry {
	if n == nil {
		return all
	}
	return n.Right.entries(append(n.Left.entries(all), entry{n.Key, n.Value}))
}

// With returns a node like n, of a color, between l and r.
func (n *Node) With(red bool, l, r *Node) *Node { return &Node{red, l, n.Key, n.Value, r} }
