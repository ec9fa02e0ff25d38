package issta2006

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A FibHeap is a Fibonacci heap: trees in a circular list.
type FibHeap struct {
	min   *FibNode
	n     int
	nodes []*FibNode // all that Insert has made
}

// A FibNode is a node of a FibHeap.
type FibNode struct {
	cost, degree               int
	mark                       bool
	parent, child, left, right *FibNode
}

var fibRand = rand.New(rand.NewPCG(0, 0))

// NewFibHeap returns an empty heap.
func NewFibHeap() *FibHeap { return &FibHeap{} }

// at notes a branch at nodes a and b.
func (*FibHeap) at(branch int, a, b *FibNode) {
	print := a.print()<<8 | b.print()<<2
	if a != nil && b != nil {
		print |= bits(a.child == b, b.child == a)
	}
	reach(branch, print)
}

func (n *FibNode) print() uint {
	if n == nil {
		return 0
	}
	return bits(true, n.child == nil, n.parent == nil, n.right == n, n.left == n, n.degree == 0)
}

// Insert adds a cost.
func (h *FibHeap) Insert(cost int) {
	n := &FibNode{cost: cost}
	n.left, n.right = n, n
	h.nodes = append(h.nodes, n)
	h.n++
	if h.min == nil {
		h.min = n
		h.at(23, h.min, nil)
		return
	}
	n.putAfter(h.min)
	if n.cost < h.min.cost {
		h.at(21, h.min, nil)
		h.min = n
	} else {
		h.at(22, h.min, nil)
	}
}

// RemoveMin removes a node with the least cost and returns it; nil if the heap is empty.
func (h *FibHeap) RemoveMin() *FibNode {
	z := h.min
	if z == nil {
		return nil
	}
	x := z.child
	for range z.degree {
		h.at(17, x, z)
		next := x.right
		x.unlink()
		x.putAfter(h.min)
		x.parent = nil
		x = next
	}
	z.unlink()
	if z == z.right {
		h.at(18, x, z)
		h.min = nil
	} else {
		h.at(19, x, z)
		h.min = z.right
		h.consolidate()
	}
	h.n--
	h.nodes = slices.DeleteFunc(h.nodes, func(n *FibNode) bool { return n == z })
	return z
}

// DeleteRandomNode removes a node that chance selects.
func (h *FibHeap) DeleteRandomNode() {
	if len(h.nodes) > 0 {
		h.Delete(h.nodes[fibRand.IntN(len(h.nodes))])
	}
}

// Delete removes a node of the heap.
func (h *FibHeap) Delete(n *FibNode) {
	h.DecreaseKey(n, math.MinInt)
	h.RemoveMin()
}

// DecreaseKey gives a lower cost to a node of the heap. It does nothing if it is higher.
func (h *FibHeap) DecreaseKey(n *FibNode, cost int) {
	if cost > n.cost {
		return
	}
	n.cost = cost
	if p := n.parent; p != nil && n.cost < p.cost {
		h.cut(n, p)
		h.cascadingCut(p)
	}
	if n.cost < h.min.cost {
		h.min = n
	}
}

// consolidate links trees until their degrees differ, and finds the least cost.
func (h *FibHeap) consolidate() {
	trees := make([]*FibNode, h.n+1) // by degree
	for _, t := range trees {
		h.at(3, t, nil)
	}
	x := h.min
	roots := 0
	if x != nil {
		roots++
		for x = x.right; x != h.min; x = x.right {
			h.at(4, x, nil)
			roots++
		}
	}
	for ; roots > 0; roots-- {
		d, next := x.degree, x.right
		h.at(5, x, nil)
		for ; trees[d] != nil; d++ {
			y := trees[d]
			if x.cost > y.cost {
				h.at(6, x, y)
				x, y = y, x
			} else {
				h.at(7, x, y)
			}
			h.link(y, x)
			trees[d] = nil
		}
		h.at(8, x, nil)
		trees[d] = x
		x = next
	}
	h.min = nil
	for _, t := range trees {
		switch {
		case t == nil:
		case h.min == nil:
			h.at(12, t, nil)
			h.min = t
		default:
			h.at(9, t, nil)
			t.unlink()
			t.putAfter(h.min)
			if t.cost < h.min.cost {
				h.at(10, t, h.min)
				h.min = t
			} else {
				h.at(11, t, h.min)
			}
		}
	}
}

// link makes root n a child of p.
func (h *FibHeap) link(n, p *FibNode) {
	n.unlink()
	n.parent = p
	if p.child == nil {
		h.at(15, n, p)
		p.child = n
		n.left, n.right = n, n
	} else {
		h.at(16, n, p)
		n.putAfter(p.child)
	}
	p.degree++
	n.mark = false
}

// cut makes child n of p a root.
func (h *FibHeap) cut(n, p *FibNode) {
	n.unlink()
	p.degree--
	if p.child == n {
		h.at(13, n, p)
		p.child = n.right
	} else {
		h.at(20, n, p)
	}
	if p.degree == 0 {
		h.at(14, p, n)
		p.child = nil
	} else {
		h.at(24, n, p)
	}
	n.putAfter(h.min)
	n.parent = nil
	n.mark = false
}

func (h *FibHeap) cascadingCut(n *FibNode) {
	p := n.parent
	switch {
	case p == nil:
		h.at(2, n, nil)
	case !n.mark:
		h.at(0, n, nil)
		n.mark = true
	default:
		h.at(1, n, nil)
		h.cut(n, p)
		h.cascadingCut(p)
	}
}

// unlink takes n out of its list. n still points to its neighbors.
func (n *FibNode) unlink() {
	n.left.right, n.right.left = n.right, n.left
}

// putAfter puts n to the right of m.
func (n *FibNode) putAfter(m *FibNode) {
	n.left, n.right = m, m.right
	m.right = n
	n.right.left = n
}
