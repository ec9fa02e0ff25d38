package explore

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// An engine that runs what Mutate returns, and no more, gets the inputs with new coverage, and
// the one that fails.
func TestMutateTellsFinds(t *testing.T) {
	t.Parallel()
	gen := bigen.SliceOf(bigen.IntRange(0, 999), 0, 8)
	w := newLab(gen, func(w *lab[[]int], v []int) Result {
		for i, x := range v {
			w.link.Counters[min(x/10, 100)]++
			if x == 777 && i > 0 {
				return Failed
			}
		}
		return Valid
	})
	fresh, n := 0, 0
	for ; len(w.reported) == 0 && n < 2000; n++ {
		if w.execute(w.Mutate(nil, 4096), false, 1) {
			fresh++
		}
	}
	require.Len(t, w.reported, 1)
	require.Equal(t, Failed, w.reported[0].Result)
	require.Greater(t, fresh, 3)
	require.Less(t, n, 2000)
	require.Greater(t, w.stats.Executions, int64(n))
}

// A failing input that is too large for the engine is reported without it.
func TestMutateReportsTooLarge(t *testing.T) {
	t.Parallel()
	gen := bigen.SliceOf(bigen.IntRange(0, 99), 20, 20)
	w := newLab(gen, func(w *lab[[]int], v []int) Result {
		if v[0] == 77 {
			return Failed
		}
		return Valid
	})
	for range 2000 {
		b := w.Mutate(nil, 10)
		require.LessOrEqual(t, len(b), 10)
		if len(w.reported) > 0 {
			break
		}
	}
	require.Len(t, w.reported, 1)
	v, err := bigen.Decode(gen, w.offered)
	require.NoError(t, err)
	require.Equal(t, 77, v[0])
}

// Mutate returns no more bytes than allowed, usually the bytes of another value. It does not
// change the input.
func TestMutateBounds(t *testing.T) {
	t.Parallel()
	gen := bsttest.Gen(0, 1000)
	w := newLab(gen, func(w *lab[*bsttest.Tree], v *bsttest.Tree) Result { return Valid })
	a := []byte{}
	canonical, n := 0, long.Count(40, 1000)
	for i := range n {
		most := i * 37 % 200
		before := string(a)
		b := w.Mutate(a, most)
		require.Equal(t, before, string(a))
		require.LessOrEqual(t, len(b), most)
		v, err := bigen.Decode(gen, b)
		require.NoError(t, err)
		if again, err := bigen.Encode(gen, v); err == nil && string(again) == string(b) {
			canonical++
		}
		a = b
	}
	require.Greater(t, canonical, n/3)
}
