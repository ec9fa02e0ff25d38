package main

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
)

// coder is a way to read search trees from bytes.
type coder struct {
	decode func(b []byte) (t *tree, ok bool)
	encode func(r *rand.Rand, nodes int) ([]byte, *tree) // of a random tree of about that many
}

func espalierCoder() coder {
	g := genTree(0, bound)
	return coder{
		decode: func(b []byte) (*tree, bool) {
			t, err := bigen.Decode(g, b)
			return t, err == nil
		},
		encode: func(r *rand.Rand, nodes int) ([]byte, *tree) {
			var t *tree
			for t.size() < nodes {
				t = t.insert(r.IntN(bound + 1))
			}
			b, err := bigen.Encode(g, t)
			if err != nil {
				panic(err)
			}
			return b, t
		},
	}
}

// rapidCoder works within a test. Random bytes follow the given ones, so that there are
// enough to read. They are not mutated.
func rapidCoder(t *testing.T) coder {
	more := randomBytes(rand.New(rand.NewPCG(5, 6)), 4096)
	decode := func(b []byte) (v *tree, ok bool) {
		fuzz := rapid.MakeFuzz(func(t *rapid.T) {
			v, ok = nil, false
			v, ok = rapidTree(t, 0, bound), true
		})
		t.Run("", func(t *testing.T) { fuzz(t, slices.Concat(b, more)) }) // it skips inputs that are too short
		return v, ok
	}
	return coder{decode, func(r *rand.Rand, nodes int) ([]byte, *tree) {
		for {
			b := randomBytes(r, 128*nodes)
			v, ok := decode(b)
			if n := v.size(); !ok || n < nodes*3/4 || n > nodes*5/4 {
				continue
			}
			read := sort.Search(len(b)/8, func(words int) bool {
				w, ok := decode(b[:8*words])
				return ok && w.key() == v.key()
			})
			return b[:8*read], v
		}
	}}
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// A tree is a search tree.
type tree struct {
	L, R *tree
	X    int
}

const bound = 1 << 20

func genTree(lo, hi int) bigen.Gen[*tree] {
	if lo > hi {
		return bigen.Nil[tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *tree) {
			bigen.At(c, &t.X, bigen.IntRange(lo, hi))
			bigen.At(c, &t.L, genTree(lo, t.X-1))
			bigen.At(c, &t.R, genTree(t.X+1, hi))
		})),
	)
}

func rapidTree(t *rapid.T, lo, hi int) *tree {
	if lo > hi || rapid.IntRange(0, 1).Draw(t, "node") == 0 {
		return nil
	}
	x := rapid.IntRange(lo, hi).Draw(t, "x")
	return &tree{X: x, L: rapidTree(t, lo, x-1), R: rapidTree(t, x+1, hi)}
}

func (t *tree) size() int {
	if t == nil {
		return 0
	}
	return 1 + t.L.size() + t.R.size()
}

func (t *tree) insert(x int) *tree {
	switch {
	case t == nil:
		return &tree{X: x}
	case x < t.X:
		t.L = t.L.insert(x)
	case x > t.X:
		t.R = t.R.insert(x)
	}
	return t
}

// keys returns the keys of t in preorder.
func (t *tree) keys() []int {
	if t == nil {
		return nil
	}
	return append(append([]int{t.X}, t.L.keys()...), t.R.keys()...)
}

// key returns a text that identifies the tree.
func (t *tree) key() string {
	var b []byte
	for _, x := range t.keys() { // in preorder, keys determine the shape
		b = binary.AppendUvarint(b, uint64(x))
	}
	return string(b)
}
