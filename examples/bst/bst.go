// Package bst is a persistent set of integers in a binary search tree. It stands
// for the code of a user of Espalier; bst_test.go tests it.
package bst

// A Tree is a set of integers. The nil *Tree is the empty set. Operations do not
// change trees: they return new ones, which share parts with the old.
type Tree struct {
	L *Tree // keys below X
	X int
	R *Tree // keys above X
}

// Insert returns t with x added.
func (t *Tree) Insert(x int) *Tree {
	switch {
	case t == nil:
		return &Tree{X: x}
	case x < t.X:
		return &Tree{t.L.Insert(x), t.X, t.R}
	case x > t.X:
		return &Tree{t.L, t.X, t.R.Insert(x)}
	}
	return t
}

// Delete returns t with x removed.
func (t *Tree) Delete(x int) *Tree {
	switch {
	case t == nil:
		return nil
	case x < t.X:
		return &Tree{t.L.Delete(x), t.X, t.R}
	case x > t.X:
		return &Tree{t.L, t.X, t.R.Delete(x)}
	}
	return t.L.join(t.R)
}

// join returns the union of t and u. All of u is above all of t.
func (t *Tree) join(u *Tree) *Tree {
	if t == nil {
		return u
	}
	if u == nil {
		return t
	}
	return &Tree{t.L, t.X, &Tree{t.R.join(u.L), u.X, u.R}}
}

// Union returns the integers that are in t, in u or in both.
func (t *Tree) Union(u *Tree) *Tree {
	if t == nil {
		return u
	}
	if u == nil {
		return t
	}
	below, above := u.split(t.X)
	return &Tree{t.L.Union(below), t.X, t.R.Union(above)}
}

// split returns the parts of t below x and above x.
func (t *Tree) split(x int) (below, above *Tree) {
	switch {
	case t == nil:
		return nil, nil
	case x < t.X:
		below, above = t.L.split(x)
		return below, &Tree{above, t.X, t.R}
	case x > t.X:
		below, above = t.R.split(x)
		return &Tree{t.L, t.X, below}, above
	}
	return t.L, t.R
}

// Find reports whether x is in t.
func (t *Tree) Find(x int) bool {
	for t != nil && t.X != x {
		if x < t.X {
			t = t.L
		} else {
			t = t.R
		}
	}
	return t != nil
}

// Keys returns the integers of t from left to right.
func (t *Tree) Keys() []int {
	if t == nil {
		return nil
	}
	return append(append(t.L.Keys(), t.X), t.R.Keys()...)
}

// Valid reports whether t is a search tree of integers from lo to hi.
func (t *Tree) Valid(lo, hi int) bool {
	return t == nil || lo <= t.X && t.X <= hi && t.L.Valid(lo, t.X-1) && t.R.Valid(t.X+1, hi)
}
