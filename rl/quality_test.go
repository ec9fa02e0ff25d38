package rl

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/archive"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

// studied counts the trees of a run of the case study of RLCheck, section 4.3.1.
type studied struct {
	valid  float64
	unique float64 // of the valid ones
	large  float64 // of the unique ones: more than five nodes
}

func study(seed uint64, n int, opts ...Option) (s studied) {
	g := New(seeded(seed), opts...)
	trees := of("", naive(4))
	for range n {
		v, _, err := trees.run(g.Begin())
		if err != nil || !isSearchTree(v) {
			g.Invalid()
			continue
		}
		s.valid++
		if !g.Valid(g.Input()) {
			continue
		}
		if s.unique++; len(v.(*bsttest.Tree).Keys()) > 5 {
			s.large++
		}
	}
	return s
}

// The study, at a twentieth or a fifth of its scale, has the results of the paper: every
// abstraction makes more valid trees than chance; Tree makes the fewest unique ones of the
// three; TreeLR makes the fewest valid and the most large ones. The default policy beats
// them all. The bands are at least four standard deviations wide. At a fifth of the scale,
// a window of 3 or 5 answers falls outside one of them.
func TestStudy(t *testing.T) {
	t.Parallel()
	n, seeds, scale := 5000, uint64(long.Count(1, 4)), 0
	if long.Enabled() {
		n, scale = 20000, 1
	}
	paper := Rewards{Unique: 20, Valid: 0, Invalid: -1}
	mean := map[string]studied{}
	type band [2]float64 // from, to
	for _, c := range []struct {
		name          string
		opts          []Option
		unique, large [2]band // at each scale
	}{
		{"random", []Option{pure()}, [2]band{{145, 195}, {290, 350}}, [2]band{{0, 2}, {0, 3}}},
		{"Sequence", []Option{MonteCarlo(0.25, Sequence(4), paper)},
			[2]band{{280, 530}, {1560, 1920}}, [2]band{{0, 37}, {60, 270}}},
		{"Tree", []Option{MonteCarlo(0.25, Tree(4), paper)}, [2]band{{170, 320}, {810, 1130}},
			[2]band{{0, 7}, {3, 20}}},
		{"TreeLR", []Option{MonteCarlo(0.25, TreeLR(4), paper)}, [2]band{{250, 440}, {1580, 1940}},
			[2]band{{4, 54}, {270, 440}}},
		{"default", nil, [2]band{{3220, 5000}, {12000, 20000}}, [2]band{{650, 5000}, {5500, 20000}}},
	} {
		var m studied
		for seed := range seeds {
			s := study(seed, n, c.opts...)
			m.valid += s.valid / float64(seeds)
			m.unique += s.unique / float64(seeds)
			m.large += s.large / float64(seeds)
		}
		mean[c.name] = m
		unique, large := c.unique[scale], c.large[scale]
		require.True(t, unique[0] <= m.unique && m.unique <= unique[1], "%s: %.0f unique", c.name,
			m.unique)
		require.True(t, large[0] <= m.large && m.large <= large[1], "%s: %.0f large", c.name, m.large)
	}
	for _, name := range []string{"Sequence", "Tree"} {
		require.Greater(t, mean[name].valid, mean["TreeLR"].valid, "valid, %s against TreeLR", name)
		require.Less(t, mean[name].large, mean["TreeLR"].large, "large, %s against TreeLR", name)
	}
	require.Greater(t, mean["TreeLR"].valid, mean["random"].valid)
	require.Less(t, mean["Tree"].unique, min(mean["Sequence"].unique, mean["TreeLR"].unique))
}

// sorted counts the ascending lists of three or more elements among the n inputs of each
// of four guides, and how many of these have more than six elements.
func sorted(n int, revisits bool) (unique, many int) {
	gen := bigen.SliceOf(bigen.Int[uint8](), 0, 12)
	for seed := range uint64(4) {
		g := New(seeded(seed))
		if !revisits {
			g.archive = archive.New[choices.Tree](0) // which keeps nothing
		}
		for range n {
			v, err := bigen.Value(gen, g.Begin())
			if err != nil || len(v) < 3 || !slices.IsSorted(v) {
				g.Invalid()
				continue
			}
			if len(v) > 6 {
				many++
			}
			if g.Valid(g.Input()) {
				unique++
			}
		}
	}
	return unique, many
}

// The default policy learns from the previous element which one may follow, and revisits
// explore from valid lists step by step, to long ones.
func TestSorted(t *testing.T) {
	t.Parallel()
	n, least, times := 2000, 4*400, 4.0
	if long.Enabled() {
		n, least, times = 10_000, 4*4500, 1.2
	}
	unique, many := sorted(n, true)
	_, withoutRevisits := sorted(n, false)
	require.Greater(t, unique, least)
	require.Greater(t, float64(many), times*float64(withoutRevisits))
}

// While no input was valid, small ones are tried: they are more likely to be valid. Of
// random lists, one in 150,000 is valid here.
func TestSmallFirst(t *testing.T) {
	t.Parallel()
	letters := bigen.OneOf("a", "b", "c", "d")
	gen := bigen.SliceOf(bigen.SliceOf(letters, 0, 20), 0, 20)
	valid := func(v [][]string, err error) bool {
		return err == nil && len(v) == 2 && len(v[0]) == 1 && len(v[1]) == 1 && v[0][0] == "a" &&
			v[1][0] == "d"
	}
	const most = 5000
	seeds := long.Count(2, 4)
	inputs := 0 // up to the first valid one
	for seed := range seeds {
		g := New(seeded(uint64(seed)))
		for range most {
			inputs++
			if valid(bigen.Value(gen, g.Begin())) {
				break
			}
			g.Invalid()
		}
	}
	require.Less(t, inputs, seeds*most/2)
}
