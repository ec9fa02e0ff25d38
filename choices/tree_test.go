package choices_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func choicesOf(t *testing.T, v *bsttest.Tree) choices.Tree {
	t.Helper()
	c, err := bigen.Choices(bsttest.Gen(1, 9), v)
	require.NoError(t, err)
	return c
}

// find returns the index of the n-th choice that prints as s.
func find(t *testing.T, tree choices.Tree, s string, n int) int {
	t.Helper()
	for i := range tree {
		c := tree[i]
		c.Size, c.Reroll = 1, false
		if (choices.Tree{c}).String() == s {
			if n--; n == 0 {
				return i
			}
		}
	}
	require.Fail(t, "no such choice", "%s in %s", s, tree)
	return -1
}

func TestString(t *testing.T) {
	t.Parallel()
	c, err := bigen.Choices(genAll, all{Name: "a b", List: []int8{1, 2}, On: true, U: 1 << 63})
	require.NoError(t, err)
	require.Equal(t, `0, 9223372036854775808, "a b", true, more(1), more(2), stop, v0`, c.String())
	for tag, want := range map[string]string{
		"": `""`, "a b": `"a b"`, "5": `"5"`, "ä": "ä", "x-1.5_y": "x-1.5_y", "(": `"("`,
		"a\xffb": `"a\xffb"`,
	} {
		require.Equal(t, want, choices.Tree{{Tag: tag, Size: 1}}.String())
	}
}

func TestSpliceAndCut(t *testing.T) {
	t.Parallel()
	base := choicesOf(t, &bsttest.Tree{
		L: &bsttest.Tree{X: 3, R: &bsttest.Tree{X: 4}}, X: 5, R: &bsttest.Tree{X: 7},
	})
	require.Equal(t, "node(5, node(3, leaf, node(4)), node(7, leaf, leaf))", base.String())
	tests := []struct {
		name string
		got  choices.Tree
		want string
	}{
		{
			"leaf by tree",
			base.Splice(find(t, base, "leaf", 1), base.At(find(t, base, "node", 4))),
			"node(5, node(3, node(7, leaf, leaf), node(4)), node(7, leaf, leaf))",
		},
		{
			"tree by leaf",
			base.Splice(find(t, base, "node", 2), base.At(find(t, base, "leaf", 1))),
			"node(5, leaf, node(7, leaf, leaf))",
		},
		{
			"root by part", base.Splice(0, base.At(find(t, base, "node", 2))),
			"node(3, leaf, node(4))",
		},
		{
			"by nothing", base.Splice(find(t, base, "node", 3), nil),
			"node(5, node(3, leaf), node(7, leaf, leaf))",
		},
		{"cut two", base.Cut(find(t, base, "node", 2), len(base)), "node(5)"},
		{"cut all", base.Cut(0, len(base)), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, tt.got.String())
			consistent(t, tt.got)
		})
	}
	require.Equal(
		t, "node(5, node(3, leaf, node(4)), node(7, leaf, leaf))", base.String(),
		"edits leave their tree alone",
	)
	moved := base.Splice(find(t, base, "leaf", 1), base.At(find(t, base, "node", 4)))
	require.Equal(
		t, base[find(t, base, "leaf", 1)].Slot, moved[find(t, moved, "node", 3)].Slot,
		"what is spliced in takes over the slot",
	)
}

// consistent checks that sizes nest.
func consistent(t *testing.T, tree choices.Tree) {
	t.Helper()
	for i := 0; i < len(tree); i = tree.End(i) {
		require.GreaterOrEqual(t, int(tree[i].Size), 1)
		require.LessOrEqual(t, tree.End(i), len(tree))
		consistent(t, tree[i+1:tree.End(i)])
	}
}

func TestReplay(t *testing.T) {
	t.Parallel()
	base := choicesOf(t, &bsttest.Tree{
		L: &bsttest.Tree{X: 3, R: &bsttest.Tree{X: 4}}, X: 5, R: &bsttest.Tree{X: 7},
	})
	edit := func(f func(c choices.Tree) choices.Tree) choices.Tree {
		return f(append(choices.Tree(nil), base...))
	}
	set := func(s string, n int) choices.Tree {
		return edit(func(c choices.Tree) choices.Tree {
			c[find(t, c, s, 1)].N = int64(n)
			return c
		})
	}
	reroll := func(s string, n int) choices.Tree {
		return edit(func(c choices.Tree) choices.Tree {
			c[find(t, c, s, n)].Reroll = true
			return c
		})
	}
	tests := []struct {
		name string
		tree choices.Tree
		want string // without randomness
	}{
		{"as it is", base, "node(5, node(3, leaf, node(4)), node(7, leaf, leaf))"},
		{"nothing", nil, "leaf"},
		{
			"an integer in range", set("5", 6),
			"node(6, node(3, leaf, node(4, leaf)), node(7, leaf))",
		},
		{
			"an integer that puts others out of range", set("5", 3),
			"node(3, node(2, leaf), node(7, leaf, leaf))",
		},
		{"an integer out of range", set("7", 2), "node(5, node(3, leaf, node(4)), node(6, leaf))"},
		{"a tag made again", reroll("node", 2), "node(5, leaf, node(7, leaf, leaf))"},
		{
			"a leaf made again", reroll("leaf", 1),
			"node(5, node(3, node(1, leaf), node(4)), node(7, leaf, leaf))",
		},
		{
			"a part left out", base.Splice(find(t, base, "5", 1), nil),
			"node(1, node(7, leaf, leaf))",
		},
		{
			"an unknown tag",
			edit(func(c choices.Tree) choices.Tree {
				c[find(t, c, "node", 4)].Tag = "gone"
				return c
			}),
			"node(5, node(3, leaf, node(4)), node(7, leaf, leaf))",
		},
		{
			"another index", edit(func(c choices.Tree) choices.Tree { c[0].N = 0; return c }),
			"node(5, node(3, leaf, node(4)), node(7, leaf, leaf))",
		},
		{
			"another kind",
			edit(func(c choices.Tree) choices.Tree { c[1].Kind = choices.Text; return c }),
			"node(1, node(7, leaf, leaf))",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, got, err := bigen.Run(bsttest.Gen(1, 9), choices.Replay(tt.tree, nil))
			require.NoError(t, err)
			if tt.name != "an unknown tag" { // made again, whatever it becomes
				require.Equal(t, tt.want, got.String())
			}
			consistent(t, got)
			for seed := range uint64(100) { // at random, it is a run like others
				_, got, err := bigen.Run(bsttest.Gen(1, 9), choices.Replay(tt.tree, rng(seed)))
				require.NoError(t, err)
				consistent(t, got)
			}
		})
	}
}

// A choice marked Reroll comes out otherwise, if it can.
func TestReroll(t *testing.T) {
	t.Parallel()
	base, err := bigen.Choices(
		genAll, all{I: 5, U: 1 << 63, Name: "name", On: true, List: []int8{1}},
	)
	require.NoError(t, err)
	for i := range base {
		for seed := range uint64(200) {
			edited := append(choices.Tree(nil), base...)
			edited[i].Reroll = true
			_, got, err := bigen.Run(genAll, choices.Replay(edited, rng(seed)))
			require.NoError(t, err)
			for j := range i {
				require.Equal(t, base[j].Tag, got[j].Tag)
				require.Equal(t, base[j].N, got[j].N)
			}
			if base[i].Kind == choices.Text {
				require.NotEqual(t, base[i].Tag, got[i].Tag)
			} else {
				require.NotEqual(t, base[i].N, got[i].N)
			}
		}
	}
}

// Elements of a sequence move up where one is taken out.
func TestReplaySequence(t *testing.T) {
	t.Parallel()
	g := bigen.SliceOf(bigen.IntRange(0, 99), 0, 10)
	base, err := bigen.Choices(g, []int{11, 22, 33, 44})
	require.NoError(t, err)
	at := find(t, base, "22", 1) - 1
	v, _, err := bigen.Run(g, choices.Replay(base.Cut(at, base.End(at)), nil))
	require.NoError(t, err)
	require.Equal(t, []int{11, 33, 44}, v)

	twice := base.Splice(at, base.At(find(t, base, "44", 1)-1))
	v, _, err = bigen.Run(g, choices.Replay(twice, nil))
	require.NoError(t, err)
	require.Equal(t, []int{11, 44, 33, 44}, v)
}

func TestInterval(t *testing.T) {
	t.Parallel()
	const big = -1 // as Uint, the largest
	require.EqualValues(t, 0, choices.Int.Origin(-5, 5))
	require.EqualValues(t, 3, choices.Int.Origin(3, 5))
	require.EqualValues(t, -3, choices.Int.Origin(-5, -3))
	require.EqualValues(t, 3, choices.Uint.Origin(3, big))
	require.EqualValues(t, 5, choices.Int.Clamp(9, -5, 5))
	require.EqualValues(t, -5, choices.Int.Clamp(big-8, -5, 5))
	require.EqualValues(t, 5, choices.Uint.Clamp(big, 3, 5))
	require.True(t, choices.Uint.Less(1, big))
	require.False(t, choices.Int.Less(1, big))
}

// An inconsistent tree is replayed all the same.
func TestReplayAnything(t *testing.T) {
	t.Parallel()
	r := rng(9)
	for range long.Count(50, 2_000) {
		junk := make(choices.Tree, r.IntN(20))
		for i := range junk {
			junk[i] = choices.Choice{
				Kind: choices.Kind(r.IntN(6)), Reroll: r.IntN(
					2,
				) == 0, Slot: r.Uint32N(3) * 0x9E3779B1, Size: int32(r.IntN(9)) - 3,
				Tag: []string{"", "leaf", "node", "\xff"}[r.IntN(4)], N: r.Int64() >> r.IntN(64),
			}
			junk[i].SetRank(int32(r.IntN(9)) - 4)
		}
		for _, rnd := range []*rand.Rand{nil, r} {
			v, made, err := bigen.Run(bsttest.Gen(1, 9), choices.Replay(junk, rnd))
			require.NoError(t, err)
			require.True(t, v.Valid(1, 9))
			consistent(t, made)
			_, _, err = bigen.Run(genAll, choices.Replay(junk, rnd))
			require.NoError(t, err)
		}
		_ = junk.String()
		choices.Encode(junk)
	}
}

// A filter that rejects what a tree says draws other values.
func TestReplayFilter(t *testing.T) {
	t.Parallel()
	g := bigen.SuchThat(bigen.IntRange(0, 99), func(n int) bool { return n%2 == 0 })
	c, err := bigen.Choices(g, 40)
	require.NoError(t, err)
	c[0].N = 41
	for _, r := range []*rand.Rand{nil, rng(1)} {
		_, _, err = bigen.Run(g, choices.Replay(c, r))
		require.NoError(t, err)
	}
}

// Of several alternatives with one tag, a replay takes the one of the same rank.
func TestReplayRank(t *testing.T) {
	t.Parallel()
	alts := []bigen.Alt[int]{
		bigen.Tag("other", bigen.Just(0)), bigen.Tag("v", bigen.Just(1)),
		bigen.Tag("v", bigen.Just(2)), bigen.Tag("v", bigen.Just(3)),
	}
	for want := 1; want <= 3; want++ {
		c, err := bigen.Choices(bigen.Pick(alts...), want)
		require.NoError(t, err)
		v, _, err := bigen.Run(bigen.Pick(alts[1:]...), choices.Replay(c, nil))
		require.NoError(t, err)
		require.Equal(t, want, v)
	}
}

// A tree is repeated also where tags that differ have the same code.
func TestReplayCollision(t *testing.T) {
	t.Parallel()
	collide := func(tag string) bool {
		return hash.TagCode("AAA") == hash.TagCode(tag)
	}
	other := 0
	for !collide(fmt.Sprint("t", other)) {
		other++
	}
	tag := fmt.Sprint("t", other)
	g := bigen.Pick(
		bigen.Tag("AAA", bigen.Just(0)), bigen.Tag(tag, bigen.Just(1)),
		bigen.Tag("AAA", bigen.Just(2)), bigen.Tag(tag, bigen.Just(3)),
	)
	for want := range 4 {
		c, err := bigen.Choices(g, want)
		require.NoError(t, err)
		v, _, err := bigen.Run(g, choices.Replay(c, nil))
		require.NoError(t, err)
		require.Equal(t, want, v)
		v, err = bigen.Decode(g, choices.Encode(c))
		require.NoError(t, err)
		require.Equal(t, want, v)
	}
}
