package values

import (
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/archive"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

type node struct {
	L *node
	X int
	R *node
}

func (n *node) size() int {
	if n == nil {
		return 0
	}
	return n.L.size() + 1 + n.R.size()
}

// A generator whose weights have no bound makes values with bounded numbers of choices.
func TestGuidedBounded(t *testing.T) {
	var gen func() bigen.Gen[*node]
	gen = func() bigen.Gen[*node] {
		return bigen.Pick(
			bigen.Tag("leaf", bigen.Nil[node]()),
			bigen.Tag("node", bigen.New(func(c *bigen.C, n *node) {
				bigen.At(c, &n.X, bigen.IntRange(0, 9))
				bigen.At(c, &n.L, gen())
				bigen.At(c, &n.R, gen())
			})).Weight(9),
		)
	}
	g := newGuidance(Subject{
		Gen:    bigen.Any(gen()),
		Unique: func(tree choices.Tree) uint64 { return hash.FNV64(choices.Encode(tree)) },
	}, 1, 2)
	g.begin()
	for range long.Count(10, 300) {
		v, tree, err := g.next()
		require.NoError(t, err)
		require.Less(t, len(tree), 8*UsualQuestions)
		g.end(v.(*node).size()%2 == 0)
	}
	var list *node
	for range 3 * UsualQuestions {
		list = &node{X: 1, R: list}
	}
	tree, err := bigen.Choices(gen(), list)
	require.NoError(t, err)
	for range long.Count(5, 256) {
		g.teach(choices.Replay(tree, nil), true)
	}
	size, shape := SizeAndShape(tree)
	e, isNew := g.kept.Add(shape, archive.ClassOf(size), 1, g.r)
	require.False(t, isNew)
	require.Equal(t, tree, e.Value)
	longest := 0
	for range long.Count(20, 100) {
		_, tree, err := g.next()
		require.NoError(t, err)
		longest = max(longest, len(tree))
		g.end(true)
	}
	require.Greater(t, longest, len(tree)/2)
}

// The key of a valid value is what its run has said, or else its shape.
func TestSay(t *testing.T) {
	g := newGuidance(Subject{Gen: bigen.Any(bigen.IntRange(0, 1000))}, 1, 2)
	for i := range uint64(100) {
		_, tree, err := g.next()
		require.NoError(t, err)
		said := i % 3
		g.say(said)
		isNew := g.end(true)
		if said == 0 {
			_, said = SizeAndShape(tree)
		}
		require.Equal(t, said, g.key)
		require.Equal(t, i < 3, isNew, i)
	}
}

// While nothing is guided, the first valid values are enough to begin with.
func TestPlainKept(t *testing.T) {
	g := newGuidance(Subject{Gen: bigen.Any(bigen.ArrayOf[[12]bool](bigen.Bool()))}, 1, 2)
	for range 2 * plainKept {
		_, _, err := g.next()
		require.NoError(t, err)
		g.end(true)
	}
	require.Equal(t, plainKept, g.kept.Len())
}

// Once guiding has begun, most values are made in the ways that pay for what they cost.
func TestArms(t *testing.T) {
	made := func(valid func(v [12]bool, r *rand.Rand) bool) (percent [arms]int) {
		g := newGuidance(Subject{Gen: bigen.Any(bigen.ArrayOf[[12]bool](bigen.Bool()))}, 1, 2)
		r := rand.New(rand.NewPCG(1, 2))
		g.begin()
		for range 1000 {
			v, _, err := g.next()
			require.NoError(t, err)
			percent[g.how]++
			g.end(valid(v.([12]bool), r))
		}
		for how := range percent {
			percent[how] /= 10
		}
		return percent
	}
	few := made(func(v [12]bool, _ *rand.Rand) bool { return v[0] && v[3] && v[7] && v[9] && !v[11] })
	require.Less(t, few[isPlain], 25, "%v", few)
	chance := made(func(_ [12]bool, r *rand.Rand) bool { return r.IntN(10) == 0 })
	require.Less(t, chance[byGuide], 25, "%v", chance)
}

// At first, most values are mutants of a valid example.
func TestExampleIsMutated(t *testing.T) {
	g := newGuidance(Subject{Gen: bigen.Any(bigen.ArrayOf[[12]bool](bigen.Bool()))}, 1, 2)
	g.begin()
	g.teach(choices.Replay(nil, nil), true)
	mutants := 0
	for range 16 { // until the bandit looks again
		_, _, err := g.next()
		require.NoError(t, err)
		if g.how == byMutation {
			mutants++
		}
		g.end(false)
	}
	require.GreaterOrEqual(t, mutants, 8) // a third, if each arm were as likely
}
