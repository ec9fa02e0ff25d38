package rl

import (
	"cmp"
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/stretchr/testify/require"
)

// A file has a bound, and the rows that do not fit have the least evidence. The rows that fit are
// the same after a file, to the last bit.
func TestPolicyBound(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var all []savedRow
	for range maxRows + 1000 {
		s := savedRow{Key: r.Uint64()}
		for i := range slots {
			if i == 0 || r.IntN(8) == 0 {
				s.Slots, s.Theta, s.N = append(s.Slots, i), append(s.Theta, r.Float32()),
					append(s.N, 1+r.Float32()*(forget-1))
			}
		}
		all = append(all, s)
	}
	kept := mostEvidence(slices.Clone(all))
	require.Len(t, kept, maxRows)
	require.True(t,
		slices.IsSortedFunc(kept, func(a, b savedRow) int { return cmp.Compare(a.Key, b.Key) }))
	sum := func(s savedRow) (sum float32) {
		for _, n := range s.N {
			sum += n
		}
		return sum
	}
	has, least := map[uint64]bool{}, float32(math.Inf(1))
	for _, s := range kept {
		has[s.Key], least = true, min(least, sum(s))
	}
	for _, s := range all {
		require.True(t, has[s.Key] || sum(s) <= least)
	}
	p := newPolicy([]uint64{3, 1 << 63}, kept)
	b := p.Marshal()
	require.Less(t, len(b), maxPolicy)
	q, err := parsePolicy(b)
	require.NoError(t, err)
	require.Equal(t, p, q)
}
