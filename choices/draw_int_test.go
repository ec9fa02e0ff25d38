package choices

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// edges returns a question for a range whose edges random sources favor.
func edges(
	k Kind, lo, hi int64,
) *Question {
	return &Question{Kind: k, Lo: lo, Hi: hi, Edges: true}
}

var maxUint int64 = -1 // the bits of math.MaxUint64

var smallRanges = []*Question{
	edges(Int, 0, 1), edges(
		Int, -1, 0,
	), edges(Int, -1, 1), edges(Int, 0, 9), edges(Int, -128, 127), edges(Int, -3, 1000),
	edges(Int, 5, 7), edges(Int, 1000, 1100), edges(Int, -7, -5), edges(Int, -1100, -1000), edges(
		Int, -513, 0,
	),
	edges(Int, math.MaxInt64-300, math.MaxInt64), edges(Int, math.MinInt64, math.MinInt64+300),
	edges(Uint, 0, 1), edges(Uint, 0, 255), edges(Uint, 3, 4), edges(Uint, 100, 4000), edges(
		Uint, maxUint-300, maxUint,
	),
	edges(Uint, math.MaxInt64-5, math.MinInt64+5),
	{Kind: Int, Lo: -3, Hi: 9}, {Kind: Uint, Lo: maxUint - 3, Hi: maxUint},
}

func (q *Question) name() string {
	if q.Kind == Uint {
		return fmt.Sprintf("Uint[%d,%d]%v", uint64(q.Lo), uint64(q.Hi), q.Edges)
	}
	return fmt.Sprintf("Int[%d,%d]%v", q.Lo, q.Hi, q.Edges)
}

// The probabilities of a range's integers are positive, sum up to 1, and are those
// with which integers are drawn.
func TestIntProb(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, q := range smallRanges {
		t.Run(q.name(), func(t *testing.T) {
			draws := long.Count(2_000, 50_000)
			drawn := map[int64]int{}
			for range draws {
				n := q.DrawInt(r.Uint64())
				require.Equal(t, q.Kind.Clamp(n, q.Lo, q.Hi), n)
				drawn[n]++
			}
			sum := 0.0
			for i := range uint64(q.Hi) - uint64(q.Lo) + 1 {
				n := q.Lo + int64(i)
				p := intProb(q, n)
				require.Positive(t, p)
				sum += p
				mean := float64(draws) * p
				sigma := math.Sqrt(mean)
				require.InDelta(t, mean, drawn[n], 5.5*sigma+2, "%d", n)
			}
			require.InDelta(t, 1, sum, 1e-12)
			require.Zero(t, intProb(q, q.Lo-1))
			require.Zero(t, intProb(q, q.Hi+1))
		})
	}
}

// In ranges too wide to be summed up, what is drawn again and again is as likely as
// intProb says.
func TestIntProbOfWideRanges(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for _, q := range []*Question{
		edges(
			Int, math.MinInt64, math.MaxInt64,
		), edges(Uint, 0, maxUint), edges(Uint, 1, maxUint), edges(Int, -5, 1<<40),
		edges(Int, 1<<40, 1<<41), edges(Int, math.MinInt64, -1), edges(Uint, 1<<62, maxUint-7),
	} {
		t.Run(q.name(), func(t *testing.T) {
			draws := long.Count(5_000, 80_000)
			drawn := map[int64]int{}
			for range draws {
				drawn[q.DrawInt(r.Uint64())]++
			}
			often := 0
			for n, k := range drawn {
				require.Equal(t, q.Kind.Clamp(n, q.Lo, q.Hi), n)
				if k > draws/2000 {
					often++
					mean := float64(draws) * intProb(q, n)
					require.InDelta(t, mean, k, 5.5*math.Sqrt(mean)+2, "%d", n)
				}
			}
			require.Greater(t, often, 10)
			for _, n := range ends(q) {
				require.Greater(t, drawn[n], draws/100)
			}
		})
	}
}

// A reroll gives any other integer, and favors edges, too.
func TestDrawOther(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for _, q := range smallRanges {
		for _, n := range ends(q) {
			seen := map[int64]int{}
			for range 2000 {
				other := drawOther(q, n, r.Uint64())
				require.Equal(t, q.Kind.Clamp(other, q.Lo, q.Hi), other)
				require.NotEqual(t, n, other)
				seen[other]++
			}
			if span := uint64(q.Hi) - uint64(q.Lo); span < 20 {
				require.Len(t, seen, int(span), q.name())
			}
		}
	}
	q, zeros := edges(Int, math.MinInt64, math.MaxInt64), 0
	for range 1000 {
		if drawOther(q, 1, r.Uint64()) == 0 {
			zeros++
		}
	}
	require.Positive(t, zeros)
}

// Bytes and replays draw as random sources do.
func TestEdgesOfOtherSources(t *testing.T) {
	t.Parallel()
	q := edges(Int, math.MinInt64, math.MaxInt64)
	r := rand.New(rand.NewPCG(7, 8))
	var small, smallBytes, smallReplay int
	count := func(n int64, small *int) {
		if -1000 < n && n < 1000 {
			*small++
		}
	}
	for range 2000 {
		count(Random(r).Int(q), &small)
		count(FromBytes([]byte{editBit | recordBit | byte(
			r.IntN(editBit),
		), byte(r.IntN(recordBit)), byte(r.IntN(recordBit))}).Int(q), &smallBytes)
		count(Replay(nil, r).Int(q), &smallReplay)
	}
	for _, n := range []int{small, smallBytes, smallReplay} {
		require.InDelta(t, 250, n, 80)
	}
}

func BenchmarkDrawInt(b *testing.B) {
	for _, q := range []*Question{
		{Kind: Int, Lo: -1000, Hi: 1000}, edges(Int, -1000, 1000),
		edges(Int, math.MinInt64, math.MaxInt64),
	} {
		b.Run(q.name(), func(b *testing.B) {
			u := uint64(0)
			for b.Loop() {
				q.DrawInt(u)
				u += 0x9E3779B97F4A7C15
			}
		})
	}
}
