package guidebugs

import "slices"

// A mutant is an implementation of red-black trees, by Okasaki ("Red-black trees in a
// functional setting", JFP 1999) and Kahrs ("Red-black trees with types", JFP 2001), with
// the bug of a name. "" is without.
type mutant string

// Bugs returns the names of the bugs.
func Bugs() []string { return slices.Clone(bugs) }

// Rare returns the names of bugs that only trees with inner nodes below the root show, or those
// with a combination of colors and keys.
func Rare() []string {
	return []string{
		"rotate: high subtrees are swapped", "join: inner red and black loses a subtree",
		"insert: old value stays in an inner red node",
		"left and right: sibling with two red nodes loses one",
		"delete: neighbors are taken for one",
	}
}

var bugs = []string{
	"insert: root stays red", "insert: new node is black", "insert: tree is dropped",
	"insert: equal goes left", "insert: equal goes right", "insert: old value stays",
	"insert: left of black is not balanced", "insert: right of black is not balanced",
	"insert: left of red turns black", "insert: right of red turns black",

	"balance: red and red leaves red", "balance: no left left", "balance: no left right",
	"balance: no right left", "balance: no right right",
	"balance: red and red stays black", "balance: left left stays black",
	"balance: left right stays black",
	"balance: right left stays black", "balance: right right stays black",
	"balance: left left swaps", "balance: left right swaps", "balance: right left swaps",
	"balance: right right swaps",
	"balance: left left leaves red", "balance: left right leaves red",
	"balance: right left leaves red", "balance: right right leaves red",

	"delete: root stays red", "delete: left of black is not balanced",
	"delete: right of black is not balanced",
	"delete: left of red turns black", "delete: right of red turns black",
	"delete: left of any is balanced", "delete: right of any is balanced", "delete: takes the left",
	"delete: takes the right",

	"left: red stays red", "left: parent stays black", "left: black is not balanced",
	"left: sibling stays black",
	"left: inner is not balanced", "left: inner keeps its color", "left: inner goes out",
	"right: red stays red", "right: parent stays black", "right: black is not balanced",
	"right: sibling stays black",
	"right: inner is not balanced", "right: inner keeps its color", "right: inner goes out",

	"join: red and red is not rotated", "join: red and red swaps", "join: red and red turns black",
	"join: black and black is not balanced", "join: black and black swaps",
	"join: black and black turns black",
	"join: mixed turns black",
}

func red(l *RedBlack, at *RedBlack, r *RedBlack) *RedBlack {
	return &RedBlack{true, l, at.Key, at.Value, r}
}

func black(l *RedBlack, at *RedBlack, r *RedBlack) *RedBlack {
	return &RedBlack{false, l, at.Key, at.Value, r}
}

// red returns a tree with the color of the bug if m has it, else the other one.
func (m mutant) red(bug string, l, at, r *RedBlack) *RedBlack {
	return &RedBlack{string(m) != bug, l, at.Key, at.Value, r}
}

func (m mutant) black(bug string, l, at, r *RedBlack) *RedBlack {
	return &RedBlack{string(m) == bug, l, at.Key, at.Value, r}
}

func (m mutant) insert(t *RedBlack, key, value int) *RedBlack {
	t = m.into(t, key, value)
	if m == "insert: root stays red" {
		return t
	}
	return black(t.Left, t, t.Right)
}

func (m mutant) into(t *RedBlack, key, value int) *RedBlack {
	if t == nil {
		return &RedBlack{Red: m != "insert: new node is black", Key: key, Value: value}
	}
	switch {
	case m == "insert: tree is dropped" && t.Left == nil && t.Right == nil:
		return &RedBlack{Red: t.Red, Key: key, Value: value}
	case key < t.Key || key == t.Key && m == "insert: equal goes left":
		l := m.into(t.Left, key, value)
		if t.Red {
			return m.red("insert: left of red turns black", l, t, t.Right)
		}
		if m == "insert: left of black is not balanced" {
			return black(l, t, t.Right)
		}
		return m.balance(l, t, t.Right)
	case key > t.Key || m == "insert: equal goes right":
		r := m.into(t.Right, key, value)
		if t.Red {
			return m.red("insert: right of red turns black", t.Left, t, r)
		}
		if m == "insert: right of black is not balanced" {
			return black(t.Left, t, r)
		}
		return m.balance(t.Left, t, r)
	case m == "insert: old value stays",
		m == "insert: old value stays in an inner red node" && t.Red && t.Left != nil:
		return t
	}
	return &RedBlack{t.Red, t.Left, key, value, t.Right}
}

func (m mutant) balance(l, t, r *RedBlack) *RedBlack {
	switch {
	case l.red() && r.red():
		return m.red("balance: red and red stays black",
			m.black("balance: red and red leaves red", l.Left, l, l.Right), t, black(r.Left, r, r.Right))
	case l.red() && l.Left.red() && m != "balance: no left left":
		return m.rotate("balance: left left", l.Left.Left, l.Left, l.Left.Right, l, l.Right, t, r)
	case l.red() && l.Right.red() && m != "balance: no left right":
		return m.rotate("balance: left right", l.Left, l, l.Right.Left, l.Right, l.Right.Right, t, r)
	case r.red() && r.Left.red() && m != "balance: no right left":
		return m.rotate("balance: right left", l, t, r.Left.Left, r.Left, r.Left.Right, r, r.Right)
	case r.red() && r.Right.red() && m != "balance: no right right":
		return m.rotate("balance: right right", l, t, r.Left, r, r.Right.Left, r.Right, r.Right.Right)
	}
	return black(l, t, r)
}

// rotate makes a tree of the subtrees a, b, c and d and the nodes between.
func (m mutant) rotate(name string, a, x, b, y, c, z, d *RedBlack) *RedBlack {
	if string(m) == name+" swaps" || m == "rotate: high subtrees are swapped" && b != nil && c != nil {
		b, c = c, b
	}
	return m.red(name+" stays black", m.black(name+" leaves red", a, x, b), y, black(c, z, d))
}

func (m mutant) delete(t *RedBlack, key int) *RedBlack {
	t = m.from(t, key)
	if t == nil || m == "delete: root stays red" {
		return t
	}
	return black(t.Left, t, t.Right)
}

func (m mutant) from(t *RedBlack, key int) *RedBlack {
	switch {
	case t == nil:
		return nil
	case key < t.Key:
		l := m.from(t.Left, key)
		if t.Left.black() && m != "delete: left of black is not balanced" ||
			m == "delete: left of any is balanced" {
			return m.left(l, t, t.Right)
		}
		return m.red("delete: left of red turns black", l, t, t.Right)
	case key > t.Key:
		r := m.from(t.Right, key)
		if t.Right.black() && m != "delete: right of black is not balanced" ||
			m == "delete: right of any is balanced" {
			return m.right(t.Left, t, r)
		}
		return m.red("delete: right of red turns black", t.Left, t, r)
	case m == "delete: takes the left":
		return t.Left
	case m == "delete: takes the right":
		return t.Right
	case m == "delete: neighbors are taken for one" && t.Left != nil && t.Right != nil &&
		t.Left.Key == t.Key-1 && t.Right.Key == t.Key+1:
		return t.Left
	}
	return m.join(t.Left, t.Right)
}

// left balances a tree whose left side is too low.
func (m mutant) left(l, t, r *RedBlack) *RedBlack {
	switch {
	case l.red():
		return m.red("left: parent stays black", m.black("left: red stays red", l.Left, l, l.Right), t, r)
	case r.black():
		if m == "left: black is not balanced" {
			return black(l, t, red(r.Left, r, r.Right))
		}
		if m == "left and right: sibling with two red nodes loses one" && r.Left.red() && r.Right.red() {
			return m.balance(l, t, red(nil, r, r.Right))
		}
		return m.balance(l, t, m.red("left: sibling stays black", r.Left, r, r.Right))
	case r.red() && r.Left.black():
		inner, outer := r.Left, r.Right
		if outer.black() && m != "left: inner keeps its color" {
			outer = red(outer.Left, outer, outer.Right)
		}
		b, c := inner.Left, inner.Right
		if m == "left: inner goes out" {
			b, c = c, b
		}
		if m == "left: inner is not balanced" {
			return red(black(l, t, b), inner, black(c, r, outer))
		}
		return red(black(l, t, b), inner, m.balance(c, r, outer))
	}
	return black(l, t, r)
}

// right balances a tree whose right side is too low.
func (m mutant) right(l, t, r *RedBlack) *RedBlack {
	switch {
	case r.red():
		return m.red("right: parent stays black", l, t,
			m.black("right: red stays red", r.Left, r, r.Right))
	case l.black():
		if m == "right: black is not balanced" {
			return black(red(l.Left, l, l.Right), t, r)
		}
		if m == "left and right: sibling with two red nodes loses one" && l.Left.red() && l.Right.red() {
			return m.balance(red(l.Left, l, nil), t, r)
		}
		return m.balance(m.red("right: sibling stays black", l.Left, l, l.Right), t, r)
	case l.red() && l.Right.black():
		inner, outer := l.Right, l.Left
		if outer.black() && m != "right: inner keeps its color" {
			outer = red(outer.Left, outer, outer.Right)
		}
		b, c := inner.Left, inner.Right
		if m == "right: inner goes out" {
			b, c = c, b
		}
		if m == "right: inner is not balanced" {
			return red(black(outer, l, b), inner, black(c, t, r))
		}
		return red(m.balance(outer, l, b), inner, black(c, t, r))
	}
	return black(l, t, r)
}

// join joins two trees, of equal black heights, whose keys are in order.
func (m mutant) join(l, r *RedBlack) *RedBlack {
	switch {
	case l == nil:
		return r
	case r == nil:
		return l
	case l.Red && r.Red:
		in := m.join(l.Right, r.Left)
		if !in.red() || m == "join: red and red is not rotated" {
			return red(l.Left, l, m.red("join: red and red turns black", in, r, r.Right))
		}
		b, c := in.Left, in.Right
		if m == "join: red and red swaps" {
			b, c = c, b
		}
		return red(red(l.Left, l, b), in, red(c, r, r.Right))
	case !l.Red && !r.Red:
		in := m.join(l.Right, r.Left)
		if in.red() {
			b, c := in.Left, in.Right
			if m == "join: black and black swaps" {
				b, c = c, b
			}
			return m.red("join: black and black turns black", black(l.Left, l, b), in, black(c, r, r.Right))
		}
		if m == "join: black and black is not balanced" {
			return red(l.Left, l, black(in, r, r.Right))
		}
		return m.left(l.Left, l, black(in, r, r.Right))
	case m == "join: inner red and black loses a subtree" && r.Red && r.Left != nil:
		return red(m.join(l, nil), r, r.Right)
	case m == "join: inner red and black loses a subtree" && l.Red && l.Left != nil:
		return red(l.Left, l, m.join(nil, r))
	case r.Red:
		return m.red("join: mixed turns black", m.join(l, r.Left), r, r.Right)
	}
	return m.red("join: mixed turns black", l.Left, l, m.join(l.Right, r))
}
