package issta2006

// A TreeMap is a red-black tree, a set of ints.
type TreeMap struct {
	root *entry
	size int
}

type entry struct {
	key                 int
	left, right, parent *entry
	red                 bool
}

// NewTreeMap returns an empty tree.
func NewTreeMap() *TreeMap { return &TreeMap{} }

// at notes a branch at entry e.
func (t *TreeMap) at(branch int, e *entry) {
	print := uint(0)
	if e != nil {
		print = bits(true, e.left != nil, e.right != nil, e.parent != nil, e.red, e == t.root)
	}
	reach(branch, print)
}

// Size returns the number of keys.
func (t *TreeMap) Size() int { return t.size }

// Put adds a key. It does nothing if the tree has it.
func (t *TreeMap) Put(key int) {
	var parent *entry
	place := &t.root
	for *place != nil {
		parent = *place
		switch {
		case key == parent.key:
			return
		case key < parent.key:
			place = &parent.left
		default:
			place = &parent.right
		}
	}
	*place = &entry{key: key, parent: parent}
	t.size++
	if parent != nil {
		t.fixInsertion(*place)
	}
}

// Remove removes a key, if the tree has it.
func (t *TreeMap) Remove(key int) {
	if e := t.find(key); e != nil {
		t.remove(e)
	}
}

func (t *TreeMap) find(key int) *entry {
	e := t.root
	for e != nil && e.key != key {
		if key < e.key {
			e = e.left
		} else {
			e = e.right
		}
	}
	return e
}

// fixInsertion restores the colors above a new entry.
func (t *TreeMap) fixInsertion(x *entry) {
	x.red = true
	for x != nil && x != t.root && x.parent.red {
		parent, grand := x.parent, x.parent.up()
		if left := parent == grand.child(true); left {
			x = t.fixBelow(x, parent, grand, left, 18)
		} else {
			x = t.fixBelow(x, parent, grand, left, 21)
		}
	}
	t.root.red = false
}

// fixBelow is a step of fixInsertion. Parent is the left child of grand, or the right one.
// Its branches are branch, branch+1 and branch+2.
func (t *TreeMap) fixBelow(x, parent, grand *entry, left bool, branch int) *entry {
	if uncle := grand.child(!left); uncle.isRed() {
		t.at(branch, x)
		parent.paint(false)
		uncle.paint(false)
		grand.paint(true)
		return grand
	}
	if x == parent.child(!left) {
		t.at(branch+1, x)
		x = parent
		t.rotate(x, left)
	}
	x.up().paint(false)
	x.up().up().paint(true)
	if x.up().up() != nil {
		t.at(branch+2, x)
		t.rotate(x.up().up(), !left)
	}
	return x
}

// remove removes entry p.
func (t *TreeMap) remove(p *entry) {
	t.size--
	if p.left != nil && p.right != nil {
		t.at(24, p)
		t.swap(t.successor(p), p)
	}
	below := p.left
	if below == nil {
		below = p.right
	}
	switch {
	case below != nil:
		below.parent = p.parent
		switch {
		case p.parent == nil:
			t.at(25, p)
			t.root = below
		case p == p.parent.left:
			t.at(26, p)
			p.parent.left = below
		default:
			t.at(27, p)
			p.parent.right = below
		}
		p.left, p.right, p.parent = nil, nil, nil
		if !p.red {
			t.at(28, p)
			t.fixRemoval(below)
		}
	case p.parent == nil:
		t.at(29, p)
		t.root = nil
	default:
		if !p.red {
			t.at(30, p)
			t.fixRemoval(p)
		}
		t.removeLeaf(p)
	}
}

func (t *TreeMap) removeLeaf(p *entry) {
	if p.parent == nil {
		return
	}
	t.at(31, p)
	switch p {
	case p.parent.left:
		t.at(32, p)
		p.parent.left = nil
	case p.parent.right:
		t.at(33, p)
		p.parent.right = nil
	}
	p.parent = nil
}

// successor returns the next entry.
func (t *TreeMap) successor(e *entry) *entry {
	if e == nil {
		t.at(7, e)
		return nil
	}
	if e.right != nil {
		p := e.right
		for ; p.left != nil; p = p.left {
			t.at(8, e)
		}
		return p
	}
	p := e.parent
	for child := e; p != nil && child == p.right; child, p = p, p.parent {
		t.at(9, e)
	}
	return p
}

// fixRemoval restores the colors above an entry that lacks a black one.
func (t *TreeMap) fixRemoval(x *entry) {
	for x != t.root && !x.isRed() {
		if left := x == x.up().child(true); left {
			x = t.fixBeside(x, left, 34)
		} else {
			x = t.fixBeside(x, left, 37)
		}
	}
	x.paint(false)
}

// fixBeside is a step of fixRemoval. x is a left child, or a right one. Its branches are
// branch, branch+1 and branch+2.
func (t *TreeMap) fixBeside(x *entry, left bool, branch int) *entry {
	sibling := x.up().child(!left)
	if sibling.isRed() {
		t.at(branch, x)
		sibling.paint(false)
		x.up().paint(true)
		t.rotate(x.up(), left)
		sibling = x.up().child(!left)
	}
	if !sibling.child(left).isRed() && !sibling.child(!left).isRed() {
		t.at(branch+1, x)
		sibling.paint(true)
		return x.up()
	}
	if !sibling.child(!left).isRed() {
		t.at(branch+2, x)
		sibling.child(left).paint(false)
		sibling.paint(true)
		t.rotate(sibling, !left)
		sibling = x.up().child(!left)
	}
	sibling.paint(x.up().isRed())
	x.up().paint(false)
	sibling.child(!left).paint(false)
	t.rotate(x.up(), left)
	return t.root
}

// rotate makes p a child of its right child, or of its left child.
func (t *TreeMap) rotate(p *entry, left bool) {
	branch := 14
	if left {
		branch = 10
	}
	c := p.child(!left)
	inner := c.child(left)
	p.setChild(!left, inner)
	if inner != nil {
		t.at(branch, p)
		inner.parent = p
	}
	c.parent = p.parent
	switch {
	case p.parent == nil:
		t.at(branch+1, p)
		t.root = c
	case p.parent.child(left) == p:
		t.at(branch+2, p)
		p.parent.setChild(left, c)
	default:
		t.at(branch+3, p)
		p.parent.setChild(!left, c)
	}
	c.setChild(left, p)
	p.parent = c
}

// swap swaps the places of two entries.
func (t *TreeMap) swap(x, y *entry) {
	oldX, oldY := *x, *y
	leftX, leftY := x == x.parent.child(true), y == y.parent.child(true)
	t.place(x, y, oldX, oldY.parent, leftY, x, 40)
	t.place(y, x, oldY, oldX.parent, leftX, x, 44)
	for i, link := range [][2]*entry{{x.left, x}, {x.right, x}, {y.left, y}, {y.right, y}} {
		if child, parent := link[0], link[1]; child != nil {
			t.at(48+i, x)
			child.parent = parent
		}
	}
	x.red, y.red = y.red, x.red
	switch t.root {
	case x:
		t.at(52, x)
		t.root = y
	case y:
		t.at(53, x)
		t.root = x
	}
}

// place puts a below parent, where b was, and b above the children that a had. Its branches
// are branch to branch+3, noted at x.
func (t *TreeMap) place(a, b *entry, oldA entry, parent *entry, left bool, x *entry, branch int) {
	if parent == a {
		a.parent = b
		if left {
			t.at(branch, x)
			b.left, b.right = a, oldA.right
		} else {
			t.at(branch+1, x)
			b.left, b.right = oldA.left, a
		}
		return
	}
	a.parent = parent
	if parent != nil {
		if left {
			t.at(branch+2, x)
		} else {
			t.at(branch+3, x)
		}
		parent.setChild(left, a)
	}
	b.left, b.right = oldA.left, oldA.right
}

// The methods below take nil for an entry that is black and has no neighbors.

func (e *entry) isRed() bool { return e != nil && e.red }

func (e *entry) paint(red bool) {
	if e != nil {
		e.red = red
	}
}

func (e *entry) up() *entry {
	if e == nil {
		return nil
	}
	return e.parent
}

func (e *entry) child(left bool) *entry {
	switch {
	case e == nil:
		return nil
	case left:
		return e.left
	}
	return e.right
}

func (e *entry) setChild(left bool, c *entry) {
	if left {
		e.left = c
	} else {
		e.right = c
	}
}
