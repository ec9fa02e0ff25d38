package bigen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"golang.org/x/exp/slices"
)

// The laws hold for what is composed of lawful parts, however it is composed: a
// zoo of generators made at random.
func TestZoo(t *testing.T) {
	for seed := range uint64(long.Count(6, 150)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			z := zoo{r: rng(seed)}
			g := z.gen(4)
			defer func() {
				if t.Failed() {
					t.Logf("the generator: %s", z.text)
				}
			}()
			bigentest.Laws(t, g, bigentest.Runs(5), bigentest.Seed(seed))
			checkForests(t, g)
		})
	}
}

// A zoo makes generators at random, and tells what it makes.
type zoo struct {
	r    *rand.Rand
	text string
	pool []bigen.Gen[any] // what has been made so far
}

// animal is what a Struct of the zoo makes.
type animal struct{ A, B, C any }

// tags has few tags, so that alternatives share them, and two that the byte format
// cannot tell apart.
var tags = append([]string{"", "stop", "more"}, sameCode()...)

// sameCode returns two tags with the same code.
func sameCode() []string {
	first := map[string]string{}
	for i := 0; ; i++ {
		tag := fmt.Sprint("t", i)
		b := encodedTag(tag)
		if other, ok := first[b]; ok {
			return []string{other, tag}
		}
		first[b] = tag
	}
}

// encodedTag returns the encoding of a pick that took tag.
func encodedTag(tag string) string {
	var c choices.Choice
	c.Take([]choices.Alt{bigen.NewAlt(tag, 1), bigen.NewAlt("", 1)}, 0)
	return string(choices.Encode(choices.Tree{c}))
}

// gen makes a generator, or returns one made before: so alternatives may begin
// alike, or be the same.
func (z *zoo) gen(depth int) bigen.Gen[any] {
	if n := len(z.pool); n > 0 && z.r.IntN(3) == 0 {
		n = z.r.IntN(n)
		z.text += fmt.Sprintf("#%d ", n)
		return z.pool[n]
	}
	g := z.fresh(depth)
	z.text += fmt.Sprintf("=#%d ", len(z.pool))
	z.pool = append(z.pool, g)
	return g
}

func (z *zoo) fresh(depth int) bigen.Gen[any] {
	if depth == 0 {
		return z.leaf()
	}
	switch z.r.IntN(10) {
	case 0, 1, 2, 3:
		return z.pick(depth)
	case 4, 5:
		return z.structure(depth)
	case 6:
		lo := z.r.IntN(3)
		z.text += fmt.Sprintf("SliceOf %d.. (", lo)
		g := erase(bigen.SliceOf(z.gen(depth-1), lo, lo+z.r.IntN(4)))
		z.text += ") "
		return g
	case 7:
		return z.filter(depth)
	case 8:
		z.text += "Lazy "
		g := z.gen(depth - 1)
		return bigen.Lazy(func() bigen.Gen[any] { return g })
	}
	z.text += "Iso "
	return bigen.Iso(z.gen(depth-1),
		func(v any) any { return animal{B: v} },
		func(v any) (any, bool) {
			a, ok := v.(animal)
			return a.B, ok && a.A == nil && a.C == nil
		})
}

func (z *zoo) leaf() bigen.Gen[any] {
	switch z.r.IntN(7) {
	case 0:
		z.text += "Just "
		return bigen.Just[any]([]any{nil, 1, "a"}[z.r.IntN(3)])
	case 1:
		z.text += "Bool "
		return erase(bigen.Bool())
	case 2:
		z.text += "String "
		return erase(bigen.String(z.r.IntN(4)))
	case 3:
		z.text += "uint8 "
		lo := z.r.IntN(200)
		return erase(bigen.IntRange(uint8(lo), uint8(lo+z.r.IntN(55))))
	case 4:
		z.text += "uint64 "
		return erase(bigen.IntRange(0, uint64(1)<<z.r.IntN(64)))
	}
	lo := z.r.IntN(100) - 50
	z.text += "int "
	return erase(bigen.IntRange(lo, lo+[]int{0, 1, 100, 1 << 20}[z.r.IntN(4)]))
}

// pick makes a Pick of one to four alternatives. What its branches ask first may
// be a pick, an integer, a text or nothing.
func (z *zoo) pick(depth int) bigen.Gen[any] {
	z.text += "Pick(begin "
	begin := z.gen(0)
	var alts []bigen.Alt[any]
	for i := range 1 + z.r.IntN(4) {
		d := z.r.IntN(depth)
		if i == 0 {
			d = 0
		}
		tag := tags[z.r.IntN(len(tags))]
		z.text += fmt.Sprintf("%q: ", tag)
		g := z.gen(d)
		// begins like another: what was read of that must be forgotten
		if i > 0 && z.r.IntN(3) == 0 {
			z.text += "Struct(begin, that) "
			begin, that := begin, g
			g = erase(bigen.Struct(func(s *bigen.C, x *animal) {
				bigen.At(s, &x.A, begin)
				bigen.At(s, &x.B, that)
			}))
		}
		alts = append(alts, bigen.Tag(tag, g).Weight(float64(z.r.IntN(4))))
	}
	z.text += ") "
	return bigen.Pick(alts...)
}

// filter makes a SuchThat that some value passes, with that as a fallback or not.
func (z *zoo) filter(depth int) bigen.Gen[any] {
	z.text += "SuchThat "
	g, n := z.gen(depth-1), uint32(2+z.r.IntN(3))
	passes, err := bigen.Decode(g, []byte{byte(z.r.Uint32())})
	test := func(v any) bool { return hash(v)%n > 0 || err == nil && hash(v) == hash(passes) }
	if err == nil && z.r.IntN(2) == 0 {
		return bigen.SuchThat(g, test, passes)
	}
	return bigen.SuchThat(g, test)
}

// structure makes a Struct that fills its fields in any order, perhaps one by a
// Let, one computed and one not at all, and one that depends on another.
func (z *zoo) structure(depth int) bigen.Gen[any] {
	z.text += "Struct("
	defer func() { z.text += ") " }()
	a, b, c := z.gen(depth-1), z.gen(depth-1), z.leaf()
	swap, let := z.r.IntN(2) == 0, z.r.IntN(3) == 0
	return erase(bigen.Struct(func(s *bigen.C, x *animal) {
		if let {
			x.C = bigen.Let(s, x, func(x *animal) (any, bool) { return x.C, true }, c)
		}
		if swap {
			bigen.At(s, &x.B, b)
		}
		bigen.At(s, &x.A, a)
		if !swap && hash(x.A)%2 == 0 {
			bigen.At(s, &x.B, b)
		}
	}))
}

// erase makes the values of g as values of any type.
func erase[A any](g bigen.Gen[A]) bigen.Gen[any] {
	return bigen.Iso(g, func(v A) any { return v }, func(v any) (A, bool) {
		a, ok := v.(A)
		return a, ok
	})
}

// hash returns a hash of what v looks like.
func hash(v any) uint32 {
	h := uint32(1)
	for _, b := range []byte(fmt.Sprint(v)) {
		h = h*16777619 ^ uint32(b)
	}
	return h >> 8
}

func TestSameCode(t *testing.T) {
	two := sameCode()
	if encodedTag(two[0]) != encodedTag(two[1]) || slices.Contains(tags[:3], two[0]) {
		t.Fatal(two)
	}
}
