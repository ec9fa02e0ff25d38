package fuzzext

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// accepted returns how often a test accepts what fails with a probability, and the mean number of
// runs.
func accepted(t *ratioTest, p float64, r *rand.Rand) (share, mean float64) {
	const trials = 20_000
	n, all := 0, 0
	for range trials {
		ok, fails, runs := t.decide(func() (bool, bool) { return r.Float64() < p, true })
		if all += runs; ok {
			n++
		}
		if ok && fails == 0 || fails > runs || runs > t.most {
			panic("counts")
		}
	}
	return float64(n) / trials, float64(all) / trials
}

func TestRatioTest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, tt := range []struct {
		test        *ratioTest
		p           float64
		least, most float64 // share that is accepted
		runs        float64 // at most, in the mean
	}{
		{confirmsFlake, 0, 0, 0, 30},
		{confirmsFlake, 0.02, 0.0005, 0.005, 50},
		{confirmsFlake, 0.1, 0.87, 0.92, 65},
		{confirmsFlake, 0.3, 0.999, 1, 16},
		{confirmsFlake, 1, 1, 1, 4},
		{simplerFlake(30, 30), 1, 1, 1, 7},
		{simplerFlake(30, 30), 0.33, 0, 0.003, 7},
		{simplerFlake(15, 30), 0.5, 0.97, 1, 25},
		{simplerFlake(15, 30), 0.16, 0, 0.003, 20},
		{simplerFlake(15, 30), 0, 0, 0, 8},
		{simplerFlake(3, 30), 0.11, 0.9, 1, 160},
		{simplerFlake(3, 30), 0.02, 0, 0.001, 80},
		{simplerFlake(0, 30), 0.1, 0.9, 1, 160},
	} {
		share, runs := accepted(tt.test, tt.p, r)
		require.True(t, tt.least <= share && share <= tt.most, "p = %v: accepts %v", tt.p, share)
		require.LessOrEqual(t, runs, tt.runs, "p = %v", tt.p)
	}

	n := 0
	ok, fails, runs := confirmsFlake.decide(func() (bool, bool) { n++; return true, n < 3 })
	require.False(t, ok)
	require.Equal(t, 2, fails)
	require.Equal(t, 2, runs)
}

func TestMeasure(t *testing.T) {
	n := 0
	fails, runs := measure(30, func() (bool, bool) { n++; return n%3 == 0, n <= 10 })
	require.Equal(t, 3, fails)
	require.Equal(t, 10, runs)
	require.Equal(t, "the property failed in 3 of 10 further runs on the same value",
		flakyShare(fails, runs))
	require.Equal(t, "", flakyShare(measure(2, func() (bool, bool) { return true, true })))
	require.Equal(t, 30, repeatsOf("testdata/fuzzext/TestX/0011223344556677-flaky"))
	require.Equal(t, 1, repeatsOf("FuzzX/0011223344556677"))
}
