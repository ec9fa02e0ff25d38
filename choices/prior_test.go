package choices_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// prior answers by ask, and records what is reported to it.
type prior struct {
	ask   func(word uint64) int64
	asked int
	told  []string
	begun int
	depth int
}

func (p *prior) Begin() { *p = prior{ask: p.ask, begun: p.begun + 1} }

func (p *prior) Pick(q *choices.Question, word uint64) int {
	if len(q.Alts) < 2 {
		panic("there is no choice")
	}
	p.asked++
	return int(p.ask(word))
}

func (p *prior) Int(q *choices.Question, word uint64) int64 {
	p.asked++
	return p.ask(word)
}

func (p *prior) Text(q *choices.Question, word uint64) string {
	p.asked++
	return fmt.Sprint("by ", p.ask(word), "\xff")
}

func (p *prior) Picked(q *choices.Question, n int) {
	p.depth++
	if q.Retry == 0 && len(q.Alts) > 1 {
		p.told = append(p.told, "pick "+q.Alts[n].Tag)
	}
}

func (p *prior) Leave() { p.depth-- }

func (p *prior) IntGiven(q *choices.Question, n int64) {
	p.told = append(p.told, fmt.Sprint(q.Kind, n))
}

func (p *prior) TextGiven(q *choices.Question, text string) {
	p.told = append(p.told, fmt.Sprint(q.Kind, text))
}

// given returns what a run that records tree reports to a prior.
func given(tree choices.Tree) (all []string) {
	for _, c := range tree {
		switch {
		case c.Kind == choices.Pick && c.Asked():
			all = append(all, "pick "+c.Tag)
		case c.Kind == choices.Text:
			all = append(all, fmt.Sprint(c.Kind, c.Tag))
		case c.Kind != choices.Pick && c.Asked():
			all = append(all, fmt.Sprint(c.Kind, c.N))
		}
	}
	return all
}

// A prior learns all answers and makes those that the bytes leave open. Whatever it answers,
// the encoding of the result stands for the same value without it.
func TestFromBytesBy(t *testing.T) {
	t.Parallel()
	asks := map[string]func(word uint64) int64{
		"word":   func(word uint64) int64 { return int64(word) },
		"small":  func(word uint64) int64 { return int64(word % 3) },
		"0":      func(uint64) int64 { return 0 },
		"wrong":  func(uint64) int64 { return -1 },
		"large":  func(uint64) int64 { return math.MaxInt64 },
		"negate": func(word uint64) int64 { return -int64(word >> 60) },
	}
	for name, ask := range asks {
		t.Run(name, func(t *testing.T) {
			r := rng(31)
			p, other := &prior{ask: ask}, &prior{ask: func(word uint64) int64 {
				return int64(word >> 7)
			}}
			runs, changed := long.Count(10, 300), 0
			for range runs {
				b := make([]byte, r.IntN(60))
				if r.IntN(3) == 0 {
					for i := range b {
						b[i] = byte(r.Uint32())
					}
				} else {
					var err error
					b, err = bigen.Encode(genAll, bigen.Sample(genAll, r))
					require.NoError(t, err)
					for range r.IntN(6) {
						b = mutant(r, b)
					}
				}
				v, tree, err := bigen.Run(genAll, choices.FromBytesBy(b, p))
				require.NoError(t, err)
				require.Equal(t, given(tree), p.told)
				require.Zero(t, p.depth)
				asked := p.asked
				w, again, err := bigen.Run(genAll, choices.FromBytesBy(b, p))
				require.NoError(t, err)
				require.Equal(t, v, w)
				require.Equal(t, tree, again)

				e := choices.Encode(tree)
				for _, source := range []choices.Source{
					choices.FromBytes(e), choices.FromBytesBy(e, p), choices.FromBytesBy(e, other),
				} {
					w, again, err := bigen.Run(genAll, source)
					require.NoError(t, err)
					require.Equal(t, v, w)
					require.Equal(t, tree, again)
				}
				require.Zero(t, p.asked, "nothing is left open")
				require.Equal(t, given(tree), p.told)
				plain, err := bigen.Decode(genAll, b)
				require.NoError(t, err)
				if asked == 0 {
					require.Equal(t, plain, v)
				} else if !equalAll(plain, v) {
					changed++
				}
			}
			require.Greater(t, changed, runs/10)
			require.Equal(t, runs*3, p.begun)
		})
	}
}

// RandomBy asks and tells a prior everything, but lets no prior answer after a filter.
func TestRandomBy(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(word uint64) int64{
		"word":  func(word uint64) int64 { return int64(word) },
		"small": func(word uint64) int64 { return int64(word % 3) },
		"wrong": func(uint64) int64 { return -1 },
		"large": func(uint64) int64 { return math.MaxInt64 },
	} {
		t.Run(name, func(t *testing.T) {
			p := &prior{ask: ask}
			for i := range long.Count(10, 1000) {
				v, tree, err := bigen.Run(genAll, choices.RandomBy(rng(uint64(i)), p))
				require.NoError(t, err)
				require.Equal(t, given(tree), p.told)
				require.Equal(t, i+1, p.begun)
				require.Zero(t, p.depth)
				require.Positive(t, p.asked)
				w, err := bigen.Value(genAll, choices.RandomBy(rng(uint64(i)), p))
				require.NoError(t, err)
				require.Equal(t, v, w)
				p.begun = i + 1
			}
		})
	}

	odd := bigen.SuchThat(bigen.IntRange(0, 100), func(n int) bool { return n%2 == 1 })
	p := &prior{ask: func(uint64) int64 { return 50 }}
	seen := map[int]bool{}
	for i := range 100 {
		v, err := bigen.Value(odd, choices.RandomBy(rng(uint64(i)), p))
		require.NoError(t, err)
		require.Equal(t, 1, p.asked, "the prior answers the first attempt only")
		seen[v] = true
	}
	require.Greater(t, len(seen), 30)
}

// A draw is an answer of Random.
func TestDraw(t *testing.T) {
	t.Parallel()
	p := &prior{}
	for i := range 100 {
		want, err := bigen.Value(genAll, choices.Random(rng(uint64(i))))
		require.NoError(t, err)
		got, err := bigen.Value(genAll, choices.RandomBy(rng(uint64(i)), drawing{p}))
		require.NoError(t, err)
		require.True(t, equalAll(want, got), "%v, not %v", got, want)
	}
}

// drawing is a prior that answers as Random does.
type drawing struct{ *prior }

func (drawing) Pick(q *choices.Question, word uint64) int    { return q.DrawPick(word) }
func (drawing) Int(q *choices.Question, word uint64) int64   { return q.DrawInt(word) }
func (drawing) Text(q *choices.Question, word uint64) string { return q.DrawText(word) }

func equalAll(a, b all) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// Answers that an edit changes or whose record is broken differ, even if a prior repeats the
// old ones.
func TestPriorMakesAnew(t *testing.T) {
	t.Parallel()
	stubborn := func(n int64) choices.Prior { return &prior{ask: func(uint64) int64 { return n }} }
	g := bigen.Pick(
		bigen.Tag("a", bigen.Just(0)), bigen.Tag("b", bigen.Just(1)), bigen.Tag("c", bigen.Just(2)),
	)
	for v := range 3 {
		c, err := bigen.Choices(g, v)
		require.NoError(t, err)
		b := choices.EncodeV1(c)
		require.Len(t, b, 3)
		for bit := range 7 {
			w, err := bigen.Value(
				g, choices.FromBytesBy([]byte{b[0], b[1], b[2] ^ 1<<bit}, stubborn(int64(v))),
			)
			require.NoError(t, err)
			require.NotEqual(t, v, w)
		}
		for rec := 0x80; rec < 0x100; rec++ {
			edited := append([]byte{byte(rec)}, b...)
			w, err := bigen.Value(g, choices.FromBytesBy(edited, stubborn(int64(v))))
			require.NoError(t, err)
			require.NotEqual(t, v, w)
			other := (v + 1) % 3
			w, err = bigen.Value(g, choices.FromBytesBy(edited, stubborn(int64(other))))
			require.NoError(t, err)
			require.Equal(t, other, w)
		}
	}
}

// What a filter has thrown away is made again without the prior, which may know nothing
// else.
func TestPriorIsFiltered(t *testing.T) {
	t.Parallel()
	g := bigen.SuchThat(bigen.IntRange(0, 99), func(n int) bool { return n >= 50 })
	wrong := &prior{ask: func(uint64) int64 { return 7 }}
	for i := range 50 {
		v, tree, err := bigen.Run(g, choices.FromBytesBy([]byte{byte(i)}, wrong))
		require.NoError(t, err)
		require.GreaterOrEqual(t, v, 50)
		require.Equal(t, 1, wrong.asked)
		w, err := bigen.Decode(g, choices.Encode(tree))
		require.NoError(t, err)
		require.Equal(t, v, w)
	}
}
