package choices

import (
	"math"
	"math/rand/v2"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// The probabilities of all texts of a small space sum to 1, and they are the probabilities of
// the texts drawn.
func TestTextProb(t *testing.T) {
	t.Parallel()
	for _, q := range []*Question{
		{Max: 3, Alphabet: Chars("abc")},
		{Min: 2, Max: 5, Alphabet: Chars("β0")},
		{Min: 1, Max: 15, Alphabet: Chars("x")},
		{Min: 7, Max: 400, Alphabet: Chars("x")},
		{Min: 1, Max: 1, Alphabet: RuneRanges(0, 255)},
		{Min: 1, Max: 1, Alphabet: Class(unicode.Greek)},
		{Min: 1, Max: 1, Alphabet: RuneRanges(
			'a', 'z', 0xF0, 0x3FF, 0x5D0, 0x5D5, 0x10000, 0x10FFF,
		)},
		{Min: 1, Max: 1},
	} {
		sum, all := 0.0, 0
		var add func(s string, n int)
		add = func(s string, n int) {
			if n >= q.Min {
				sum += textProb(q, s)
				all++
			}
			for i := 0; n < q.Max && i < q.Alphabet.Len(); i++ {
				add(s+string(q.Alphabet.At(i)), n+1)
			}
		}
		add("", 0)
		require.InDelta(t, 1, sum, 1e-12, "%d to %d of %v", q.Min, q.Max, q.Alphabet)

		n := float64(long.Count(500, 20_000))
		r := rand.New(rand.NewPCG(1, 1))
		drawn := map[string]int{}
		for range int(n) {
			s := q.DrawText(r.Uint64())
			require.Equal(t, s, q.FitText(s))
			drawn[s]++
		}
		for s, k := range drawn {
			p := textProb(q, s)
			require.Positive(t, p)
			if p*n > 20 {
				require.InDelta(t, p*n, k, 6*math.Sqrt(p*n), "%q", s)
			}
		}
	}
	q := &Question{Min: 1, Max: 3, Alphabet: Chars("ab")}
	for _, s := range []string{"", "abab", "abc", "\xff"} {
		require.Zero(t, textProb(q, s), "%q", s)
	}
	require.Zero(t, textProb(&Question{Max: 3}, "\u0100"))
	require.Zero(t, textProb(&Question{Max: 3}, "\xff"))
	long := (&Question{Min: 1000, Max: 1000}).DrawText(1)
	require.InDelta(t, -4600, textLogProb(&Question{Min: 1000, Max: 1000}, long), 1000)
}

// Every rune has its place in the order of plainness.
func TestOrdinals(t *testing.T) {
	t.Parallel()
	n := 0
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			require.Equal(t, ordinal(utf8.RuneError), ordinal(r))
			continue
		}
		n++
		if ordinalRune(ordinal(r)) != r {
			require.Equal(t, r, ordinalRune(ordinal(r)))
		}
	}
	require.EqualValues(t, validRunes, n)
	require.Equal(t, rune(utf8.MaxRune), ordinalRune(validRunes-1))
}

// What is drawn instead of a text is another, if there is any.
func TestOtherText(t *testing.T) {
	t.Parallel()
	for _, q := range []*Question{
		{Max: 1, Alphabet: Chars("x")},
		{Min: 3, Max: 3, Alphabet: Chars("xy")},
		{Min: 1, Max: 2, Alphabet: Chars("ж")},
		{Min: 1, Max: 1},
	} {
		for u := range uint64(100) {
			s := q.DrawText(u)
			other := q.otherText(s, u)
			require.NotEqual(t, s, other)
			require.Equal(t, other, q.FitText(other))
		}
	}
	require.Equal(t, "x", (&Question{Min: 1, Max: 1, Alphabet: Chars("x")}).otherText("x", 1))
}

func textProb(q *Question, s string) float64 { return math.Exp(textLogProb(q, s)) }
