package planted

// A Tree is a set of integers, as a search tree. The nil *Tree is the empty set. Trees are
// immutable.
type Tree struct {
	L *Tree // less than X
	X int
	R *Tree // greater than X
}

// Some methods take an integer that only the bugs need: how deep they are, or which turns they
// have taken.

// Insert returns t with x. Planted by bst-insert: if x is in the tree already, at level 15 or
// deeper, its subtrees are lost.
func (t *Tree) Insert(x int) *Tree { return t.insert(x, 0) }

func (t *Tree) insert(x, depth int) *Tree {
	switch {
	case t == nil:
		return &Tree{X: x}
	case x < t.X:
		return &Tree{t.L.insert(x, depth+1), t.X, t.R}
	case x > t.X:
		return &Tree{t.L, t.X, t.R.insert(x, depth+1)}
	}
	if planted == bstInsert && depth >= 15 {
		return &Tree{X: x}
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
	return t.L.join(t.R, 0)
}

// join returns the union of t and u, where all of u is greater than all of t. Planted by
// bst-delete: at level two or deeper, it loses one of two inner subtrees.
func (t *Tree) join(u *Tree, depth int) *Tree {
	if t == nil {
		return u
	}
	if u == nil {
		return t
	}
	inner := t.R.join(u.L, depth+1)
	if planted == bstDelete && depth >= 2 && t.R != nil {
		inner = t.R
	}
	return &Tree{t.L, t.X, &Tree{inner, u.X, u.R}}
}

// Union returns the integers that are in t, in u or in both.
func (t *Tree) Union(u *Tree) *Tree {
	if t == nil {
		return u
	}
	if u == nil {
		return t
	}
	below, above := u.split(t.X, 0)
	return &Tree{t.L.Union(below), t.X, t.R.Union(above)}
}

// split returns what is less than x in t and what is greater. Planted by bst-union: if the
// path to x ends with left, right, left, right, left and right, its greater subtree is lost.
func (t *Tree) split(x, turns int) (below, above *Tree) {
	switch {
	case t == nil:
		return nil, nil
	case x < t.X:
		below, above = t.L.split(x, turn(turns, false))
		return below, &Tree{above, t.X, t.R}
	case x > t.X:
		below, above = t.R.split(x, turn(turns, true))
		return &Tree{t.L, t.X, below}, above
	}
	if planted == bstUnion && turns >= 6 && turns%2 == 0 {
		return t.L, nil
	}
	return t.L, t.R
}

// turn returns how many of the last turns of a path alternate, beginning with left, after one
// more turn.
func turn(turns int, right bool) int {
	switch {
	case right == (turns%2 == 1):
		return turns + 1
	case right:
		return 0
	}
	return 1
}

// Floor returns the greatest integer of t that is at most x, and whether there is one.
// Planted by bst-floor: after nine turns to the left in a row, it forgets what it has found.
func (t *Tree) Floor(x int) (y int, ok bool) {
	lefts := 0
	for t != nil {
		switch {
		case x < t.X:
			t = t.L
			if lefts++; planted == bstFloor && lefts == 9 {
				ok = false
			}
		case x > t.X:
			y, ok = t.X, true
			t, lefts = t.R, 0
		default:
			return x, true
		}
	}
	return y, ok
}

// Keys returns the integers of t from left to right.
func (t *Tree) Keys() []int { return t.appendKeys(nil) }

func (t *Tree) appendKeys(keys []int) []int {
	if t == nil {
		return keys
	}
	return t.R.appendKeys(append(t.L.appendKeys(keys), t.X))
}
