// Package bitset has bugs of github.com/bits-and-blooms/bitset.
package bitset

import (
	"fmt"

	"github.com/bits-and-blooms/bitset"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/bitset"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[query]{
		Name:   "bitset/1",
		Title:  "PreviousSet finds nothing from an index beyond the last word",
		Source: source,
		Gen:    genQuery,
		Rapid:  rapidQuery,
		Fails: func(q query) string {
			got, ok := q.Set.build().PreviousSet(q.Index)
			want, wantOK := q.Set.before(q.Index, true)
			if got != want || ok != wantOK {
				return fmt.Sprintf("PreviousSet(%d) = %d, %t; want %d, %t", q.Index, got, ok, want, wantOK)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[pair]{
		Name:   "bitset/3",
		Title:  "InPlaceIntersection extends the receiver, Intersection does not",
		Source: source,
		Gen:    genPair,
		Rapid:  rapidPair,
		Fails: func(p pair) string {
			a, b := p.A.build(), p.B.build()
			want := a.Intersection(b)
			a.InPlaceIntersection(b)
			if !a.Equal(want) {
				return fmt.Sprintf("in place %v, else %v", a, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[pair]{
		Name:   "bitset/4",
		Title:  "Copy clears bits of the destination beyond the length of the source",
		Source: source,
		Gen:    genPair,
		Rapid:  rapidPair,
		Fails: func(p pair) string {
			from, to := p.A.build(), p.B.build()
			n := from.Copy(to)
			for i := range to.Len() {
				want := p.B.has(i)
				if i < n {
					want = p.A.has(i)
				}
				if to.Test(i) != want {
					return fmt.Sprintf("bit %d is %t after Copy returned %d", i, !want, n)
				}
			}
			return ""
		},
	}),
}

// A set is what a BitSet is made of.
type set struct {
	Len  uint
	Bits []uint // each below Len
}

func (s set) build() *bitset.BitSet {
	b := bitset.New(s.Len)
	for _, i := range s.Bits {
		b.Set(i)
	}
	return b
}

func (s set) has(i uint) bool {
	for _, x := range s.Bits {
		if x == i {
			return true
		}
	}
	return false
}

// before returns the last index up to i at which the bit is as given.
func (s set) before(i uint, bit bool) (uint, bool) {
	for j := int(i); j >= 0; j-- {
		if j < int(s.Len) && s.has(uint(j)) == bit {
			return uint(j), true
		}
	}
	return 0, false
}

const mostBits = 200

var genSet = bigen.Struct(func(c *bigen.C, s *set) {
	bigen.At(c, &s.Len, bigen.IntRange[uint](0, mostBits))
	if s.Len > 0 {
		bigen.At(c, &s.Bits, bigen.SliceOf(bigen.IntRange(0, s.Len-1), 0, 20))
	}
})

func rapidSet(t *rapid.T, name string) (s set) {
	s.Len = rapid.UintRange(0, mostBits).Draw(t, name+".Len")
	if s.Len > 0 {
		s.Bits = rapid.SliceOfN(rapid.UintRange(0, s.Len-1), 0, 20).Draw(t, name+".Bits")
	}
	return s
}

// A query asks for a bit near an index.
type query struct {
	Set   set
	Index uint
}

var genQuery = bigen.Struct(func(c *bigen.C, q *query) {
	bigen.At(c, &q.Set, genSet)
	bigen.At(c, &q.Index, bigen.IntRange[uint](0, mostBits+80))
})

func rapidQuery(t *rapid.T) query {
	return query{rapidSet(t, "set"), rapid.UintRange(0, mostBits+80).Draw(t, "index")}
}

type pair struct{ A, B set }

var genPair = bigen.Struct(func(c *bigen.C, p *pair) {
	bigen.At(c, &p.A, genSet)
	bigen.At(c, &p.B, genSet)
})

func rapidPair(t *rapid.T) pair { return pair{rapidSet(t, "a"), rapidSet(t, "b")} }
