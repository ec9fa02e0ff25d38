// Package rbt has ETNA's workload of red-black trees, with the insertion of Chris Okasaki and the
// deletion of Stefan Kahrs.
package rbt

import (
	"slices"

	"github.com/espalier-go/espalier/eval/bug"
	"github.com/espalier-go/espalier/eval/etna"
)

type node = etna.Node

var program = etna.Program{Name: "rbt", Colored: true, Insert: mutant("").insert, Valid: valid}

// Bugs are the mutants.
var Bugs = slices.Concat(
	insertion("insert_1", "insert replaces a tree by the new node"),
	insertion("insert_2", "insert takes a larger key for an equal one"),
	insertion("insert_3", "insert keeps the old value of a key"),
	insertion("miscolor_insert", "insert makes a black node"),
	insertion("no_balance_insert_1", "insert on the left does not balance"),
	insertion("no_balance_insert_2", "insert on the right does not balance, and blackens"),
	deletion("delete_4", "delete returns what is left of one side only"),
	deletion("delete_5", "delete searches on the wrong side"),
	deletion("miscolor_delete", "delete leaves a red root"),
	deletion("miscolor_balLeft", "delete on the left leaves the outer tree black"),
	deletion("miscolor_balRight", "delete on the right leaves the outer tree black"),
	deletion("miscolor_join_1", "delete joins red trees by black nodes"),
	deletion("miscolor_join_2", "delete joins black trees by red nodes"),
	insertion("swap_cd", "balance on the left swaps the two last trees"),
	insertion("swap_bc", "balance on the right swaps the two inner trees"),
)

func insertion(name, title string) []bug.Bug {
	return program.Insertion(name, title, mutant(name).insert)
}

func deletion(name, title string) []bug.Bug {
	return program.Deletion(name, title, mutant(name).remove)
}

// An empty tree is neither red nor black.
func red(t *node) bool   { return t != nil && t.Red }
func black(t *node) bool { return t != nil && !t.Red }

func valid(t *node) bool {
	_, ok := blacks(t)
	return ok && !red(t) && t.Sorted()
}

// blacks returns how many black nodes each path has, if all have as many and no red node has a red
// child.
func blacks(t *node) (n int, ok bool) {
	if t == nil {
		return 0, true
	}
	l, left := blacks(t.Left)
	r, right := blacks(t.Right)
	if !t.Red {
		l, r = l+1, r+1
	}
	return l, left && right && l == r && !(t.Red && (red(t.Left) || red(t.Right)))
}

// A mutant is a program with the bug of a name. "" has none.
type mutant string

func (m mutant) insert(t *node, key int, value bool) *node { return blacken(m.into(t, key, value)) }

// into returns t with the entry. Its root may be red, with one red child.
func (m mutant) into(t *node, key int, value bool) *node {
	switch {
	case t == nil:
		return &node{Red: m != "miscolor_insert", Key: key, Value: value}
	case m == "insert_1":
		return &node{Red: true, Key: key, Value: value}
	case key < t.Key && m == "no_balance_insert_1":
		return with(t.Red, m.into(t.Left, key, value), t, t.Right)
	case key < t.Key:
		return m.balance(t.Red, m.into(t.Left, key, value), t, t.Right)
	case key > t.Key && m == "no_balance_insert_2":
		return with(t.Red, t.Left, t, m.insert(t.Right, key, value))
	case key > t.Key && m != "insert_2":
		return m.balance(t.Red, t.Left, t, m.into(t.Right, key, value))
	case m == "insert_3":
		return t
	}
	return &node{Red: t.Red, Left: t.Left, Key: t.Key, Value: value, Right: t.Right}
}

// balance returns a node like t between l and r. If it is black and a red child has a red child, it
// rotates.
func (m mutant) balance(isRed bool, l, t, r *node) *node {
	switch {
	case isRed:
	case red(l) && red(l.Left):
		c, d := l.Right, r
		if m == "swap_cd" {
			c, d = d, c
		}
		return rotate(l.Left.Left, l.Left, l.Left.Right, l, c, t, d)
	case red(l) && red(l.Right):
		return rotate(l.Left, l, l.Right.Left, l.Right, l.Right.Right, t, r)
	case red(r) && red(r.Left):
		b, c := r.Left.Left, r.Left.Right
		if m == "swap_bc" {
			b, c = c, b
		}
		return rotate(l, t, b, r.Left, c, r, r.Right)
	case red(r) && red(r.Right):
		return rotate(l, t, r.Left, r, r.Right.Left, r.Right, r.Right.Right)
	}
	return with(isRed, l, t, r)
}

// rotate returns the nodes x, y and z, and the trees around them, with a red node on top of black
// ones.
func rotate(a, x, b, y, c, z, d *node) *node {
	return with(true, with(false, a, x, b), y, with(false, c, z, d))
}

func (m mutant) remove(t *node, key int) *node {
	t = m.from(t, key)
	if m == "miscolor_delete" {
		return t
	}
	return blacken(t)
}

// from returns t without the key. Of a black t, it has one black node less on each path.
func (m mutant) from(t *node, key int) *node {
	switch {
	case t == nil:
		return nil
	case key == t.Key:
		return m.join(t.Left, t.Right)
	}
	left := (key < t.Key) != (m == "delete_5")
	switch {
	case left && m == "delete_4":
		return m.from(t.Left, key)
	case m == "delete_4":
		return m.from(t.Right, key)
	case left && black(t.Left):
		return m.mendLeft(m.from(t.Left, key), t, t.Right)
	case left:
		return with(true, m.from(t.Left, key), t, t.Right)
	case black(t.Right):
		return m.mendRight(t.Left, t, m.from(t.Right, key))
	}
	return with(true, t.Left, t, m.from(t.Right, key))
}

// mendLeft returns a node like t between l and r, where l has one black node less on each path.
func (m mutant) mendLeft(l, t, r *node) *node {
	switch {
	case red(l):
		return with(true, blacken(l), t, r)
	case black(r):
		return m.balance(false, l, t, redden(r))
	case red(r) && black(r.Left):
		outer := r.Right
		if m != "miscolor_balLeft" {
			outer = redden(outer)
		}
		return with(true, with(false, l, t, r.Left.Left), r.Left,
			m.balance(false, r.Left.Right, r, outer))
	}
	panic("no black node on the right")
}

// mendRight is mendLeft for an r that has less.
func (m mutant) mendRight(l, t, r *node) *node {
	switch {
	case red(r):
		return with(true, l, t, blacken(r))
	case black(l):
		return m.balance(false, redden(l), t, r)
	case red(l) && black(l.Right):
		outer := l.Left
		if m != "miscolor_balRight" {
			outer = redden(outer)
		}
		return with(true, m.balance(false, outer, l, l.Right.Left), l.Right,
			with(false, l.Right.Right, t, r))
	}
	panic("no black node on the left")
}

// join returns the tree of the two sides of a node that is deleted.
func (m mutant) join(l, r *node) *node {
	switch {
	case l == nil:
		return r
	case r == nil:
		return l
	case l.Red && !r.Red:
		return with(true, l.Left, l, m.join(l.Right, r))
	case !l.Red && r.Red:
		return with(true, m.join(l, r.Left), r, r.Right)
	}
	inner := m.join(l.Right, r.Left)
	switch {
	case red(inner):
		outer := l.Red
		if outer && m == "miscolor_join_1" || !outer && m == "miscolor_join_2" {
			outer = !outer
		}
		return with(true, with(outer, l.Left, l, inner.Left), inner, with(outer, inner.Right, r, r.Right))
	case l.Red:
		return with(true, l.Left, l, with(true, inner, r, r.Right))
	}
	return m.mendLeft(l.Left, l, with(false, inner, r, r.Right))
}

// with returns a node like t, of a color, between l and r.
func with(red bool, l, t, r *node) *node { return t.With(red, l, r) }

func blacken(t *node) *node {
	if t == nil {
		return nil
	}
	return with(false, t.Left, t, t.Right)
}

func redden(t *node) *node {
	if !black(t) {
		panic("no black node to redden")
	}
	return with(true, t.Left, t, t.Right)
}
