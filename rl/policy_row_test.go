package rl

import (
	"cmp"
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/internal/testing/require"
)

// A saved row is close to the original, and does not change when it is saved again.
func TestPackedCodes(t *testing.T) {
	t.Parallel()
	last := float32(-1)
	for i := range 256 {
		code := uint8(127 - i) // codes in the order of their probabilities
		if i >= 128 {
			code = uint8(i)
		}
		theta := thetaOf(code)
		require.Equal(t, code, thetaCode(theta))
		require.Greater(t, theta, float32(0))
		require.Less(t, theta, float32(1))
		require.Greater(t, theta, last)
		last = theta
	}
	last = 0
	for code := range uint8(maxCountCode + 1) {
		n := countOf(code)
		require.Greater(t, n, last)
		require.Equal(t, code, countCode(n))
		last = n
	}
	require.EqualValues(t, 1, countOf(0))
	for _, theta := range []float32{0, 1e-30, 1, -1, 2, float32(math.Inf(1)), 0.4999, 0.5} {
		require.InDelta(t, min(max(theta, 0), 1), thetaOf(thetaCode(theta)), 0.04)
	}
	for _, n := range []float32{0, -1, 1e30, float32(math.Inf(1)), float32(math.NaN())} {
		require.LessOrEqual(t, countCode(n), uint8(maxCountCode))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range long.Count(200, 10_000) {
		theta := float32(math.Exp(-10 * r.Float64()))
		require.InEpsilon(t, theta, thetaOf(thetaCode(theta)), 1./15)
		require.InEpsilon(t, 1-theta+1e-5, 1-thetaOf(thetaCode(theta))+1e-5, 1./15)
		n := float32(math.Exp2(11 * r.Float64()))
		require.InEpsilon(t, n, countOf(countCode(n)), 1./7)
	}
}

// A file has a bound, and the rows that do not fit are those with the least evidence.
func TestPolicyBound(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	rows := func(n int) (all []packedRow) {
		for range n {
			p := packedRow{key: r.Uint64(), slots: uint16(r.Uint32()) | 1}
			for i := range slots {
				if p.slots>>i&1 == 1 {
					p.theta[i], p.n[i] = uint8(r.Uint32()), uint8(r.IntN(maxCountCode))
				}
			}
			all = append(all, p)
		}
		slices.SortFunc(all, func(a, b packedRow) int { return cmp.Compare(a.key, b.key) })
		return all
	}
	n := 12_000 // of which about 9,000 fit
	if long.Enabled() {
		n = 80_000
	}
	p := newPolicy(rows(n), nil)
	b := p.Marshal()
	require.LessOrEqual(t, len(b), maxPolicy)
	require.Greater(t, len(b), maxPolicy-64, "nor is room wasted")
	require.True(t, slices.IsSortedFunc(p.packed, func(a, b packedRow) int { return cmp.Compare(a.key, b.key) }))
	kept := map[uint64]bool{}
	least := float32(math.Inf(1))
	for i := range p.packed {
		kept[p.packed[i].key] = true
		least = min(least, p.packed[i].evidence())
	}
	r = rand.New(rand.NewPCG(1, 2))
	lost := 0
	for _, row := range rows(n) {
		if !kept[row.key] {
			lost++
			require.LessOrEqual(t, row.evidence(), least)
		}
	}
	require.Greater(t, lost, n-10_000)
	q, err := parsePolicy(b)
	require.NoError(t, err)
	require.Equal(t, p.packed, q.packed)

	points := map[uint64]struct{}{}
	for range maxStructural {
		points[r.Uint64()] = struct{}{}
	}
	p = newPolicy(rows(100), points)
	require.Len(t, p.packed, 100)
	require.Len(t, p.structural, maxPoints)
	q, err = parsePolicy(p.Marshal())
	require.NoError(t, err)
	require.Equal(t, p.structural, q.structural)
}
