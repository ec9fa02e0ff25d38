package issta2006

// A BinTree is a binary search tree, a set of ints.
type BinTree struct{ root *binNode }

type binNode struct {
	key         int
	left, right *binNode
}

// NewBinTree returns an empty tree.
func NewBinTree() *BinTree { return &BinTree{} }

// at notes a branch at node n. A removal has a son and a parent.
func (*BinTree) at(branch int, n, son, parent *binNode) {
	reach(branch, n.print()<<4|bits(son != nil)<<3|parent.print())
}

func (n *binNode) print() uint {
	if n == nil {
		return 0
	}
	return bits(true, n.left != nil, n.right != nil)
}

// Add adds a key. It does nothing if the tree has it.
func (t *BinTree) Add(key int) {
	n := t.root
	if n == nil {
		t.at(0, nil, nil, nil)
		t.root = &binNode{key: key}
		return
	}
	for n.key != key { // a new node is visited, too
		switch {
		case key < n.key && n.left == nil:
			t.at(1, n, nil, nil)
			n.left = &binNode{key: key}
		case key < n.key:
			t.at(2, n, nil, nil)
			n = n.left
		case n.right == nil:
			t.at(3, n, nil, nil)
			n.right = &binNode{key: key}
		default:
			t.at(4, n, nil, nil)
			n = n.right
		}
	}
}

// Remove removes a key, except the last, and reports whether the tree had it. A leaf below
// takes the place of an inner node, which may leave keys out of order, as in the paper's.
func (t *BinTree) Remove(key int) bool {
	var parent *binNode
	left := true
	n := t.root
	for n != nil && n.key != key {
		parent, left = n, n.key > key
		if left {
			t.at(14, n, nil, parent)
			n = n.left
		} else {
			t.at(15, n, nil, parent)
			n = n.right
		}
	}
	if n == nil {
		t.at(17, n, nil, parent)
		return false
	}
	son := n
	for son.left != nil || son.right != nil {
		parent, left = son, son.right == nil
		if left {
			t.at(9, n, son, parent)
			son = son.left
		} else {
			t.at(8, n, son, parent)
			son = son.right
		}
	}
	switch {
	case parent == nil:
	case left:
		t.at(10, n, son, parent)
		parent.left = nil
	default:
		t.at(11, n, son, parent)
		parent.right = nil
	}
	if son != n {
		t.at(12, n, son, parent)
		n.key = son.key
	} else {
		t.at(13, n, son, parent)
	}
	return true
}
