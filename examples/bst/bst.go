// Package bst is a persistent set of integers in a binary search tree. It stands
// for the code that a user of Espalier tests: see bst_test.go for how.
package bst

// A Tree is a set of integers. The nil *Tree is the empty set. Trees are not
// changed once made: operations return new ones, which share parts with the old.
type Tree struct {
	L *Tree // what is below X
	X int
	R *Tree // what is above X
}

// Insert returns t with x.
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

// Delete returns t without x.
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

// join returns the union of t and u, all of which is above all of t.
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

// split returns what is below x in t and what is above.
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

// Keys returns the integers of t in the order in which they stand.
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
