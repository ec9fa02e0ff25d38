package choices_test

import (
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/stretchr/testify/require"
)

// A value of a generator whose weights make infinite ones is finite, whatever makes it.
func TestSupply(t *testing.T) {
	type tree struct{ L, R *tree }
	var gen bigen.Gen[*tree]
	gen = bigen.Pick(
		bigen.Tag("leaf", bigen.Just[*tree](nil)),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *tree) {
			bigen.At(c, &t.L, gen)
			bigen.At(c, &t.R, gen)
		})).Weight(9),
	)
	_, made, err := bigen.Run(gen, choices.FromBytes([]byte("x")))
	require.NoError(t, err)
	_, simplest, err := bigen.Run(gen, choices.Replay(nil, nil))
	require.NoError(t, err)
	leaf := choices.Encode(simplest)
	model := bias.NewExamples(made)
	again := choices.Tree{{Kind: choices.Regenerate, Size: 1}}
	for name, source := range map[string]func(i uint64) choices.Source{
		"bytes": func(i uint64) choices.Source {
			return choices.FromBytes([]byte{byte(i), 'x'})
		},
		"edit": func(i uint64) choices.Source {
			return choices.FromBytes(append([]byte{0xe0 | byte(i)}, leaf...))
		},
		"prior": func(i uint64) choices.Source {
			return choices.FromBytesBy([]byte{byte(i)}, model.Prior())
		},
		"regenerate": func(i uint64) choices.Source {
			return choices.Replay(again, rand.New(rand.NewPCG(i, 0)))
		},
		"varied": func(i uint64) choices.Source {
			return varied.Source(rand.New(rand.NewPCG(i, 0)), 11)
		},
	} {
		t.Run(name, func(t *testing.T) {
			longest := 0
			for i := range uint64(30) {
				_, made, err := bigen.Run(gen, source(i))
				require.NoError(t, err)
				nodes := 0
				for _, c := range made {
					if c.Tag == "node" {
						nodes++
					}
				}
				longest = max(longest, nodes)
			}
			most := map[bool]int{true: 4096, false: 1024}[name == "regenerate"]
			require.GreaterOrEqual(t, longest, most)
			// with the node that takes the place of the edited leaf
			require.LessOrEqual(t, longest, most+1)
		})
	}
}
