package fuzzext

import (
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// executes runs a property on the value of an input and on its variants, and reports whether
// none failed.
func executes[V any](tb testing.TB, gen bigen.Gen[V], o options, b []byte, prop func(*T, V)) bool {
	x := newFuzzTarget(&spec{
		subject: subjectOf(gen, prop),
		target:  noTarget,
		options: o,
		call:    noCall,
	})
	tr := newTrial(x.spec, x.home, tb)
	defer tr.end()
	_, tree, ok := x.runValue(tr, b)
	return ok && x.runVariants(tr, b, tree, noLimit)
}

// The variants of an input are a function of its bytes: half are mutants, which share most
// with its value, and all can be made.
func TestVariants(t *testing.T) {
	gen := bsttest.Gen(0, 1000)
	of := func(b []byte) (vs []*bsttest.Tree) {
		require.True(t,
			executes(t, gen, newOptions(nil), b, func(t *T, v *bsttest.Tree) { vs = append(vs, v) }))
		return vs
	}
	kept, fresh, distinct := 0, 0, map[string]bool{}
	const nodes = 20
	inputs := long.Count(20, 50)
	for seed := range uint64(inputs) {
		v := bsttest.Random(rand.New(rand.NewPCG(seed, 0)), nodes, 0, 1000)
		b, err := bigen.Encode(gen, v)
		require.NoError(t, err)
		vs := of(b)
		require.Equal(t, vs, of(b))
		require.Equal(t, v, vs[0])
		require.Len(t, vs, 1+64)
		for i, w := range vs {
			require.True(t, w.Valid(0, 1000))
			e, err := bigen.Encode(gen, w)
			require.NoError(t, err)
			distinct[string(e)] = true
			switch {
			case i == 0:
			case i%2 == 1:
				kept += v.Kept(w)
			default:
				fresh += v.Kept(w)
			}
		}
	}
	require.Greater(t, kept, inputs*32*nodes*70/100)
	require.Less(t, fresh, inputs*32*nodes*20/100)
	require.Greater(t, len(distinct), inputs*65*85/100)
}
