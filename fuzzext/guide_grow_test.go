package fuzzext

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// genTrees makes trees of any size, with keys that can always be others.
var genTrees = func() (g bigen.Gen[*node]) {
	self := bigen.Lazy(func() bigen.Gen[*node] { return g })
	g = bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[node]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, n *node) {
			bigen.At(c, &n.X, bigen.IntRange(0, 1<<20))
			bigen.At(c, &n.L, self)
			bigen.At(c, &n.R, self)
		})),
	)
	return g
}()

// Values grow, although there is always another small one, and values of an example's size are
// common.
func TestGrows(t *testing.T) {
	for _, c := range []struct {
		name     string
		large    int // nodes
		share    int // of valid values that are large: in percent, at least
		examples []Option
	}{
		{"from nothing", 4, 15, nil},
		{"from an example", 7, 7, []Option{Examples(chain(9))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			valid, large := 0, 0
			prop := func(r *T, n *node) {
				searchTree(0)(r, n)
				valid++
				if len(n.keys()) >= c.large {
					large++
				}
			}
			for seed := range uint64(4) {
				x := checkOf(t, genTrees, prop, seed, 0, c.examples...)
				x.trial.each(x.values.Make, func(i int, r *T) bool {
					x.noteRun(i, r)
					return i < long.Count(1_000, 20_000)
				})
			}
			t.Logf("%d of %d valid values have %d nodes or more", large, valid, c.large)
			require.GreaterOrEqual(t, 100*large, c.share*valid)
		})
	}
}

// chain returns a search tree with so many nodes.
func chain(n int) *node {
	if n == 0 {
		return nil
	}
	return &node{L: chain(n - 1), X: n << 10}
}
