package search_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/search"
	"github.com/espalier-go/espalier/internal/testing/long"
)

// tree is a general tree, as in GödelTest's Figure 5.
type tree struct{ Children []tree }

func (t tree) size() float64 {
	n := 1.0
	for _, c := range t.Children {
		n += c.size()
	}
	return n
}

func (t tree) height() float64 {
	n := 0.0
	for _, c := range t.Children {
		n = max(n, c.height())
	}
	return n + 1
}

var genTree bigen.Gen[tree]

func init() {
	self := bigen.Lazy(func() bigen.Gen[tree] { return genTree })
	genTree = bigen.Struct(func(c *bigen.C, t *tree) {
		bigen.At(c, &t.Children, bigen.SliceOf(self, 0, 1000))
	})
}

// Both targets of GödelTest, section V, are met by nearly all trees, which still differ.
func TestCrossEntropy(t *testing.T) {
	t.Parallel()
	for _, height := range []float64{36, 6}[2-long.Count(1, 2):] {
		for seed := range uint64(long.Count(1, 5)) {
			s := search.Of(genTree, tune.Measure("size", 100, tree.size), tune.Measure("height", height, tree.height))
			m, err := search.CrossEntropy(context.Background(), s, search.CrossEntropyOptions{Seed: seed})
			require.NoError(t, err)
			hits, bits := 0, 0.0
			const n = 2000
			require.NoError(t, s.Sample(m, 77, n, func(r *search.Run) {
				if !r.Failed && math.Abs(r.Measures[0]-100) <= 10 && math.Abs(r.Measures[1]-height) <= height/10 {
					hits++
				}
				bits += r.Bits / n
			}))
			require.Greater(t, hits, n*95/100)
			require.Greater(t, bits, 130.0)
		}
	}
}
