package bigen

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Orders and codes are bijections, and orders follow the values.
func TestFloatOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var orders []int64
	for i := range int64(3000) {
		orders = append(orders, i, ^i, math.MaxInt64-i, math.MinInt64+i, int64(r.Uint64()))
	}
	orders = append(orders, specials64...)
	for _, o := range orders {
		require.Equal(t, o, orderOf(floatAt[float64](o)))
		require.Equal(t, o, format64.fromCode(format64.code(o)), "%x", o)
		require.Equal(t, o, format64.code(format64.fromCode(o)), "%x", o)
		if f := floatAt[float64](o); math.Abs(f) <= math.MaxFloat64 && o != -1 {
			require.Greater(t, floatAt[float64](o+1), f)
		}
		o := int64(int32(o))
		require.Equal(t, o, orderOf(floatAt[float32](o)))
		require.Equal(t, o, format32.fromCode(format32.code(o)), "%x", o)
		require.Equal(t, o, format32.code(format32.fromCode(o)), "%x", o)
	}
	for code, want := range []float64{1, 1.5, 1.25, 1.75, 1.125} {
		require.Equal(t, want, format64.value(format64.fromCode(int64(code))))
	}
	require.Less(t, format64.code(orderOf(1e10)), format64.code(orderOf(1e11)))
	require.Less(t, format64.code(orderOf(1e300)), format64.code(orderOf(0.5)))
	require.Less(t, format64.code(orderOf(0.5)), format64.code(orderOf(1e-300)))
	require.Less(t, format64.code(orderOf(1e-300)), format64.code(orderOf(math.Inf(1))))
	require.Equal(
		t, format64.code(orderOf(math.Inf(1)))+1,
		format64.code(orderOf(math.Float64frombits(0x7FF8<<48))),
	)
	for _, f := range []float64{1e-300, 0.7, 3.25, 1e300} {
		require.Equal(t, -format64.code(orderOf(f)), format64.code(orderOf(-f)))
	}
}

// Every float of a small set is recorded with answers that make it.
func TestFloatSetIsCovered(t *testing.T) {
	for _, s := range []struct{ lo, hi float64 }{
		{1, math.Nextafter(1, 2)}, {-5e-324, 5e-324},
		{0.1, math.Nextafter(math.Nextafter(0.1, 1), 1)}, {-3, math.Nextafter(-3, 0)},
	} {
		set := newFloatSet(format64, orderOf(s.lo), orderOf(s.hi), false, true)
		g := FloatRange(s.lo, s.hi)
		left := map[int64]bool{}
		for o := set.lo; o <= set.hi; o++ {
			left[o] = true
			require.NoError(t, Check(g, floatAt[float64](o)))
		}
		require.Error(t, Check(g, floatAt[float64](set.lo-1)))
		require.Error(t, Check(g, floatAt[float64](set.hi+1)))
		r := rand.New(rand.NewPCG(2, 2))
		for range 1000 {
			delete(left, orderOf(Sample(g, r)))
		}
		require.Empty(t, left)
	}
}
