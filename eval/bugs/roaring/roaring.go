// Package roaring has bugs of github.com/RoaringBitmap/roaring.
package roaring

import (
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/roaring"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[query]{
		Name:   "roaring/3",
		Title:  "NextAbsentValue returns present values of a bitmap container",
		Source: source,
		Gen:    genQuery,
		Rapid:  rapidQuery,
		Fails: func(q query) string {
			b := q.Set.build()
			want := q.Value
			for b.Contains(want) {
				want++
			}
			if want >= container { // roaring/1 and roaring/2
				return ""
			}
			if got := b.NextAbsentValue(q.Value); got != int64(want) {
				return fmt.Sprintf("NextAbsentValue(%d) = %d; want %d", q.Value, got, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[union]{
		Name:   "roaring/4",
		Title:  "ParHeapOr's result shares containers with its arguments",
		Source: source,
		Gen:    genUnion,
		Rapid:  rapidUnion,
		Fails: func(u union) string {
			a, b := u.A.build(), u.B.build()
			r := roaring.ParHeapOr(0, a, b)
			if !r.Equals(roaring.Or(a, b)) {
				return "ParHeapOr is not Or"
			}
			if !r.CheckedAdd(u.Value) {
				r.Remove(u.Value)
			}
			if !a.Equals(u.A.build()) || !b.Equals(u.B.build()) {
				return fmt.Sprintf("toggling %d in the result changes an argument", u.Value)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[shift]{
		Name:   "roaring/9",
		Title:  "AddOffset64 can make a bitmap that cannot be serialized",
		Source: source,
		Gen:    genShift,
		Rapid:  rapidShift,
		Fails: func(s shift) string {
			r := roaring.AddOffset64(s.Set.build(), s.By)
			text, err := r.ToBytes()
			if err != nil {
				return err.Error()
			}
			back := roaring.New()
			if _, err := back.FromBuffer(text); err != nil {
				return err.Error()
			}
			if !back.Equals(r) {
				return "another set is read back"
			}
			return ""
		},
	}),
	bug.New(bug.Spec[pair]{
		Name:   "roaring/12",
		Title:  "Xor in place changes its argument",
		Source: source,
		Gen:    genPair,
		Rapid:  rapidPair,
		Fails: func(p pair) string {
			a, b := p.A.build(), p.B.build()
			want := roaring.Xor(a, b)
			a.Xor(b)
			switch {
			case !a.Equals(want):
				return "Xor in place is not Xor"
			case !b.Equals(p.B.build()):
				return "Xor changes its argument"
			}
			return ""
		},
	}),
}

// container is how many values a container is for.
const container = 1 << 16

// A part is values at equal distances.
type part struct {
	From, Len, Step uint32
	Range           bool // add them as a range, if the distance is 1
}

// A set is what a Bitmap is made of.
type set struct {
	Parts    []part
	Optimize bool
}

func (s set) build() *roaring.Bitmap {
	b := roaring.New()
	for _, p := range s.Parts {
		if p.Range && p.Step == 1 {
			b.AddRange(uint64(p.From), uint64(p.From)+uint64(p.Len))
			continue
		}
		values := make([]uint32, p.Len)
		for i := range values {
			values[i] = p.From + uint32(i)*p.Step
		}
		b.AddMany(values)
	}
	if s.Optimize {
		b.RunOptimize()
	}
	return b
}

const (
	mostContainers = 4
	mostLen        = 10_000
	mostStep       = 3
)

// genSet makes sets that begin below a value.
func genSet(end uint32) bigen.Gen[set] {
	return bigen.Struct(func(c *bigen.C, s *set) {
		bigen.At(c, &s.Parts, bigen.SliceOf(bigen.Struct(func(c *bigen.C, p *part) {
			bigen.At(c, &p.From, bigen.IntRange(0, end-1))
			bigen.At(c, &p.Len, bigen.IntRange[uint32](1, mostLen))
			bigen.At(c, &p.Step, bigen.IntRange[uint32](1, mostStep))
			bigen.At(c, &p.Range, bigen.Bool())
		}), 0, 3))
		bigen.At(c, &s.Optimize, bigen.Bool())
	})
}

func rapidSet(t *rapid.T, name string, end uint32) set {
	parts := rapid.Custom(func(t *rapid.T) part {
		return part{
			From:  rapid.Uint32Range(0, end-1).Draw(t, "From"),
			Len:   rapid.Uint32Range(1, mostLen).Draw(t, "Len"),
			Step:  rapid.Uint32Range(1, mostStep).Draw(t, "Step"),
			Range: rapid.Bool().Draw(t, "Range"),
		}
	})
	return set{
		Parts:    rapid.SliceOfN(parts, 0, 3).Draw(t, name+".Parts"),
		Optimize: rapid.Bool().Draw(t, name+".Optimize"),
	}
}

// A query asks for an absent value from a value of the first container on.
type query struct {
	Set   set
	Value uint32
}

var genQuery = bigen.Struct(func(c *bigen.C, q *query) {
	bigen.At(c, &q.Set, genSet(container))
	bigen.At(c, &q.Value, bigen.IntRange[uint32](0, container-1))
})

func rapidQuery(t *rapid.T) query {
	return query{rapidSet(t, "set", container), rapid.Uint32Range(0, container-1).Draw(t, "value")}
}

// A union has a value that a test toggles in it.
type union struct {
	A, B  set
	Value uint32
}

var genUnion = bigen.Struct(func(c *bigen.C, u *union) {
	bigen.At(c, &u.A, genSet(mostContainers*container))
	bigen.At(c, &u.B, genSet(mostContainers*container))
	bigen.At(c, &u.Value, bigen.IntRange[uint32](0, mostContainers*container-1))
})

func rapidUnion(t *rapid.T) union {
	return union{
		A:     rapidSet(t, "a", mostContainers*container),
		B:     rapidSet(t, "b", mostContainers*container),
		Value: rapid.Uint32Range(0, mostContainers*container-1).Draw(t, "value"),
	}
}

type shift struct {
	Set set
	By  int64
}

var genShift = bigen.Struct(func(c *bigen.C, s *shift) {
	bigen.At(c, &s.Set, genSet(mostContainers*container))
	bigen.At(c, &s.By, bigen.IntRange[int64](-2*container, 2*container))
})

func rapidShift(t *rapid.T) shift {
	return shift{rapidSet(t, "set", mostContainers*container),
		rapid.Int64Range(-2*container, 2*container).Draw(t, "by")}
}

type pair struct{ A, B set }

var genPair = bigen.Struct(func(c *bigen.C, p *pair) {
	bigen.At(c, &p.A, genSet(mostContainers*container))
	bigen.At(c, &p.B, genSet(mostContainers*container))
})

func rapidPair(t *rapid.T) pair {
	return pair{rapidSet(t, "a", mostContainers*container), rapidSet(t, "b", mostContainers*container)}
}
