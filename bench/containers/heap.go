// Package containers measures feedback-directed generation on container/heap, list and ring
// and on two packages of gods.
package containers

// An IntHeap is what package container/heap works on.
type IntHeap []int

// NewIntHeap returns three ints, which heap.Init makes a heap.
func NewIntHeap(a, b, c int) *IntHeap { return &IntHeap{a, b, c} }

func (h IntHeap) Len() int           { return len(h) }
func (h IntHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h IntHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *IntHeap) Push(x any)        { *h = append(*h, x.(int)) }

func (h *IntHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
