package planted

// A Tree is a search tree, a set of integers. The nil *Tree is the empty set. Trees
// are not changed once made.
type Tree struct {
	L *Tree // what is below X
	X int
	R *Tree // what is above X
}

// Insert returns t with x. Planted by bst-insert: if x is in the tree already, all
// below it is lost.
func (t *Tree) Insert(x int) *Tree {
	switch {
	case t == nil:
		return &Tree{X: x}
	case x < t.X:
		return &Tree{t.L.Insert(x), t.X, t.R}
	case x > t.X:
		return &Tree{t.L, t.X, t.R.Insert(x)}
	}
	if planted == bstInsert {
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
	return t.L.join(t.R)
}

// join returns the union of t and u, all of which is above all of t. Planted by
// bst-delete: of two inner subtrees it keeps one.
func (t *Tree) join(u *Tree) *Tree {
	if t == nil {
		return u
	}
	if u == nil {
		return t
	}
	inner := t.R.join(u.L)
	if planted == bstDelete && t.R != nil {
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
	below, above := u.split(t.X)
	return &Tree{t.L.Union(below), t.X, t.R.Union(above)}
}

// split returns what is below x in t and what is above. Planted by bst-union: where x
// is found left, right, left and right from some node, what is above it there is lost.
func (t *Tree) split(x int) (below, above *Tree) {
	switch {
	case t == nil:
		return nil, nil
	case x < t.X:
		if planted == bstUnion {
			if a := t.L; a != nil && x > a.X {
				if b := a.R; b != nil && x < b.X {
					if c := b.L; c != nil && x > c.X {
						if d := c.R; d != nil && x == d.X {
							return &Tree{a.L, a.X, &Tree{c.L, c.X, d.L}}, &Tree{&Tree{X: b.X, R: b.R}, t.X, t.R}
						}
					}
				}
			}
		}
		below, above = t.L.split(x)
		return below, &Tree{above, t.X, t.R}
	case x > t.X:
		below, above = t.R.split(x)
		return &Tree{t.L, t.X, below}, above
	}
	return t.L, t.R
}

// Floor returns the greatest integer of t that is at most x, and whether there is one.
// Planted by bst-floor: eight turns to the left in a row make it forget.
func (t *Tree) Floor(x int) (y int, ok bool) {
	lefts := 0
	for t != nil {
		switch {
		case x < t.X:
			t = t.L
			if lefts++; planted == bstFloor && lefts == 8 {
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

// Keys returns the integers of t in the order in which they stand.
func (t *Tree) Keys() []int { return t.appendKeys(nil) }

func (t *Tree) appendKeys(keys []int) []int {
	if t == nil {
		return keys
	}
	return t.R.appendKeys(append(t.L.appendKeys(keys), t.X))
}
