package mutate_test

import (
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/challenge"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

// Whichever random value fails, Minimize reduces it to the minimal value. It needs no
// more calls of the property than Hypothesis, and not many more runs of the
// generator.
func TestChallenges(t *testing.T) {
	for _, c := range append(challenge.Shrinking(), challenge.Further()...) {
		t.Run(c.Name, func(t *testing.T) {
			var calls, remakes []int
			for seed := range uint64(long.Count(5, challenge.Seeds)) {
				r, err := c.Minimize(seed)
				require.NoError(t, err)
				require.True(t, c.Minimal(r.Value), "%s becomes %s", r.Start, r.Value)
				calls, remakes = append(calls, r.Calls), append(remakes, r.Remakes)
			}
			slices.Sort(calls)
			slices.Sort(remakes)
			n, made := calls[len(calls)/2], remakes[len(remakes)/2]
			t.Logf("median %d calls, %d runs of the generator; at most %d, %d", n, made,
				calls[len(calls)-1], remakes[len(remakes)-1])
			atMost := 150
			switch {
			case c.Published > 0:
				atMost = int(c.Published)
			case strings.HasPrefix(c.Name, "apart/"): // all that moves one or two integers fails first
				atMost = 350
			case strings.HasPrefix(c.Name, "magnitude/") || strings.HasPrefix(c.Name, "insert/at two"):
				atMost = 220
			}
			require.LessOrEqual(t, n, atMost)
			require.LessOrEqual(t, made, 3*n+20)
		})
	}
}

// Whatever fails, the same tree is never tried twice, and no tree that was tried and
// failed is simpler than the result.
func TestMinimizeNeverRepeats(t *testing.T) {
	for _, c := range []challenge.Challenge{challenge.Shrinking()[0], challenge.Shrinking()[1]} {
		a, err := c.Minimize(1)
		require.NoError(t, err)
		b, err := c.Minimize(1)
		require.NoError(t, err)
		require.Equal(t, a, b, "Minimize is deterministic")
	}
	r := rng(7)
	for range long.Count(20, 1000) {
		start := randomTree(r.IntN)
		salt := r.Uint64()
		tried := map[string]bool{}
		var last string
		calls, remakes := 0, 0
		var made string
		got, steps, used := mutate.Minimize(start,
			func(edited choices.Tree) (bool, choices.Tree, error) {
				remakes++
				v, c, err := remake(edited)
				made = c.String()
				h := salt
				for _, k := range v.Keys() {
					h = (h ^ uint64(k)) * 0x9E3779B97F4A7C15
				}
				return h>>62 == 0, c, err
			},
			func(fails bool) bool {
				calls++
				require.False(t, tried[made], made)
				tried[made] = true
				if fails {
					last = made
				}
				return fails
			}, 300)
		require.Equal(t, calls, used)
		require.LessOrEqual(t, remakes, 100+10*300)
		if steps == 0 {
			require.Equal(t, start, got)
		} else {
			require.Equal(t, last, got.String())
		}
	}
}

// randomTree returns a tree that no run has recorded, with sizes that may be wrong.
func randomTree(below func(int) int) choices.Tree {
	t := make(choices.Tree, below(40))
	for i := range t {
		t[i] = choices.Choice{
			Kind: choices.Kind(below(4)), Slot: uint32(below(3)), Index: int32(below(3)),
			Size: int32(below(10) - 1),
			Tag:  []string{"leaf", "node", "", "aba"}[below(4)], N: int64(below(9) - 4), Lo: -5,
			Hi: 5, Family: uint16(below(2)),
		}
		if from, err := bigen.Choices(bsttest.Gen(lo, hi),
			bsttest.Random(rng(uint64(i)), below(4), lo, hi)); err == nil && below(3) == 0 {
			copy(t[:i+1], from)
		}
	}
	return t
}

// If a minimal value is large, edits that do not help are seldom tried twice.
func TestMinimizeLarge(t *testing.T) {
	for seed := range uint64(long.Count(1, 30)) {
		start := choicesOf(t, bsttest.Random(rng(seed), 60, lo, hi))
		remakes := 0
		got, _, calls := mutate.Minimize(start,
			func(edited choices.Tree) (*bsttest.Tree, choices.Tree, error) {
				remakes++
				return remake(edited)
			}, func(v *bsttest.Tree) bool { return len(v.Keys()) >= 60 }, 20_000)
		v, _, err := remake(got)
		require.NoError(t, err)
		keys := v.Keys()
		require.Equal(t, 60-1, keys[60-1]-keys[0], "%v", keys)
		require.LessOrEqual(t, remakes, 2500, "and %d calls", calls)
	}
}
