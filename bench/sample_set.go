package main

// A set is a search tree with three bugs, each in one operation. The nil *set is empty.
type set struct {
	L *set // the integers below X
	X int
	R *set // the integers above X
}

// Insert returns t with x. Planted: if t has x already, its subtrees are lost.
func (t *set) Insert(x int) *set {
	switch {
	case t == nil:
		return &set{X: x}
	case x < t.X:
		return &set{t.L.Insert(x), t.X, t.R}
	case x > t.X:
		return &set{t.L, t.X, t.R.Insert(x)}
	}
	return &set{X: x}
}

// Delete returns t without x.
func (t *set) Delete(x int) *set {
	switch {
	case t == nil:
		return nil
	case x < t.X:
		return &set{t.L.Delete(x), t.X, t.R}
	case x > t.X:
		return &set{t.L, t.X, t.R.Delete(x)}
	}
	return t.L.join(t.R)
}

// join returns the union of t and u, where all of u is above all of t. Planted: it keeps
// only one of two inner subtrees.
func (t *set) join(u *set) *set {
	if t == nil {
		return u
	}
	if u == nil {
		return t
	}
	inner := t.R
	if inner == nil {
		inner = u.L
	}
	return &set{t.L, t.X, &set{inner, u.X, u.R}}
}

// Union returns the integers that are in t, in u or in both.
func (t *set) Union(u *set) *set {
	if t == nil {
		return u
	}
	if u == nil {
		return t
	}
	below, above := u.split(t.X)
	return &set{t.L.Union(below), t.X, t.R.Union(above)}
}

// split returns the parts of t below x and above x. Planted: where x is left, right, left
// and right of some node, the part above it is lost.
func (t *set) split(x int) (below, above *set) {
	switch {
	case t == nil:
		return nil, nil
	case x < t.X:
		if a := t.L; a != nil && x > a.X {
			if b := a.R; b != nil && x < b.X {
				if c := b.L; c != nil && x > c.X {
					if d := c.R; d != nil && x == d.X {
						return &set{a.L, a.X, &set{c.L, c.X, d.L}}, &set{&set{X: b.X, R: b.R}, t.X, t.R}
					}
				}
			}
		}
		below, above = t.L.split(x)
		return below, &set{above, t.X, t.R}
	case x > t.X:
		below, above = t.R.split(x)
		return &set{t.L, t.X, below}, above
	}
	return t.L, t.R
}

// Keys returns the integers of t from left to right.
func (t *set) Keys() []int {
	if t == nil {
		return nil
	}
	return append(append(t.L.Keys(), t.X), t.R.Keys()...)
}
