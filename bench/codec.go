package main

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/rltrial"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
)

// codecSubjects are the values whose bytes rows of the codec read and write.
var codecSubjects = map[string]codecSubject{
	"trees of 20":   codecTrees(20),
	"trees of 1000": codecTrees(1000),
	"50 integers":   codecInts(50),
}

// A codecSubject is a value, with the ways to read and to write it. Each function returns how many
// parts (nodes or integers) it has read or written.
type codecSubject struct {
	decode, encode func() int
	hand           func() int           // reads the value from the bytes of a hand-written format
	rapid          func(t *rapid.T) int // draws a value of the same kind
}

// codec measures the CPU nanoseconds per part that bigen.Decode takes, or bigen.Encode, and
// compares them with the baseline.
func codec(ours, base string) measure {
	return func(r run) (o, b figure, err error) {
		subject := codecSubjects[r.args[0]]
		if base == "rapid.MakeFuzz" {
			ns, _ := inTurn(r.quick, loop(subject.decode), loop(subject.hand))
			peer, err := asked[float64](order{Do: "codec", On: r.args[0], N: pick(r, 20_000, 2_000)})
			return number(ns), number(peer), err
		}
		ways := map[string]func() int{
			"bigen.Decode": subject.decode, "bigen.Encode": subject.encode, "hand-written": subject.hand,
		}
		x, y := inTurn(r.quick, loop(ways[ours]), loop(ways[base]))
		return number(x), number(y), nil
	}
}

// codecOrder measures the CPU nanoseconds per part that rapid.MakeFuzz takes to read random bytes.
func codecOrder(o order, t *testing.T) {
	const enough = 4096 // bytes
	r, c := rand.New(rand.NewPCG(1, 1)), cost{}
	fuzz := rapid.MakeFuzz(func(t *rapid.T) { c.parts += codecSubjects[o.On].rapid(t) })
	b := make([]byte, enough)
	for range o.N {
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		start := rltrial.CPU()
		t.Run("", func(t *testing.T) { fuzz(t, b) }) // it skips inputs that are too short
		c.cpu += rltrial.CPU() - start
	}
	o.answer(c.each())
}

func newCodecSubject[A any](g bigen.Gen[A], v A, parts int) codecSubject {
	b, err := bigen.Encode(g, v)
	must(err)
	return codecSubject{
		decode: func() int {
			_, err := bigen.Decode(g, b)
			must(err)
			return parts
		},
		encode: func() int {
			_, err := bigen.Encode(g, v)
			must(err)
			return parts
		},
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// mostKey is the largest key of trees.
const mostKey = 1 << 20

func codecTrees(nodes int) codecSubject {
	v := bsttest.Random(rand.New(rand.NewPCG(1, uint64(nodes))), nodes, 0, mostKey)
	s := newCodecSubject(bsttest.Gen(0, mostKey), v, nodes)
	b := putTree(nil, v, 0, mostKey)
	s.hand = func() int {
		h := hand{b}
		h.tree(0, mostKey)
		return nodes
	}
	s.rapid = func(t *rapid.T) int { return 1 + drawKeys(t, 0, mostKey) }
	return s
}

// drawKeys draws the nodes of a search tree, and returns their number.
func drawKeys(t *rapid.T, lo, hi int) int {
	if lo > hi || rapid.IntRange(0, 1).Draw(t, "node") == 0 {
		return 0
	}
	x := rapid.IntRange(lo, hi).Draw(t, "x")
	return 1 + drawKeys(t, lo, x-1) + drawKeys(t, x+1, hi)
}

func codecInts(n int) codecSubject {
	const most = 50
	r := rand.New(rand.NewPCG(1, 3))
	v := make([]int, n)
	for i := range v {
		v[i] = r.IntN(most + 1)
	}
	s := newCodecSubject(bigen.SliceOf(bigen.IntRange(0, most), 0, 2*n), v, n)
	var b []byte
	for _, x := range v {
		b = binary.AppendUvarint(append(b, 1), uint64(x))
	}
	s.hand = func() int {
		h, read := hand{b}, []int(nil)
		for h.bool() {
			read = append(read, h.int(0, most))
		}
		return len(read)
	}
	s.rapid = func(t *rapid.T) int {
		return 1 + len(rapid.SliceOfN(rapid.IntRange(0, most), 0, 2*n).Draw(t, "ints"))
	}
	return s
}

// hand reads values as a hand-written decoder would: any bytes are a value.
type hand struct{ b []byte }

func (h *hand) bool() bool {
	if len(h.b) == 0 {
		return false
	}
	x := h.b[0]
	h.b = h.b[1:]
	return x%2 == 1
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

func (h *hand) tree(lo, hi int) *bsttest.Tree {
	if lo > hi || !h.bool() {
		return nil
	}
	t := &bsttest.Tree{X: h.int(lo, hi)}
	t.L = h.tree(lo, t.X-1)
	t.R = h.tree(t.X+1, hi)
	return t
}

// putTree appends the bytes that hand.tree reads.
func putTree(b []byte, t *bsttest.Tree, lo, hi int) []byte {
	switch {
	case lo > hi:
		return b
	case t == nil:
		return append(b, 0)
	}
	b = binary.AppendUvarint(append(b, 1), uint64(t.X-lo))
	b = putTree(b, t.L, lo, t.X-1)
	return putTree(b, t.R, t.X+1, hi)
}
