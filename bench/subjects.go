package main

import (
	"math/rand/v2"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// subject is a type of values with the ways to make them. Each function makes or reads
// values and returns the number of their parts.
type subject struct {
	name string
	own  float64 // allocations per part that the value itself needs

	random func() int // from a random source, with its tree
	bytes  func() int // from the bytes of a value
	record func() int // from the bytes of a value, with its tree
	back   func() int // backward

	hand      func() int // hand-written, from bytes of its own format
	rapid     func(*rapid.T) int
	fuzzBytes int // how many bytes rapid.MakeFuzz gets
}

func subjects() []subject {
	return []subject{trees("bst20", 20), trees("bst1000", 1000), ints(), derived()}
}

// A tree is the search tree of the measurements.
type tree struct {
	L, R *tree
	X    int
}

func (t *tree) size() int {
	if t == nil {
		return 0
	}
	return 1 + t.L.size() + t.R.size()
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

// trees measures search trees of n nodes. Those of random sources are small.
func trees(name string, n int) subject {
	g := genTree(0, bound)
	r := rand.New(rand.NewPCG(1, uint64(n)))
	var v *tree
	for range n {
		v = v.insert(r.IntN(bound + 1))
	}
	s := valueSubject(g, v, v.size(), func(t *tree) int { return 1 + t.size() })
	s.name, s.own = name, 1
	var h hand
	h.putTree(v, 0, bound)
	s.hand = func() int {
		h := hand{h.b}
		return h.tree(0, bound).size()
	}
	s.rapid = func(t *rapid.T) int { return 1 + rapidTree(t, 0, bound).size() }
	s.fuzzBytes = 4096
	return s
}

// valueSubject measures g on the value v, of n parts, and on random values.
func valueSubject[A any](g bigen.Gen[A], v A, n int, parts func(A) int) subject {
	b, err := bigen.Encode(g, v)
	if err != nil {
		panic(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	return subject{
		random: func() int {
			v, _, err := bigen.Run(g, choices.Random(r))
			must(err)
			return parts(v)
		},
		bytes: func() int {
			_, err := bigen.Decode(g, b)
			must(err)
			return n
		},
		record: func() int {
			_, _, err := bigen.Run(g, choices.FromBytes(b))
			must(err)
			return n
		},
		back: func() int {
			_, err := bigen.Choices(g, v)
			must(err)
			return n
		},
	}
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

// ints measures slices of integers.
func ints() subject {
	const most = 50
	g := bigen.SliceOf(bigen.IntRange(0, most), 0, 100)
	r := rand.New(rand.NewPCG(1, 3))
	v := make([]int, 50)
	for i := range v {
		v[i] = r.IntN(most + 1)
	}
	s := valueSubject(g, v, len(v), func(v []int) int { return 1 + len(v) })
	s.name = "ints50"
	var h hand
	h.putInts(v)
	s.hand = func() int {
		h := hand{h.b}
		return len(h.ints(most))
	}
	s.rapid = func(t *rapid.T) int {
		return 1 + len(rapid.SliceOfN(rapid.IntRange(0, most), 0, 100).Draw(t, "v"))
	}
	s.fuzzBytes = 4096
	return s
}

// account is the struct whose generators are derived from its type. Its size is
// counted in fields.
type account struct {
	ID      uint32
	Active  bool
	Level   int8
	Scores  [4]uint16
	Address struct{ Zip, Street int32 }
	Parent  *account
}

const accountFields = 10

func (a *account) fields() int {
	if a == nil {
		return 0
	}
	return accountFields + a.Parent.fields()
}

// derived measures the generator of a struct.
func derived() subject {
	g := bigen.For[account]()
	r := rand.New(rand.NewPCG(1, 4))
	var v *account
	for range 5 {
		a := &account{ID: r.Uint32(), Active: r.IntN(2) == 0, Level: int8(r.Uint32()), Parent: v}
		a.Address.Zip, a.Address.Street = int32(r.Uint32()), int32(r.Uint32())
		for i := range a.Scores {
			a.Scores[i] = uint16(r.Uint32())
		}
		v = a
	}
	s := valueSubject(g, *v, v.fields(), func(a account) int { return a.fields() })
	s.name, s.own = "derived", 1./accountFields
	var h hand
	h.putAccount(v)
	s.hand = func() int {
		h := hand{h.b}
		var a account
		h.account(&a)
		return a.fields()
	}
	gen := rapid.Make[account]()
	s.rapid = func(t *rapid.T) int {
		a := gen.Draw(t, "a")
		return a.fields()
	}
	s.fuzzBytes = 4096
	return s
}
