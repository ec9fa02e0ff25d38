// Package redblack has a red-black tree: easy to generate, and hard to get right.
package redblack

// A Tree is a node of a red-black tree. The nil Tree is empty.
type Tree struct {
	Red   bool
	Key   int
	Left  *Tree // keys below Key
	Right *Tree // keys above Key
}

// Valid reports whether t is a red-black tree: the keys ascend, the root is black, no
// red node has a red child, and all paths from the root to a leaf have equally many
// black nodes.
func (t *Tree) Valid() bool {
	if t != nil && t.Red {
		return false
	}
	_, ok := t.check(nil, nil)
	return ok
}

// check returns the number of black nodes on each path down. It reports whether t is
// ordered, above least and below greatest, balanced, and correctly colored.
func (t *Tree) check(least, greatest *int) (black int, ok bool) {
	if t == nil {
		return 0, true
	}
	if least != nil && t.Key <= *least || greatest != nil && t.Key >= *greatest {
		return 0, false
	}
	if t.Red && (t.Left.red() || t.Right.red()) {
		return 0, false
	}
	left, ok := t.Left.check(least, &t.Key)
	right, alsoOK := t.Right.check(&t.Key, greatest)
	if !t.Red {
		black = 1
	}
	return left + black, ok && alsoOK && left == right
}

func (t *Tree) red() bool { return t != nil && t.Red }

// Size returns the number of keys.
func (t *Tree) Size() int {
	if t == nil {
		return 0
	}
	return 1 + t.Left.Size() + t.Right.Size()
}

// Has reports whether t has the key.
func (t *Tree) Has(key int) bool {
	switch {
	case t == nil:
		return false
	case key < t.Key:
		return t.Left.Has(key)
	case key > t.Key:
		return t.Right.Has(key)
	}
	return true
}

// Insert returns t with the key (Okasaki, "Red-Black Trees in a Functional Setting",
// 1999). It does not change t.
func (t *Tree) Insert(key int) *Tree {
	t = t.insert(key)
	if t.Red {
		t = &Tree{false, t.Key, t.Left, t.Right}
	}
	return t
}

func (t *Tree) insert(key int) *Tree {
	switch {
	case t == nil:
		return &Tree{Red: true, Key: key}
	case key < t.Key:
		return balance(t.Red, t.Left.insert(key), t.Key, t.Right)
	case key > t.Key:
		return balance(t.Red, t.Left, t.Key, t.Right.insert(key))
	}
	return t
}

// balance makes a node. Instead of a black node with a red child that has a red child,
// it makes a red node with two black children.
func balance(red bool, left *Tree, key int, right *Tree) *Tree {
	if !red {
		switch {
		case left.red() && left.Left.red():
			return join(left.Left, left.Key, left.Right, key, right)
		case left.red() && left.Right.red():
			m := left.Right
			return join(&Tree{false, left.Key, left.Left, m.Left}, m.Key, m.Right, key, right)
		case right.red() && right.Left.red():
			m := right.Left
			return join(&Tree{false, key, left, m.Left}, m.Key, m.Right, right.Key, right.Right)
		case right.red() && right.Right.red():
			return join(&Tree{false, key, left, right.Left}, right.Key, right.Right.Left,
				right.Right.Key, right.Right.Right)
		}
	}
	return &Tree{red, key, left, right}
}

// join makes a red node with two black children: a, and b and c below key2.
func join(a *Tree, key1 int, b *Tree, key2 int, c *Tree) *Tree {
	return &Tree{true, key1, &Tree{false, a.Key, a.Left, a.Right}, &Tree{false, key2, b, c}}
}
