package fuzzext

import (
	"math"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

func TestAltitude(t *testing.T) {
	scores := []float64{math.Inf(-1), -math.MaxFloat64, -1e6, -1000, -100, -10, -8, -7, -3, -1.5,
		-.5, 0, .5, 1, 2, 7.5, 8, 10, 100, 1000, 1e6, 1e9, math.MaxFloat64, math.Inf(1)}
	last := 0
	for _, s := range scores {
		a := altitudeOf(s)
		require.True(t, a >= last && a < altitudes, "%v: %d after %d", s, a, last)
		last = a
	}
	for n := 8.0; n < 1e9; n *= 1.26 {
		require.Less(t, altitudeOf(n), altitudeOf(1.26*n), "%v", n)
		require.Less(t, altitudeOf(-1.26*n), altitudeOf(-n), "%v", n)
	}
	for n := range 8 {
		require.Equal(t, altitudeOf(0)+n, altitudeOf(float64(n)))
	}
}

// Bugs that a score leads to are found among so many values, and by chance not among twenty times
// as many.
func TestTargetFinds(t *testing.T) {
	for name, c := range map[string]struct {
		within int
		find   hidden
	}{
		"sum":    {1500, atLeast(bigen.SliceOf(bigen.IntRange(-100, 100), 0, 100), 6000, swings)},
		"walk":   {1000, atLeast(bigen.SliceOf(bigen.IntRange(0, 3), 0, 100), 30, northEast)},
		"bucket": {3000, atLeast(bigen.SliceOf(bigen.String(6), 0, 30), 7, fullest)},
		"near": {10_000, func(t *testing.T, guided bool, seed uint64, most int) int {
			return valuesToFail(t, bigen.IntRange[int64](0, 1<<50), seed, most, func(t *T, v int64) {
				if off := max(v-123456789012345, 123456789012345-v); guided {
					t.AssumeNear(float64(off))
				} else {
					t.Assume(off == 0)
				}
				t.Fail()
			})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(long.Count(1, 10)) {
				n := c.find(t, true, seed+1, 2*c.within)
				require.LessOrEqual(t, n, c.within, "seed %d", seed+1)
				t.Logf("%d values", n)
			}
			most := long.Count(500, 20*c.within)
			require.Equal(t, most, c.find(t, false, 1, most), "without a score")
		})
	}
}

// hidden returns how many values a Check runs until it finds a bug, or most.
type hidden func(t *testing.T, guided bool, seed uint64, most int) int

// atLeast is a bug on all values whose score is at least so high.
func atLeast[V any](gen bigen.Gen[V], least int, score func(v V) int) hidden {
	return func(t *testing.T, guided bool, seed uint64, most int) int {
		return valuesToFail(t, gen, seed, most, func(t *T, v V) {
			n := score(v)
			if guided {
				t.Target(float64(n))
			}
			if n >= least {
				t.Fail()
			}
		})
	}
}

func valuesToFail[V any](
	t testing.TB, gen bigen.Gen[V], seed uint64, most int, prop func(*T, V),
) (n int) {
	c := checkOf(t, gen, prop, seed, 0)
	c.trial.each(c.values.Make, func(i int, run *T) bool {
		c.values.Learn(i, run.outcome())
		n = i + 1
		return (run == nil || !run.failed) && n < most
	})
	return n
}

// swings sums numbers whose signs alternate.
func swings(v []int) (sum int) {
	for i, x := range v {
		if x != 0 && (x > 0) == (i%2 == 0) {
			sum += max(x, -x)
		}
	}
	return sum
}

// northEast is how far a walk of steps leads to the north and to the east.
func northEast(steps []int) int {
	east, north := 0, 0
	for _, s := range steps {
		east += [...]int{1, -1, 0, 0}[s]
		north += [...]int{0, 0, 1, -1}[s]
	}
	return min(east, north)
}

// fullest is how many different keys the fullest bucket of a hash table has.
func fullest(keys []string) (most int) {
	buckets := map[uint32]map[string]bool{}
	for _, k := range keys {
		b := hash.FNV32(k) % 64
		if buckets[b] == nil {
			buckets[b] = map[string]bool{}
		}
		buckets[b][k] = true
		most = max(most, len(buckets[b]))
	}
	return most
}
