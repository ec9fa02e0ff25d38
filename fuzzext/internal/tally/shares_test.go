package tally

import (
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// drawn simulates the draws of a Check, whose values have the label with a probability.
func drawn(r *rand.Rand, has, valid float64, required ...float64) *Shares {
	q := NewShares(nil)
	q.most = mostDraws
	for _, share := range required {
		q.shares = append(q.shares, shareTest{Share: Share{"x", share}})
	}
	for more := true; more; {
		var run values.Outcome
		if r.Float64() >= valid {
			run.Verdict = values.Invalid
		}
		if r.Float64() < has {
			run.Labels = []string{"x"}
		}
		more = q.Record(run)
	}
	return q
}

// A share that is large enough never fails, and one that is too small does.
func TestRequiredShares(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		has, want float64
		verdict   verdict // other than inDoubt, if it is certain
	}{
		{0.2, 0.2, enoughHave},
		{0.5, 0.5, enoughHave},
		{0.99, 0.99, enoughHave},
		{1, 1, enoughHave},
		{0.3, 0.2, enoughHave},
		{0.02, 0.02, inDoubt},
		{0.001, 0.001, inDoubt},
		{0.15, 0.2, tooFewHave},
		{0.3, 0.4, tooFewHave},
		{0.95, 1, tooFewHave},
		{0.001, 0.1, tooFewHave},
		{0, 0.001, tooFewHave},
	} {
		runs := long.Count(4, 1000)
		if tt.want < 0.1 {
			runs = long.Count(1, 100)
		}
		for seed := range runs {
			q := drawn(rand.New(rand.NewPCG(uint64(seed), 7)), tt.has, 1, tt.want)
			switch v := q.shares[0].verdict; {
			case tt.verdict == inDoubt:
				require.NotEqual(t, tooFewHave, v, "seed %d: %v", seed, tt)
			default:
				require.Equal(t, tt.verdict, v, "seed %d: %v", seed, tt)
			}
		}
	}
}

// Only valid draws count. All shares are tested at once, until one is too small.
func TestRequiredSharesOfValid(t *testing.T) {
	t.Parallel()
	q := drawn(rand.New(rand.NewPCG(1, 1)), 0.5, 0.1, 0.1, 0.4, 0.45)
	for _, x := range q.shares {
		require.Equal(t, enoughHave, x.verdict)
		require.InDelta(t, 0.5, float64(x.found)/float64(q.valid), 0.1)
	}
	require.InDelta(t, 0.1, float64(q.valid)/float64(q.draws), 0.03)
	require.Less(t, q.valid, 10_000)

	q = drawn(rand.New(rand.NewPCG(1, 1)), 0.5, 1, 0.501, 0.9)
	require.Equal(t, inDoubt, q.shares[0].verdict)
	require.Equal(t, tooFewHave, q.shares[1].verdict)
	require.Equal(t, firstLook, q.valid)

	q = drawn(rand.New(rand.NewPCG(1, 1)), 1, 0, 0.5)
	require.Equal(t, 2*mostDraws, q.draws)
	require.Zero(t, q.valid)
}

// The verdicts are as in QuickCheck's sufficientlyCovered and insufficientlyCovered.
func TestJudgeShare(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		found, n int
		share    float64
		want     verdict
	}{
		{0, 100, 0.28, tooFewHave}, // Wilson's bound is z²/(n+z²) = 0.2718
		{0, 100, 0.27, inDoubt},
		{100, 100, 0.80, enoughHave}, // 1 - 0.2718 is at least 9/10 of it
		{100, 100, 0.81, inDoubt},
		{50, 100, 0.2, enoughHave},
		{50, 100, 0.5, inDoubt},
		{50, 100, 0.9, tooFewHave},
	} {
		require.Equal(t, tt.want, judgeShare(tt.found, tt.n, tt.share), "%v", tt)
	}
}
