package varied_test

import (
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/stretchr/testify/require"
)

// The answers of a source are the same whether it has memory of its own or the memory of values
// made before, and while another one is asked.
func TestVariedMemory(t *testing.T) {
	t.Parallel()
	source := func(i int) choices.Source {
		return varied.Source(rand.New(rand.NewPCG(1, uint64(i))), i)
	}
	type record struct {
		Name  string
		Pairs [][2]int
		Flags []bool
	}
	inner := 0
	g := bigen.Struct(func(c *bigen.C, r *record) {
		bigen.At(c, &r.Pairs, bigen.SliceOf(genPair, 0, 40))
		if inner > 0 {
			_, err := bigen.Value(bigen.SliceOf(bigen.String(5), 0, 40), source(inner))
			require.NoError(t, err)
		}
		bigen.At(c, &r.Name, bigen.String(9))
		bigen.At(c, &r.Flags, genFlat)
	})
	for i := range 400 {
		inner = 0
		_, alone, err := bigen.Run(g, struct{ choices.Source }{source(i)}) // which never ends
		require.NoError(t, err)
		inner = i + 1
		_, shared, err := bigen.Run(g, source(i))
		require.NoError(t, err)
		require.Equal(t, alone, shared, i)
	}
}
