package engine

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// counters returns n counters, most of them zero.
func randomCounters(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for range r.IntN(n + 1) {
		if n > 0 && r.IntN(4) == 0 {
			b[r.IntN(n)] = byte(r.Uint32()) >> r.IntN(8)
		}
	}
	return b
}

func TestRound(t *testing.T) {
	for i := range 256 {
		want := 0
		if i > 0 {
			want = 1 << (bits.Len(uint(i)) - 1)
		}
		require.Equal(t, byte(want), Round(byte(i)))
	}
}

// TestCoverage compares the set with a map of bits.
func TestCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range long.Count(6, 600) {
		n := r.IntN(100)
		c, seen := NewCoverage(n), map[uint32]bool{}
		for range 20 {
			counters := randomCounters(r, n)
			var want, new []uint32
			for i, b := range counters {
				if b != 0 {
					f := uint32(8*i + bits.Len8(b) - 1)
					want = append(want, f)
					if !seen[f] {
						new = append(new, f)
					}
				}
			}
			require.Equal(t, want, Features(counters, nil))
			require.Equal(t, len(new) > 0, c.Fresh(counters))
			if r.IntN(2) == 0 {
				require.Equal(t, len(new), c.Add(counters))
			} else {
				known := make([]byte, n)
				for i, b := range counters {
					known[i] = Round(b)
				}
				c.Merge(known)
			}
			require.False(t, c.Fresh(counters))
			for _, f := range new {
				seen[f] = true
			}
			for f := range uint32(8*n + 8) {
				if seen[f] != c.Has(f) {
					require.Equal(t, seen[f], c.Has(f), "feature %d", f)
				}
			}
		}
	}
}

// TestCoverageLength: there may be more or fewer counters than announced.
func TestCoverageLength(t *testing.T) {
	c := NewCoverage(40)
	many := make([]byte, 100)
	many[99] = 1
	require.False(t, c.Fresh(many))
	require.Zero(t, c.Add(many))
	c.Merge(many)
	require.True(t, c.Fresh([]byte{1}))
	require.False(t, c.Fresh(nil))
}

func TestCoverageAllocates(t *testing.T) {
	c, counters := NewCoverage(1000), make([]byte, 1000)
	counters[999] = 3
	features := make([]uint32, 0, 10)
	require.Zero(t, testing.AllocsPerRun(10, func() {
		c.Fresh(counters)
		c.Add(counters)
		features = Features(counters, features[:0])
	}))
}

func BenchmarkFresh(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	c, counters := NewCoverage(1000), make([]byte, 1000)
	for range 60 {
		counters[r.IntN(1000)] = byte(r.Uint32())
	}
	c.Add(counters)
	for b.Loop() {
		c.Fresh(counters)
	}
}

func BenchmarkFeatures(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	counters := make([]byte, 1000)
	for range 60 {
		counters[r.IntN(1000)] = byte(r.Uint32())
	}
	var features []uint32
	for b.Loop() {
		features = Features(counters, features[:0])
	}
}
