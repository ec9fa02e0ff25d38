package guidebugs

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Without a bug, edits of all trees reached by edits find none. With each bug, some do.
func TestBugs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	found := map[string]bool{}
	var tree *RedBlack
	for i := range 20000 {
		e := Edit{tree, r.IntN(16), i}
		require.False(t, e.Finds(""), "%+v", e)
		for _, bug := range slices.Concat(Bugs(), Rare()) {
			found[bug] = found[bug] || e.Finds(bug)
		}
		if tree = mutant("").insert(tree, r.IntN(16), i); r.IntN(3) > 0 {
			tree = mutant("").delete(tree, r.IntN(16))
		}
	}
	for _, bug := range slices.Concat(Bugs(), Rare()) {
		assert.True(t, found[bug], "nothing finds %q", bug)
	}
	assert.Len(t, Bugs(), 58)
}

// Examples are valid, and Gen makes them.
func TestExample(t *testing.T) {
	for nodes := range 10 {
		e := Example(nodes)
		require.NoError(t, bigen.Check(Gen, e), "%v", e.Tree)
		require.True(t, e.Tree.Valid(), "%v", e.Tree)
		require.Equal(t, nodes, e.Tree.Size())
	}
}
