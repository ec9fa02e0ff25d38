package predict_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/examples/trees"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// exact is a generator whose values are counted.
type exact struct {
	name string
	read func() (*predict.Grammar, error)
	run  func(src choices.Source) (choices.Tree, error)
}

func exactOf[A any](name string, g bigen.Gen[A]) exact {
	return exact{name, func() (*predict.Grammar, error) { return predict.Read(g) },
		func(src choices.Source) (choices.Tree, error) {
			_, tree, err := bigen.Run(g, src)
			return tree, err
		}}
}

type exactPair struct {
	A []bool
	B [][]bool
	C bool
}

var exacts = []exact{
	exactOf("general", trees.Gen()),
	exactOf("binary", trees.GenBinary()),
	exactOf("one or more", bigen.SliceOf(bigen.SliceOf(bigen.Bool(), 1, 3), 1, 4)),
	exactOf("pair", bigen.Struct(func(c *bigen.C, p *exactPair) {
		bigen.At(c, &p.A, bigen.SliceOf(bigen.Bool(), 0, 2))
		bigen.At(c, &p.B, bigen.SliceOf(bigen.SliceOf(bigen.Just(true), 0, 300), 2, 300))
		bigen.At(c, &p.C,
			bigen.Pick(bigen.Tag("x", bigen.Just(true)), bigen.Tag("y", bigen.Just(false)),
				bigen.Tag("z", bigen.Just(false)).Weight(0)))
	})),
}

// picks returns the picks of a tree as a text.
func picks(t choices.Tree) string {
	var b []byte
	for _, c := range t {
		if c.Kind == choices.Pick {
			b = append(b, byte('0'+c.N))
		}
	}
	return string(b)
}

// sizeAndHeight counts the picks that take an alternative other than the first of several, and how
// deep they nest.
func sizeAndHeight(t choices.Tree) (at [2]int) {
	counts := func(i int) int {
		if c := &t[i]; c.Kind == choices.Pick && (c.N > 0 || c.Hi == 0) {
			return 1
		}
		return 0
	}
	for i, around := range t.Walk() {
		height := counts(i)
		at[0] += height
		for _, k := range around {
			height += counts(k)
		}
		at[1] = max(at[1], height)
	}
	return at
}

// Values have the given sizes and heights. All of them are made, and equally often.
func TestExact(t *testing.T) {
	t.Parallel()
	for _, test := range exacts {
		t.Run(test.name, func(t *testing.T) {
			g, err := test.read()
			require.NoError(t, err)
			e, err := g.Exact([2]int{3, 6}, [2]int{1, 3})
			require.NoError(t, err)
			seen := map[[2]int]map[string]int{}
			p, r := e.Prior(), rand.New(rand.NewPCG(1, 2))
			n := long.Count(5000, 80_000)
			for range n {
				tree, err := test.run(choices.RandomBy(r, p))
				require.NoError(t, err)
				at := sizeAndHeight(tree)
				require.True(t, 3 <= at[0] && at[0] <= 6 && 1 <= at[1] && at[1] <= 3, at)
				if seen[at] == nil {
					seen[at] = map[string]int{}
				}
				seen[at][picks(tree)]++
			}
			values, bits := 0.0, 0.0
			for at, all := range seen {
				share := float64(n) / float64(len(seen))
				total := 0
				for _, count := range all {
					total += count
				}
				require.InDelta(t, share, total, 5*math.Sqrt(share), at)
				values += float64(len(all))
				each := float64(total) / float64(len(all))
				square := 0.0
				for _, count := range all {
					square += (float64(count) - each) * (float64(count) - each) / each
				}
				free := float64(len(all) - 1)
				require.LessOrEqual(t, square, free+5*math.Sqrt(2*free), "%v: %v", at, all)
				bits += math.Log2(float64(len(all)) * float64(len(seen)))
			}
			count, entropy := e.Counted()
			require.InDelta(t, values, math.Exp2(count), 1e-6)
			require.InDelta(t, bits/float64(len(seen)), entropy, 1e-9)
		})
	}
}

// log2 returns the binary logarithm of the number of values that a model draws from.
func log2(m *tune.Model) float64 {
	values, _ := m.Counted()
	return values
}

// The number of general trees of n nodes is a Catalan number. There are 3^(n+1) times as many
// binary trees with three kinds of leaves. Sizes count what tags say.
func TestExactCatalan(t *testing.T) {
	t.Parallel()
	general, err := predict.Read(trees.Gen())
	require.NoError(t, err)
	binary, err := predict.Read(trees.GenBinary())
	require.NoError(t, err)
	catalan := 0.0 // its binary logarithm
	for n := 1; n <= 100; n++ {
		catalan += math.Log2(float64(4*n-2) / float64(n+1))
		if n > 8 && n != 30 && (n%46 != 0 || !long.Enabled()) {
			continue
		}
		e, err := general.Exact([2]int{n, n}, [2]int{0, n})
		require.NoError(t, err)
		require.InDelta(t, catalan, log2(e), 1e-8, n)
		e, err = general.Exact([2]int{n, n}, predict.AnyHeight)
		require.NoError(t, err)
		require.InDelta(t, catalan, log2(e), 1e-8, n)
		e, err = binary.Exact([2]int{n, n}, [2]int{0, n}, "node")
		require.NoError(t, err)
		require.InDelta(t, catalan+float64(n+1)*math.Log2(3), log2(e), 1e-8, n)
	}
	e, err := binary.Exact([2]int{900, 900}, [2]int{long.Count(12, 30), long.Count(12, 30)}, "node")
	require.NoError(t, err)
	require.Greater(t, log2(e), 1024., "more than a float64 holds")
	for _, n := range []int{250, 300, 350} { // sizes whose counts neither overflow nor underflow
		e, err := binary.Exact([2]int{2 * n, 2 * n}, predict.AnyHeight)
		require.NoError(t, err)
		require.Greater(t, log2(e), float64(2*n))
	}

	for _, test := range []struct {
		sizes, heights [2]int
		tags           []string
		want           string
	}{
		{[2]int{3, 2}, [2]int{1, 1}, nil,
			"cannot count values of size 3 to 2, height 1 to 1: the range is empty"},
		{[2]int{3, 3}, [2]int{4, 4}, nil,
			"cannot count values of size 3 to 3, height 4 to 4: there are none"},
		{[2]int{1, 1}, [2]int{1, 1}, []string{"A"},
			"cannot count values of size 1 to 1, height 1 to 1: there are infinitely many of size 0"},
		{[2]int{90_000, 90_000}, [2]int{9000, 9000}, nil,
			"cannot count values of size 90000 to 90000, height 9000 to 9000: that takes too long"},
		{[2]int{90_000, 90_000}, predict.AnyHeight, nil,
			"cannot count values of size 90000 to 90000: that takes too long"},
		{[2]int{1, 1}, [2]int{0, 1e9}, nil,
			"cannot count values of size 1 to 1, height 0 to 1000000000: that takes too long"},
	} {
		_, err := binary.Exact(test.sizes, test.heights, test.tags...)
		require.EqualError(t, err, "tune: no model: "+test.want)
		require.Equal(t, strings.HasSuffix(test.want, "none"), errors.Is(err, predict.ErrNone))
	}
	const unknown = `predict: no alternative has the tag "a": is it misspelled?`
	_, err = binary.Exact([2]int{1, 1}, [2]int{1, 1}, "A", "a")
	require.EqualError(t, err, unknown)
	require.PanicsWithValue(t, unknown, func() { binary.ExpectTags(5, "a") })
}

// A model that is read from a file makes the same values. Files that are not models are
// refused.
func TestExactJSON(t *testing.T) {
	t.Parallel()
	g, err := predict.Read(trees.GenBinary())
	require.NoError(t, err)
	for _, heights := range [][2]int{{2, 4}, predict.AnyHeight} {
		e, err := g.Exact([2]int{5, 9}, heights, "node")
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), "model.json")
		require.NoError(t, e.Save(file))
		again, err := tune.Load(file)
		require.NoError(t, err)
		require.Equal(t, log2(e), log2(again))
		for seed := range uint64(100) {
			var all [2]*trees.Binary
			for i, e := range []*tune.Model{e, again} {
				all[i], err = tune.Sample(e, trees.GenBinary(), rand.New(rand.NewPCG(seed, 0)))
				require.NoError(t, err)
			}
			require.Equal(t, all[0], all[1])
		}
		require.PanicsWithValue(t, `tune: a model of kind "exact" has no samplers`, func() {
			again.Set(tune.Point{Kind: choices.Int}, tune.Geometric{})
		})
	}
	for text, want := range map[string]string{
		`{}`:                       "it has no root",
		`{"more":1}`:               "unknown field",
		`{"types":[{"rules":[]}]}`: "it has no root",
		`{"sizes":[9,1],"types":[{"rules":[{}]}]}`:                                                                 "cannot count values of size 9 to 1",
		`{"sizes":[1,1],"types":[{"rules":[{}]}]}`:                                                                 "there are none",
		`{"sizes":[1,1],"types":[{"rules":[{"size":-1}]}]}`:                                                        "a rule of size -1",
		`{"sizes":[1,1],"types":[{"rules":[{"parts":[[1,0]]}]}]}`:                                                  "leads to a type 1",
		`{"sizes":[1,1],"types":[{"rules":[{"parts":[[1,0]]}]},{"rules":[]}]}`:                                     "leads to a type 1",
		`{"sizes":[1,1],"types":[{"rules":[{"parts":[[1,1]]}]},{"tags":["a"],"rules":[{}]}]}`:                      "1 deep",
		`{"sizes":[1,1],"types":[{"rules":[{}]},{"tags":["a"],"rules":[{},{}]}]}`:                                  "has 1 alternatives, and rules for 2",
		`{"sizes":[1,99999999],"types":[{"rules":[{}]}]}`:                                                          "that takes too long",
		`{"sizes":[1,1],"types":[{"rules":[{"parts":[[1,0]]}]},{"tags":["a"],"rules":[{"parts":[[1,0],[1,0]]}]}]}`: "there are none",
	} {
		m := tune.New()
		err :=
			m.UnmarshalJSON(
				[]byte(`{"format":"espalier model","version":2,"kind":"exact","model":` + text + `}`))
		require.ErrorContains(t, err, want, text)
		require.Equal(t, tune.New(), m)
	}
}

// If answers from bytes make the size impossible, the generator answers the rest.
func TestExactLost(t *testing.T) {
	t.Parallel()
	g, err := predict.Read(trees.Gen())
	require.NoError(t, err)
	e, err := g.Exact([2]int{5, 5}, [2]int{0, 5})
	require.NoError(t, err)
	wide := trees.Tree{Children: make([]trees.Tree, 9)}
	b, err := bigen.Encode(trees.Gen(), wide)
	require.NoError(t, err)
	v, err := bigen.Value(trees.Gen(), choices.FromBytesBy(b, e.Prior()))
	require.NoError(t, err)
	require.Equal(t, wide, v)
	v, err = bigen.Value(trees.Gen(), choices.FromBytesBy(nil, e.Prior()))
	require.NoError(t, err)
	require.Equal(t, 6, v.Size())
}
