package values

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

// A Stream that has ended gives its memory to another one, without what it has held. The other one
// makes the same values as in memory of its own.
func TestEnd(t *testing.T) {
	gen := bigen.Any(bigen.SliceOf(bigen.String(9), 0, 60))
	draw := func(m *Stream) (all []choices.Tree) {
		for i := range 40 {
			_, tree, err := m.Make(i)
			require.NoError(t, err)
			all = append(all, slices.Clone(tree))
		}
		return all
	}
	plan := Plan{Subject: Subject{Gen: gen}, Seed: 1}
	m := NewStream(plan)
	want := draw(m)
	memory := m.memory[:m.longest]
	require.NotZero(t, memory[0])
	m.End()
	require.Nil(t, m.tree)
	for _, c := range memory {
		require.Zero(t, c)
	}
	require.Equal(t, want, draw(NewStream(plan)))
}

// Memory that has become large is not kept.
func TestEndLarge(t *testing.T) {
	m := NewStream(Plan{})
	m.memory = append(make(choices.Tree, 0, mostMemory+1), choices.Choice{Size: 1})
	m.longest = 1
	memory := m.memory
	m.End()
	require.NotZero(t, memory[0])
	require.Nil(t, m.memory)
}
