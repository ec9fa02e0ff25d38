package rl

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }

// pure is a policy that makes every choice at random and learns nothing.
func pure() Option { return MonteCarlo(1, Sequence(0), Rewards{}) }

// answer asks a source one question and returns the answer: an int, int64 or string.
func answer(src choices.Source, q *choices.Question) any {
	switch q.Kind {
	case choices.Pick:
		n := src.Pick(q)
		src.Leave()
		return n
	case choices.Text:
		return src.Text(q)
	}
	return src.Int(q)
}

// once lets a Guide answer q again and again. It requires that every answer is in range,
// that no answer occurs twice, and that all n have occurred when the trie is exhausted.
func once(t *testing.T, q *choices.Question, n int) {
	t.Helper()
	g := New(seeded(uint64(n)))
	seen, inputs := map[any]bool{}, map[uint64]bool{}
	for range n {
		if g.trie.exhausted() {
			t.Fatalf("exhausted after %d of %d", len(seen), n)
		}
		v := answer(g.Begin(), q)
		requireInRange(t, q, v)
		if seen[v] || inputs[g.Input()] {
			t.Fatalf("%v is made twice", v)
		}
		seen[v], inputs[g.Input()] = true, true
		if g.Input()%3 == 0 {
			g.Invalid()
		} else if !g.Valid(g.Input()) {
			t.Fatalf("%v is not unique", v)
		}
	}
	require.True(t, g.trie.exhausted(), "%d answers, and that is not all", n)
	for range 5 { // then, any again
		requireInRange(t, q, answer(g.Begin(), q))
		require.True(t, inputs[g.Input()], "a new input of an answer that is not new")
		g.Invalid()
	}
}

func requireInRange(t *testing.T, q *choices.Question, v any) {
	ok := false
	switch v := v.(type) {
	case int:
		ok = uint(v) < uint(len(q.Alts))
	case int64:
		ok = v == q.Kind.Clamp(v, q.Lo, q.Hi)
	case string:
		ok = v == q.FitText(v)
	}
	if !ok { // require.True would cost more than the answer
		t.Helper()
		t.Fatalf("%v does not answer %+v", v, q)
	}
}

// span is a range of integers. A Uint has their bits.
type span struct {
	kind   choices.Kind
	lo, hi int64
}

func (s span) question() *choices.Question {
	return &choices.Question{Kind: s.kind, Lo: s.lo, Hi: s.hi, Slot: 1}
}

func uints(lo, hi uint64) span { return span{choices.Uint, int64(lo), int64(hi)} }
func ints(lo, hi int64) span   { return span{choices.Int, lo, hi} }

func TestEveryIntegerOnce(t *testing.T) {
	t.Parallel()
	for _, s := range []span{
		ints(0, 1), ints(0, 15), ints(0, 16), ints(1, 16), ints(-1, 0), ints(-1, 1), ints(-8, 7),
		ints(-16, -1),
		ints(-7, 200), ints(3, 3+239), ints(0, 255), ints(0, 256), ints(15, 256), ints(-128, 127),
		ints(-129, 128),
		ints(-300, 5), ints(-5, 300), ints(-3, 300), ints(-300, 300), ints(-1000, -500),
		ints(500, 1000), ints(-1000, 2000), ints(7, 4200), ints(-4200, 0),
		ints(math.MaxInt64-1, math.MaxInt64), ints(math.MaxInt64-20, math.MaxInt64),
		ints(math.MaxInt64-1000, math.MaxInt64),
		ints(math.MinInt64, math.MinInt64+1), ints(math.MinInt64, math.MinInt64+20),
		ints(math.MinInt64, math.MinInt64+1000),
		uints(0, 1), uints(0, 255), uints(0, 256), uints(5, 1000), uints(250, 260), uints(0, 4095),
		uints(0, 4096),
		uints(math.MaxInt64-5, math.MaxInt64+5), uints(math.MaxInt64-500, math.MaxInt64+500),
		uints(math.MaxUint64-1, math.MaxUint64), uints(math.MaxUint64-20, math.MaxUint64),
		uints(math.MaxUint64-1000, math.MaxUint64),
	} {
		t.Run(fmt.Sprintf("%v/%d", s.kind, s.lo), func(t *testing.T) {
			once(t, s.question(), int(uint64(s.hi)-uint64(s.lo)+1))
		})
	}
}

func TestEveryIntegerOnceOfSmallRanges(t *testing.T) {
	t.Parallel()
	for lo := int64(-20); lo < 20; lo += 3 {
		for n := int64(1); n < 300; n += 1 + n/5 {
			once(t, ints(lo, lo+n).question(), int(n+1))
		}
	}
}

func randomSpan(r *rand.Rand) span {
	wide := func() uint64 { return r.Uint64() >> r.IntN(64) }
	s := span{choices.Int, int64(wide()), int64(wide())}
	if r.IntN(2) == 0 {
		s.lo = -s.lo
	}
	if r.IntN(4) == 0 {
		s.hi = -s.hi
	}
	if r.IntN(2) == 0 {
		s.kind = choices.Uint
	}
	switch r.IntN(6) {
	case 0:
		s.hi = s.lo + int64(r.IntN(600)+1)
	case 1:
		s.lo = s.hi - int64(r.IntN(600)+1)
	case 2:
		s.hi = []int64{math.MaxInt64, -1}[s.kind-choices.Int] // of Uint, all bits
	case 3:
		s.lo = []int64{math.MinInt64, 0}[s.kind-choices.Int]
	}
	if s.lo == s.hi {
		s.hi++
	}
	if s.kind.Less(s.hi, s.lo) {
		s.lo, s.hi = s.hi, s.lo
	}
	return s
}

// A replay gives the integer of the tree, in any range, and equal choices make equal
// inputs.
func TestWantedInteger(t *testing.T) {
	t.Parallel()
	r := seeded(1)
	for range long.Count(100, 4000) {
		s := randomSpan(r)
		q := s.question()
		g := New(r)
		first := map[uint64]int64{}
		for i := range 12 {
			var want int64
			switch i {
			case 0:
				want = s.lo
			case 1:
				want = s.hi
			case 2:
				want = s.kind.Origin(s.lo, s.hi)
			case 3, 4:
				want = s.kind.Clamp(s.kind.Origin(s.lo, s.hi)+int64(r.IntN(40)-20), s.lo, s.hi)
			default:
				want = s.kind.Clamp(int64(r.Uint64()>>r.IntN(64)), s.lo, s.hi)
				if r.IntN(2) == 0 {
					want = int64(uint64(s.lo) + uint64(s.hi) - uint64(want)) // mirrored
				}
			}
			got := answer(g.Replay(choices.Tree{{Kind: s.kind, Slot: 1, N: want, Lo: s.lo, Hi: s.hi}}), q)
			require.Equal(t, want, got, "%+v", s)
			if v, ok := first[g.Input()]; ok {
				require.Equal(t, v, got, "one input for two integers of %+v", s)
			}
			first[g.Input()] = want
			g.Valid(g.Input())
			requireInRange(t, q, answer(g.Begin(), q))
			g.Invalid()
		}
	}
}

// In large ranges, all magnitudes occur on both sides of the origin.
func TestIntegerMagnitudes(t *testing.T) {
	t.Parallel()
	spans := []span{
		ints(math.MinInt64, math.MaxInt64), ints(-1000000, 1<<40), uints(0, math.MaxUint64),
		ints(0, math.MaxInt64), ints(math.MinInt64, 0), ints(-70000, 300), ints(-1<<62, -1<<20),
		uints(1000, 1<<50),
	}
	for _, s := range spans[:long.Count(3, len(spans))] {
		for _, opts := range [][]Option{nil, {pure()}} {
			g := New(seeded(1), opts...)
			lengths := map[int]int{} // negative: below the origin
			origin := s.kind.Origin(s.lo, s.hi)
			const runs = 3000
			for range runs {
				n := answer(g.Begin(), s.question()).(int64)
				requireInRange(t, s.question(), n)
				g.Valid(g.Input())
				if s.kind.Less(n, origin) {
					lengths[-bits.Len64(uint64(origin)-uint64(n))]++
				} else {
					lengths[bits.Len64(uint64(n)-uint64(origin))]++
				}
			}
			for l := -bits.Len64(uint64(origin) - uint64(s.lo)); l <= bits.Len64(
				uint64(s.hi)-uint64(origin)); l++ {
				// Near the origin, lengths share a decision, and integers are few.
				if l < -3 || l > 3 || l == 0 {
					require.NotZero(t, lengths[l], "no integer of %d bits, of %+v", l, s)
				}
				require.Less(t, lengths[l], runs*3/4)
			}
		}
	}
}

// A random policy draws the integers of small ranges evenly.
func TestIntegersEvenly(t *testing.T) {
	t.Parallel()
	for _, s := range []span{ints(0, 9), ints(-3, 99), ints(10, 40), uints(250, 260), ints(0, 255)} {
		g := New(seeded(1), pure())
		n := int(s.hi-s.lo) + 1
		counts := map[int64]int{}
		const each = 200
		for range n * each {
			counts[answer(g.Begin(), s.question()).(int64)]++
			g.Invalid()
		}
		chi := 0.0
		for v := s.lo; v <= s.hi; v++ {
			d := float64(counts[v] - each)
			chi += d * d / each
		}
		require.Less(t, chi, float64(n)+5*math.Sqrt(2*float64(n)), "%+v", s)
	}
}

func alternatives(n int, weight func(i int) float64) *choices.Question {
	q := &choices.Question{Kind: choices.Pick, Slot: 1}
	for i := range n {
		q.Alts = append(q.Alts, choices.Alt{
			Tag:    fmt.Sprint("alternative ", i),
			Weight: weight(i),
			Code:   hash.TagCode(fmt.Sprint("alternative ", i)),
		})
	}
	return q
}

func even(int) float64 { return 1 }

func TestEveryAlternativeOnce(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 3, 15, 16, 17, 31, 32, 33, 65, 100, 256, 257, 300, 1025} {
		once(t, alternatives(n, even), n)
		once(t, alternatives(n, func(i int) float64 { return float64(i % 3) }), n-(n+2)/3) // not weight 0
		once(t, alternatives(n, func(i int) float64 { return 0 }), n)
	}
}

func TestWantedAlternative(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 16, 17, 100, 300, 5000} {
		q := alternatives(n, even)
		g := New(seeded(uint64(n)))
		inputs := map[uint64]int{}
		for want := 0; want < n; want += 1 + n/400 {
			got :=
				answer(
					g.Replay(
						choices.Tree{{Kind: choices.Pick, Slot: 1, Tag: q.Alts[want].Tag, N: int64(want)}}), q)
			require.Equal(t, q.Alts[want].Tag, q.Alts[got.(int)].Tag)
			if n > 1 {
				require.NotContains(t, inputs, g.Input())
			}
			inputs[g.Input()] = want
			g.Valid(g.Input())
		}
	}
}

// A random policy draws alternatives by weight, even if there are many.
func TestAlternativesByWeight(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 16, 17, 100, 300} {
		weight := func(i int) float64 { return float64(i%4) * 1.5 }
		q := alternatives(n, weight)
		total := 0.0
		for i := range n {
			total += weight(i)
		}
		g := New(seeded(uint64(n)), pure())
		counts := make([]int, n)
		runs := long.Count(1000, 40000)
		for range runs {
			counts[answer(g.Begin(), q).(int)]++
			g.Invalid()
		}
		chi := 0.0
		for i, c := range counts {
			want := weight(i) / total * float64(runs)
			if want == 0 {
				require.Zero(t, c, "alternative %d of %d has weight 0", i, n)
				continue
			}
			chi += (float64(c) - want) * (float64(c) - want) / want
		}
		require.Less(t, chi, float64(n)+5*math.Sqrt(2*float64(n)), "of %d", n)
	}
}

// Alternatives of weight 0 occur only in replays.
func TestAlternativesWithoutWeight(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 16, 17, 300} {
		q := alternatives(n, func(i int) float64 { return float64(i % 2) })
		for _, opts := range [][]Option{nil, {pure()}} {
			g := New(seeded(1), opts...)
			example := choices.Tree{{Kind: choices.Pick, Slot: 1, Tag: q.Alts[0].Tag}}
			require.Zero(t, answer(g.Replay(example), q))
			g.Valid(g.Input())
			for range 3 * n {
				if i := answer(g.Begin(), q).(int); i%2 == 0 {
					t.Fatalf("alternative %d of %d", i, n)
				}
				g.Valid(g.Input())
			}
			require.Zero(t, answer(g.Replay(example), q))
		}
	}
}

// Weights beyond the range of a float32 keep their proportions.
func TestAlternativesOfExtremeWeight(t *testing.T) {
	t.Parallel()
	for _, unit := range []float64{1e99, 1e-300, math.SmallestNonzeroFloat64 * 8, 1e38} {
		for _, n := range []int{4, 40} {
			q := alternatives(n, func(i int) float64 { return float64(1+i%2) * unit })
			g := New(seeded(1), pure())
			odd := 0
			for range 3000 {
				odd += answer(g.Begin(), q).(int) % 2
				g.Invalid()
			}
			require.InDelta(t, 2000, odd, 150, "%d of %g", n, unit)
		}
	}
}

func runesFrom(first rune, n int) *choices.Alphabet {
	return choices.RuneRanges(first, first+rune(n)-1)
}

var alphabets = []struct {
	name string
	a    *choices.Alphabet
}{
	{"one", choices.Chars("x")}, {"two", choices.Chars("ab")}, {"16", runesFrom('a', 16)},
	{"17", runesFrom('a', 17)}, {"not ASCII", runesFrom('α', 20)},
	{"256", runesFrom('!', 256)}, {"257", runesFrom('!', 257)},
	{"300 beyond ASCII", runesFrom(0x4000, 300)}, {"printable", runesFrom(' ', 95)}, {"all", nil},
}

// Every text of a few runes occurs once.
func TestEveryTextOnce(t *testing.T) {
	t.Parallel()
	for _, a := range alphabets {
		if a.a == nil {
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			for _, size := range [][2]int{{0, 1}, {1, 1}, {0, 2}, {2, 3}, {0, 12}, {0, 13}, {3, 16},
				{5, 40}} {
				n := 0.0
				for l := size[0]; l <= size[1]; l++ {
					n += math.Pow(float64(a.a.Len()), float64(l))
				}
				if 1 < n && n < 6000 {
					once(t,
						&choices.Question{Kind: choices.Text, Min: size[0], Max: size[1], Alphabet: a.a}, int(n))
				}
			}
		})
	}
}

func TestWantedText(t *testing.T) {
	t.Parallel()
	for _, a := range alphabets {
		t.Run(a.name, func(t *testing.T) {
			r := seeded(1)
			sizes := [][2]int{{0, 3}, {4, 17}, {0, 268}, {0, 1 << 20}, {0, 1}, {4, 16}, {2, 18},
				{0, 100}, {0, 267}, {0, 269}, {5, 300}, {3, 1 << 30}}
			for _, size := range sizes[:long.Count(4, len(sizes))] {
				q := &choices.Question{Kind: choices.Text, Min: size[0], Max: size[1], Alphabet: a.a}
				g := New(r)
				made := map[uint64]string{}
				check := func(text string) {
					if before, ok := made[g.Input()]; ok {
						require.Equal(t, before, text, "one input for two texts")
					}
					made[g.Input()] = text
				}
				for i := range long.Count(18, 30) {
					n := q.Min +
						[]int{0, 1, 2, 11, 12, 13, 14, 15, 20, 255, 256, 257, 267, 268, 269, 300,
							3000, r.IntN(300)}[i%18]
					if i >= 18 {
						n = q.Min + r.IntN(20)
					}
					var b strings.Builder
					for range min(n, q.Max) {
						b.WriteRune(a.a.At(r.IntN(a.a.Len())))
					}
					got := answer(g.Replay(choices.Tree{{Kind: choices.Text, Tag: b.String()}}), q).(string)
					require.Equal(t, b.String(), got)
					check(got)
					g.Valid(g.Input())
					got = answer(g.Begin(), q).(string)
					requireInRange(t, q, got)
					check(got)
					g.Invalid()
				}
			}
		})
	}
}

// A replayed text that is longer than random ones is not mistaken for another.
func TestLongTextRepeated(t *testing.T) {
	t.Parallel()
	q := &choices.Question{Kind: choices.Text, Max: 1000, Alphabet: choices.Chars("x")}
	g := New(seeded(1))
	for n := 260; n < 1000; n += 7 {
		answer(g.Replay(choices.Tree{{Kind: choices.Text, Tag: strings.Repeat("x", n)}}), q)
		g.Valid(g.Input())
	}
	seen := map[any]bool{}
	for !g.trie.exhausted() && len(seen) < 200 {
		v := answer(g.Begin(), q)
		require.False(t, seen[v], "%d times x, again", len(v.(string)))
		seen[v] = true
		g.Valid(g.Input())
	}
}

// A revisit of a long text, all of whose inputs have been made, makes no text that is too
// long.
func TestLongTextReturned(t *testing.T) {
	t.Parallel()
	number := &choices.Question{Kind: choices.Int, Hi: 30}
	text := &choices.Question{Kind: choices.Text, Slot: 1, Max: 288, Alphabet: choices.Chars("x")}
	x := strings.Repeat("x", text.Max)
	for seed := range uint64(long.Count(1, 10)) {
		g := New(seeded(seed))
		src := g.Replay(choices.Tree{{Kind: choices.Int}, {Kind: choices.Text, Slot: 1, Tag: x}})
		answer(src, number)
		require.Equal(t, x, answer(src, text))
		g.Valid(g.Input())
		for range 1000 {
			src := g.Begin()
			answer(src, number)
			requireInRange(t, text, answer(src, text))
			g.Valid(g.Input())
		}
	}
}

// Random texts have all lengths, mostly short ones, and all kinds of runes.
func TestTextsVary(t *testing.T) {
	t.Parallel()
	g := New(seeded(1))
	q := &choices.Question{Kind: choices.Text, Max: 1 << 20}
	lengths, runes, ascii := map[int]int{}, 0, 0
	n := long.Count(1000, 3000)
	for range n {
		s := answer(g.Begin(), q).(string)
		requireInRange(t, q, s)
		g.Valid(g.Input())
		lengths[utf8.RuneCountInString(s)]++
		for _, r := range s {
			runes++
			if ' ' <= r && r <= '~' {
				ascii++
			}
		}
	}
	short, longest := 0, 0
	for n, c := range lengths {
		if n <= shortText {
			short += c
			require.NotZero(t, c)
		}
		longest = max(longest, n)
	}
	require.Greater(t, short, n*2/3)
	require.Greater(t, longest, 200)
	require.LessOrEqual(t, longest, longText)
	require.Greater(t, ascii, runes/2)
	require.Less(t, ascii, runes)
}
