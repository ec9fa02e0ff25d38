package issta2006

import "cmp"

// A BinomialHeap is a list of binomial trees of positive keys, by ascending degree. As in the
// paper, merging forgets trees at branch 5.
type BinomialHeap struct {
	trees *binomialNode
	size  int
}

type binomialNode struct {
	key, degree            int
	parent, sibling, child *binomialNode
}

// NewBinomialHeap returns an empty heap.
func NewBinomialHeap() *BinomialHeap { return &BinomialHeap{} }

// at notes a branch at nodes a and b.
func (*BinomialHeap) at(branch int, a, b *binomialNode) {
	order := uint(0)
	if a != nil && b != nil {
		order = uint(2 + cmp.Compare(a.degree, b.degree))
	}
	reach(branch, a.print()<<6|b.print()<<2|order)
}

func (n *binomialNode) print() uint {
	if n == nil {
		return 0
	}
	return bits(true, n.child != nil, n.sibling != nil, n.parent != nil)
}

// FindMinimum returns the least key. It panics if the heap is empty.
func (h *BinomialHeap) FindMinimum() int { return h.trees.least().key }

// Insert adds a key, if it is positive.
func (h *BinomialHeap) Insert(key int) {
	if key <= 0 {
		return
	}
	n := &binomialNode{key: key}
	if h.trees == nil {
		h.trees, h.size = n, 1
		return
	}
	h.unite(n)
	h.size++
}

// ExtractMin removes the least key and returns it; -1 if the heap is empty.
func (h *BinomialHeap) ExtractMin() int {
	if h.trees == nil {
		return -1
	}
	least := h.trees.least()
	var before *binomialNode
	n := h.trees
	for n.key != least.key {
		h.at(13, n, before)
		before, n = n, n.sibling
	}
	if before == nil {
		h.at(14, n, before)
		h.trees = n.sibling
	} else {
		h.at(15, n, before)
		before.sibling = n.sibling
	}
	children := n.child
	for n = children; n != nil; n = n.sibling {
		h.at(16, n, before)
		n.parent = nil
	}
	switch {
	case h.trees == nil && children == nil:
		h.at(17, n, before)
	case h.trees == nil:
		h.at(18, h.trees, children)
		h.trees = children.reverse(nil)
	case children == nil:
		h.at(19, h.trees, children)
	default:
		h.at(20, h.trees, children)
		h.unite(children.reverse(nil))
	}
	h.size = h.trees.count()
	return least.key
}

// DecreaseKey gives a new key to a node with the old one, if there is one, and moves it up.
// It panics if the heap is empty.
func (h *BinomialHeap) DecreaseKey(old, key int) {
	_ = h.trees.key
	n := h.trees.find(old)
	if n == nil {
		return
	}
	n.key = key
	for p := n.parent; p != nil && n.key < p.key; n, p = p, p.parent {
		h.at(21, n, p)
		n.key, p.key = p.key, n.key
	}
}

// Delete removes a key, if the heap has it.
func (h *BinomialHeap) Delete(key int) {
	if h.trees.find(key) != nil {
		h.DecreaseKey(key, h.FindMinimum()-1)
		h.ExtractMin()
	}
}

// unite joins the trees of the heap with others, and links trees of equal degree.
func (h *BinomialHeap) unite(trees *binomialNode) {
	h.merge(trees)
	var before *binomialNode
	n := h.trees
	for next := n.sibling; next != nil; next = n.sibling {
		switch {
		case n.degree != next.degree || next.sibling != nil && next.sibling.degree == n.degree:
			h.at(8, n, next)
			before, n = n, next
		case n.key <= next.key:
			h.at(9, n, next)
			n.sibling = next.sibling
			next.parent, next.sibling = n, n.child
			n.child = next
			n.degree++
		default:
			if before == nil {
				h.at(10, n, next)
				h.trees = next
			} else {
				h.at(11, n, next)
				before.sibling = next
			}
			n.parent, n.sibling = next, next.child
			next.child = n
			next.degree++
			n = next
		}
		h.at(12, n, next)
	}
}

// merge makes one list of two, by ascending degree.
func (h *BinomialHeap) merge(b *binomialNode) {
	a := h.trees
	for a != nil && b != nil {
		switch {
		case a.degree == b.degree:
			h.at(1, a, b)
			a, b = a.putAfter(b)
		case a.degree < b.degree && (a.sibling == nil || a.sibling.degree > b.degree):
			h.at(2, a, b)
			a, b = a.putAfter(b)
		case a.degree < b.degree:
			h.at(3, a, b)
			a = a.sibling
		default:
			old := a
			a, b = b, b.sibling
			a.sibling = old
			if old == h.trees {
				h.at(4, a, b)
				h.trees = a
			} else {
				h.at(5, a, b)
			}
		}
	}
	if a != nil {
		h.at(7, a, b)
		return
	}
	for a = h.trees; a.sibling != nil; a = a.sibling {
		h.at(6, a, b)
	}
	a.sibling = b
}

// putAfter moves the first tree of list b to the place after a. It returns the trees after both.
func (a *binomialNode) putAfter(b *binomialNode) (_, _ *binomialNode) {
	rest := b.sibling
	a.sibling, b.sibling = b, a.sibling
	return b.sibling, rest
}

func (n *binomialNode) least() *binomialNode {
	least := n
	for ; n != nil; n = n.sibling {
		if n.key < least.key {
			least = n
		}
	}
	return least
}

func (n *binomialNode) find(key int) *binomialNode {
	for ; n != nil; n = n.sibling {
		if n.key == key {
			return n
		}
		if found := n.child.find(key); found != nil {
			return found
		}
	}
	return nil
}

func (n *binomialNode) count() int {
	if n == nil {
		return 0
	}
	return 1 + n.child.count() + n.sibling.count()
}

func (n *binomialNode) reverse(rest *binomialNode) *binomialNode {
	for n != nil {
		n, n.sibling, rest = n.sibling, rest, n
	}
	return rest
}
