// Package bst has ETNA's workload of binary search program. Its mutants come from John Hughes, How
// to Specify It!, 2019.
package bst

import (
	"slices"

	"github.com/espalier-go/espalier/eval/bug"
	"github.com/espalier-go/espalier/eval/etna"
)

type node = etna.Node

var program = etna.Program{Name: "bst", Insert: mutant("").insert, Valid: (*node).Sorted}

// Bugs are the mutants.
var Bugs = slices.Concat(
	insertion("insert_1", "insert returns a tree of the new node alone"),
	insertion("insert_2", "insert takes a larger key for an equal one"),
	insertion("insert_3", "insert keeps the old value of a key"),
	deletion("delete_4", "delete returns what is left of one side only"),
	deletion("delete_5", "delete searches on the wrong side"),
	union("union_6", "union takes all keys of its first tree for smaller"),
	union("union_7", "union compares only the keys of the roots"),
	union("union_8", "union forgets that values of its first tree win"),
)

func insertion(name, title string) []bug.Bug {
	return program.Insertion(name, title, mutant(name).insert)
}

func deletion(name, title string) []bug.Bug {
	return program.Deletion(name, title, mutant(name).remove)
}

func union(name, title string) []bug.Bug { return program.Union(name, title, mutant(name).union) }

// A mutant is a program with the bug of a name. "" has none.
type mutant string

func (m mutant) insert(t *node, key int, value bool) *node {
	switch {
	case t == nil, m == "insert_1":
		return &node{Key: key, Value: value}
	case key < t.Key:
		return with(m.insert(t.Left, key, value), t, t.Right)
	case key > t.Key && m != "insert_2":
		return with(t.Left, t, m.insert(t.Right, key, value))
	case m == "insert_3":
		return t
	}
	return &node{Left: t.Left, Key: t.Key, Value: value, Right: t.Right}
}

func (m mutant) remove(t *node, key int) *node {
	switch {
	case t == nil:
		return nil
	case key == t.Key:
		return join(t.Left, t.Right)
	}
	left := (key < t.Key) != (m == "delete_5")
	switch {
	case left && m == "delete_4":
		return m.remove(t.Left, key)
	case m == "delete_4":
		return m.remove(t.Right, key)
	case left:
		return with(m.remove(t.Left, key), t, t.Right)
	}
	return with(t.Left, t, m.remove(t.Right, key))
}

// join returns the tree of two, where each key of l is less than each of r.
func join(l, r *node) *node {
	switch {
	case l == nil:
		return r
	case r == nil:
		return l
	}
	return with(l.Left, l, with(join(l.Right, r.Left), r, r.Right))
}

func (m mutant) union(a, b *node) *node {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case m != "union_6" && m != "union_7" && m != "union_8":
		return with(m.union(a.Left, below(b, a.Key)), a, m.union(a.Right, above(b, a.Key)))
	case m == "union_6", m == "union_7" && a.Key < b.Key:
		return with(a.Left, a, with(m.union(a.Right, b.Left), b, b.Right))
	case a.Key < b.Key:
		return with(m.union(a.Left, below(b.Left, a.Key)), a,
			m.union(a.Right, with(above(b.Left, a.Key), b, b.Right)))
	case a.Key > b.Key:
		return m.union(b, a)
	}
	return with(m.union(a.Left, b.Left), a, m.union(a.Right, b.Right))
}

// below returns the part of t with keys less than key.
func below(t *node, key int) *node {
	switch {
	case t == nil:
		return nil
	case t.Key >= key:
		return below(t.Left, key)
	}
	return with(t.Left, t, below(t.Right, key))
}

// above returns the part of t with keys greater than key.
func above(t *node, key int) *node {
	switch {
	case t == nil:
		return nil
	case t.Key <= key:
		return above(t.Right, key)
	}
	return with(above(t.Left, key), t, t.Right)
}

// with returns a node like t between l and r.
func with(l, t, r *node) *node { return t.With(false, l, r) }
