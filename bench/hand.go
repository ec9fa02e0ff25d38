package main

import (
	"encoding/binary"
	"math"
)

// hand reads and writes values as a hand-written decoder would.
type hand struct{ b []byte }

func (h *hand) byte() byte {
	if len(h.b) == 0 {
		return 0
	}
	x := h.b[0]
	h.b = h.b[1:]
	return x
}

func (h *hand) int(lo, hi int) int {
	u, n := binary.Uvarint(h.b)
	if n <= 0 {
		h.b = nil
		return lo
	}
	h.b = h.b[n:]
	return lo + int(u%uint64(hi-lo+1))
}

func (h *hand) putInt(x, lo int) { h.b = binary.AppendUvarint(h.b, uint64(x-lo)) }

func (h *hand) tree(lo, hi int) *tree {
	if lo > hi || h.byte()%2 == 0 {
		return nil
	}
	t := new(tree)
	t.X = h.int(lo, hi)
	t.L = h.tree(lo, t.X-1)
	t.R = h.tree(t.X+1, hi)
	return t
}

func (h *hand) putTree(t *tree, lo, hi int) {
	switch {
	case lo > hi:
	case t == nil:
		h.b = append(h.b, 0)
	default:
		h.b = append(h.b, 1)
		h.putInt(t.X, lo)
		h.putTree(t.L, lo, t.X-1)
		h.putTree(t.R, t.X+1, hi)
	}
}

func (h *hand) account(a *account) {
	a.ID = uint32(h.int(0, math.MaxUint32))
	a.Active = h.byte()%2 == 1
	a.Level = int8(h.int(math.MinInt8, math.MaxInt8))
	for i := range a.Scores {
		a.Scores[i] = uint16(h.int(0, math.MaxUint16))
	}
	a.Address.Zip = int32(h.int(math.MinInt32, math.MaxInt32))
	a.Address.Street = int32(h.int(math.MinInt32, math.MaxInt32))
	if h.byte()%2 == 1 {
		a.Parent = new(account)
		h.account(a.Parent)
	}
}

func (h *hand) putBool(b bool) {
	if b {
		h.b = append(h.b, 1)
	} else {
		h.b = append(h.b, 0)
	}
}

func (h *hand) putAccount(a *account) {
	h.putInt(int(a.ID), 0)
	h.putBool(a.Active)
	h.putInt(int(a.Level), math.MinInt8)
	for _, x := range a.Scores {
		h.putInt(int(x), 0)
	}
	h.putInt(int(a.Address.Zip), math.MinInt32)
	h.putInt(int(a.Address.Street), math.MinInt32)
	h.putBool(a.Parent != nil)
	if a.Parent != nil {
		h.putAccount(a.Parent)
	}
}

func (h *hand) ints(most int) (v []int) {
	for h.byte()%2 == 1 {
		v = append(v, h.int(0, most))
	}
	return v
}

func (h *hand) putInts(v []int) {
	for _, x := range v {
		h.b = append(h.b, 1)
		h.putInt(x, 0)
	}
	h.b = append(h.b, 0)
}
