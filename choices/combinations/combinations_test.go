package combinations_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/choices/combinations"
	"github.com/espalier-go/espalier/choices/internal/subjects"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

// settings is what classical combinatorial testing is about.
type settings struct{ A, B, C, D bool }

var genSettings = bigen.Struct(func(c *bigen.C, s *settings) {
	bigen.At(c, &s.A, bigen.Bool())
	bigen.At(c, &s.B, bigen.Bool())
	bigen.At(c, &s.C, bigen.Bool())
	bigen.At(c, &s.D, bigen.Bool())
})

// onlyOps leaves the structure of a list out of descriptions.
func onlyOps(c *choices.Choice) string {
	if c.Tag == "more" || c.Tag == "stop" {
		return ""
	}
	return c.Tag
}

func TestDescriptions(t *testing.T) {
	t.Parallel()
	left := &bsttest.Tree{X: 6, L: &bsttest.Tree{X: 4}}
	deep := &bsttest.Tree{
		X: 6, L: &bsttest.Tree{X: 2, R: &bsttest.Tree{X: 4, L: &bsttest.Tree{X: 3}}},
	}
	tests := []struct {
		name     string
		tree     choices.Tree
		strength int
		label    func(*choices.Choice) string
		want     []string // all of them
		some     []string // or some
		not      []string
	}{
		{
			name: "one", tree: subjects.TreeOf(t, bsttest.Gen(1, 9), left), strength: 1,
			want: []string{"4", "6", "leaf", "node"},
		},
		{name: "nothing", strength: 2, want: nil},
		{
			name: "settings", tree: subjects.TreeOf(
				t, genSettings, settings{A: true, C: true},
			), strength: 2,
			want: []string{
				"_(0: true, 1: false)", "_(0: true, 2: true)", "_(0: true, 3: false)",
				"_(1: false, 2: true)", "_(1: false, 3: false)", "_(2: true, 3: false)",
			},
		},
		{
			name: "left of", tree: subjects.TreeOf(t, bsttest.Gen(1, 9), left), strength: 2,
			some: []string{
				"_(0: 6, 1: 4)", "node(1: node)", "node(0: 6)", "node(0: 4)", "_(1: 4, 2: leaf)",
				"_(0: 4, 2: leaf)",
			},
			not: []string{"_(0: 4, 1: 6)", "node(2: node)", "node(1: 6)"},
		},
		{
			name: "however far below", tree: subjects.TreeOf(
				t, bsttest.Gen(1, 9), deep,
			), strength: 2,
			some: []string{
				"_(0: 6, 1: 4)", "_(0: 6, 1: 3)", "_(0: 2, 2: 3)", "_(0: 4, 1: 3)", "node(1: 3)",
			},
			not: []string{"_(0: 2, 1: 3)", "node(2: 2)"},
		},
		{
			name: "three", tree: subjects.TreeOf(t, bsttest.Gen(1, 9), deep), strength: 3,
			some: []string{
				"node(0: 6, 1: 4)", "node(1: node(2: 4))", "node(1: node(2: node))",
				"_(0: 6, 1: _(0: 2, 2: 4))", "_(0: 6, 1: node(2: 3))",
			},
			not: []string{"_(0: 6, 1: _(0: 3, 2: 4))"},
		},
		{
			name: "too strong", tree: subjects.TreeOf(t, bsttest.Gen(1, 9), nil), strength: 2,
			want: nil,
		},
		{
			name: "order in a list", tree: subjects.TreeOf(
				t, subjects.Ops, []string{"push", "pop", "push"},
			), strength: 2, label: onlyOps,
			want: []string{"_(0: pop, 0: push)", "_(0: push, 0: pop)", "_(0: push, 0: push)"},
		},
		{
			name: "list with its structure", tree: subjects.TreeOf(
				t, subjects.Ops, []string{"push", "pop"},
			), strength: 2,
			some: []string{
				"more(0: push)", "_(0: more, 0: more)", "_(0: push, 0: more)",
				"_(0: push, 0: stop)", "_(0: push, 0: pop)",
			},
			not: []string{"_(0: pop, 0: push)", "more(0: stop)"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			label := tt.label
			if label == nil {
				label = exact
			}
			c := combinations.New(tt.strength, label)
			var got []string
			for d := range c.Descriptions(tt.tree) {
				require.False(t, c.Covers(d))
				got = append(got, d.String())
			}
			slices.Sort(got)
			require.Len(t, slices.Compact(slices.Clone(got)), len(got), "each once")
			if tt.some == nil {
				require.Equal(t, tt.want, got)
			}
			for _, s := range tt.some {
				require.Contains(t, got, s)
			}
			for _, s := range tt.not {
				require.NotContains(t, got, s)
			}
			require.Equal(t, len(got), c.Gain(tt.tree))
			require.Equal(t, len(got), c.Add(tt.tree))
			require.Equal(t, len(got), c.Len())
			require.Zero(t, c.Gain(tt.tree)+c.Add(tt.tree))
			for d := range c.Descriptions(tt.tree) {
				require.True(t, c.Covers(d))
			}
		})
	}
}

// A part that asks nothing is not there; the others keep their numbers.
func TestDescriptionParts(t *testing.T) {
	t.Parallel()
	tree := subjects.TreeOf(t, bsttest.Gen(1, 9), &bsttest.Tree{X: 1, R: &bsttest.Tree{X: 5}})
	require.Equal(t, "node(1, node(5, leaf, leaf))", tree.String())
	var got []string
	for d := range combinations.New(2, exact).Descriptions(tree) {
		got = append(got, d.String())
	}
	require.Contains(t, got, "_(0: 1, 2: 5)")
}

// reference finds descriptions in the way in which they are defined.
func reference(t choices.Tree, strength int, all map[string]bool) {
	up := func(i int) int {
		for p := i - 1; p >= 0; p-- {
			if t.End(p) > i {
				return p
			}
		}
		return -1
	}
	// partOf returns the slot in which j is below i.
	partOf := func(i, j int) uint32 {
		for up(j) != i {
			j = up(j)
		}
		return t[j].Slot
	}
	var choose func(chosen []int, from int)
	choose = func(chosen []int, from int) {
		if len(chosen) == strength {
			var b strings.Builder
			for x, j := range chosen {
				fmt.Fprint(&b, combinations.Coarse(&t[j]), " ")
				for _, i := range chosen[:x] {
					if t.End(i) > j {
						fmt.Fprint(&b, "below ", partOf(i, j), " ")
						continue
					}
					p := up(i)
					for p >= 0 && t.End(p) <= j {
						p = up(p)
					}
					fmt.Fprint(&b, "apart ", partOf(p, i), " ", partOf(p, j), " ")
				}
			}
			all[b.String()] = true
			return
		}
		for i := from; i < len(t); i++ {
			choose(append(chosen, i), i+1)
		}
	}
	choose(nil, 0)
}

func TestCoverageIsAsDefined(t *testing.T) {
	t.Parallel()
	r := subjects.Rand(1)
	for strength := 1; strength <= 4; strength++ {
		c := combinations.New(strength, nil)
		want := map[string]bool{}
		for len(want) < long.Count(100, 1000) {
			var tree choices.Tree
			switch r.IntN(3) {
			case 0:
				tree = subjects.TreeOf(
					t, bsttest.Gen(-99, 99), bsttest.Random(r, r.IntN(6), -99, 99),
				)
			case 1:
				_, tree, _ = bigen.Run(
					bigen.SliceOf(bigen.SliceOf(bigen.String(2), 0, 3), 0, 3), choices.Random(r),
				)
			case 2:
				_, tree, _ = bigen.Run(subjects.Events, choices.Random(r))
			}
			if len(tree) > 20 {
				continue
			}
			before := len(want)
			reference(tree, strength, want)
			require.Equal(t, len(want)-before, c.Gain(tree), "%v", tree)
			require.Equal(t, len(want)-before, c.Add(tree), "%v", tree)
			if strength == 1 && c.Len() > 20 {
				break
			}
		}
		require.Equal(t, len(want), c.Len())
	}
}

func TestCoverageOfLargeTrees(t *testing.T) {
	if !long.Enabled() {
		t.Skip("makes large values")
	}
	t.Parallel()
	g := bigen.SliceOf(bigen.IntRange(0, math.MaxInt), 0, math.MaxInt)
	_, large, err := bigen.Run(g, bias.Random(subjects.Rand(
		1,
	), bias.Weighted(func(tag string, w float64) float64 {
		return map[string]float64{"more": 1}[tag]
	})))
	require.NoError(t, err)
	require.Greater(t, len(large), 1<<15)
	v := make([]int, 3000)
	for i := range v {
		v[i] = i
	}
	for strength := 1; strength <= 4; strength++ {
		if strength == 1 || long.Enabled() {
			require.LessOrEqual(t, combinations.New(strength, exact).Add(large), 1<<20)
		}
		c := combinations.New(strength, exact)
		tree := subjects.TreeOf(t, g, v)
		n := c.Add(tree)
		require.LessOrEqual(t, n, 1<<20)
		require.Equal(t, n, c.Len())
	}
	// An even sample: of the pairs of integers, some are far apart.
	c := combinations.New(2, nil)
	c.Add(subjects.TreeOf(t, g, v))
	found := false
	for d := range c.Descriptions(subjects.TreeOf(t, g, v)) {
		found = found || d.String() == "_(0: 128..255, 0: 2048..4095)"
	}
	require.True(t, found)
}

// Edits leave trees that no run has recorded.
func TestCoverageOfBrokenTrees(t *testing.T) {
	t.Parallel()
	tree := subjects.TreeOf(t, bsttest.Gen(-99, 99), bsttest.Random(subjects.Rand(1), 20, -99, 99))
	r := subjects.Rand(2)
	for range long.Count(2, 40) {
		for strength := 1; strength <= 3; strength++ {
			c := combinations.New(strength, nil)
			broken := slices.Clone(tree)
			for range 5 {
				broken[r.IntN(len(broken))].Size = int32(r.IntN(60) - 10)
			}
			n := c.Add(broken)
			for d := range c.Descriptions(broken) {
				_ = d.String()
				n--
			}
			require.Zero(t, n)
		}
	}
}

func TestNewCoveragePanics(t *testing.T) {
	t.Parallel()
	for _, strength := range []int{-1, 0, 5} {
		require.Panics(t, func() { combinations.New(strength, nil) })
	}
}

func TestCoarse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		c    choices.Choice
		want string
	}{
		{choices.Choice{Kind: choices.Int, N: 15}, "15"},
		{choices.Choice{Kind: choices.Int, N: 16}, "16..31"},
		{choices.Choice{Kind: choices.Int, N: -31}, "-31..-16"},
		{choices.Choice{Kind: choices.Int, N: -3}, "-3"},
		{
			choices.Choice{Kind: choices.Int, N: math.MinInt64},
			"-18446744073709551615..-9223372036854775808",
		},
		{choices.Choice{Kind: choices.Uint, N: -1}, "9223372036854775808..18446744073709551615"},
		{choices.Choice{Kind: choices.Text}, "text(0)"},
		{choices.Choice{Kind: choices.Text, Tag: strings.Repeat("ä", 40)}, "text(32..63)"},
		{choices.Choice{Tag: "node"}, "node"},
		{choices.Choice{Tag: "5"}, `"5"`},
	} {
		require.Equal(t, tt.want, combinations.Coarse(&tt.c))
	}
}

func TestThin(t *testing.T) {
	t.Parallel()
	r := subjects.Rand(3)
	var trees []choices.Tree
	whole := combinations.New(2, exact)
	for range 200 {
		_, tree, err := bigen.Run(bsttest.Gen(0, 5), choices.Random(r))
		require.NoError(t, err)
		trees = append(trees, tree, tree)
		whole.Add(tree)
	}
	c := combinations.New(2, exact)
	kept := c.Thin(trees)
	require.Equal(t, whole.Len(), c.Len(), "nothing is lost")
	require.Less(t, len(kept), len(trees)/4)

	// Each adds most to those before.
	again := combinations.New(2, exact)
	for _, k := range kept {
		gain := again.Gain(trees[k])
		require.Positive(t, gain)
		for i, tree := range trees {
			if i < k {
				require.Less(t, again.Gain(tree), gain)
			}
			require.LessOrEqual(t, again.Gain(tree), gain)
		}
		again.Add(trees[k])
	}
	require.Empty(t, c.Thin(trees), "what is covered already adds nothing")
}

func BenchmarkCoverage(b *testing.B) {
	for _, bb := range []struct{ strength, nodes int }{{2, 320}, {3, 33}} {
		tree, err := bigen.Choices(
			bsttest.Gen(-1000, 1000), bsttest.Random(subjects.Rand(1), bb.nodes, -1000, 1000),
		)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("strength=%d/choices=%d", bb.strength, len(tree)), func(b *testing.B) {
			c := combinations.New(bb.strength, nil)
			c.Add(tree)
			b.ReportAllocs()
			for b.Loop() {
				c.Gain(tree)
			}
		})
	}
}

// exact labels a choice by its Mark.
func exact(c *choices.Choice) string { return c.Mark().String() }
