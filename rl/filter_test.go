package rl

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/stretchr/testify/require"
)

// Guides learn from what filters reject, so filters are called less and less often.
func TestFiltersAreLearned(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]Option{
		"default":    nil,
		"MonteCarlo": {MonteCarlo(0.1, TreeLR(4), Rewards{Unique: 20, Valid: 0, Invalid: -1})},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			seven := bigen.SuchThat(bigen.IntRange(0, 15), func(n int) bool { calls++; return n == 7 }, 7)
			gen := bigen.SliceOf(seven, 1, 4)
			guide := New(seeded(1), opts...)
			guide.trie = nil // inputs are made twice
			var first, last int
			for i := range 3000 {
				calls = 0
				v, err := bigen.Value(gen, guide.Begin())
				if err != nil {
					guide.Invalid()
					continue
				}
				for _, n := range v {
					require.Equal(t, 7, n)
				}
				guide.Valid(guide.Input())
				if i < 100 {
					first += calls
				}
				if i >= 2900 {
					last += calls
				}
			}
			require.Less(t, 3*last, first, "calls of the filter")
		})
	}
}
