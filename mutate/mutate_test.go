package mutate_test

import (
	"cmp"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/draw"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// concat returns the parts as one new slice.
func concat[S ~[]E, E any](parts ...S) (all S) {
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}

const lo, hi = -1000, 1000

func choicesOf(t *testing.T, v *bsttest.Tree) choices.Tree {
	t.Helper()
	c, err := bigen.Choices(bsttest.Gen(lo, hi), v)
	require.NoError(t, err)
	return c
}

// Whatever is edited, the mutant is a search tree; and most edits change it.
func TestMutantsAreValid(t *testing.T) {
	type operator struct {
		name    string
		edit    func(choices.Tree, *rand.Rand) choices.Tree
		changed float64 // at least this share
		keeps   float64 // of the keys, on average
	}
	operators := []operator{
		{"Reroll", mutate.Reroll, 0.99, 0.80},
		{"Shrink", func(t choices.Tree, r *rand.Rand) choices.Tree {
			return mutate.Shrink(t, mutate.SameTag, r)
		}, 0.80, 0.60},
		{"Swap", func(t choices.Tree, r *rand.Rand) choices.Tree {
			return mutate.Swap(t, mutate.SameTag, r)
		}, 0.90, 0.40},
		{"Any", func(t choices.Tree, r *rand.Rand) choices.Tree {
			return mutate.Any(t, mutate.SameTag, r)
		}, 0.90, 0.60},
	}
	m := &mutate.Mutator{Dictionary: choices.Marks(5, -700)}
	for range 5 {
		m.Corpus = append(m.Corpus, choicesOf(t, bsttest.Random(rng(9), 20, lo, hi)))
	}
	for _, op := range append(mutate.Operators(), mutate.Operator{
		Name:  "Havoc",
		Apply: (*mutate.Mutator).Havoc,
	}) {
		o := operator{op.Name, func(t choices.Tree, r *rand.Rand) choices.Tree {
			edited, _ := op.Apply(m, t, r)
			return edited
		}, 0.90, 0.60}
		switch op.Name {
		case "duplicate", "delete", "permute", "crossover": // search trees have no sequences
			o.changed = -1
		}
		operators = append(operators, o)
	}
	for _, op := range operators {
		t.Run(op.name, func(t *testing.T) {
			const nodes = 20
			n := long.Count(50, 1500)
			r := rng(8)
			kept, changed := 0.0, 0
			for range n {
				v := bsttest.Random(r, nodes, lo, hi)
				before := choicesOf(t, v)
				edited := op.edit(before, r)
				require.Equal(t, before, choicesOf(t, v), "an edit leaves its tree alone")
				w, made, err := bigen.Run(bsttest.Gen(lo, hi), choices.Replay(edited, r))
				require.NoError(t, err)
				require.True(t, w.Valid(lo, hi), "%v", w.Keys())
				if made.String() != before.String() {
					changed++
				}
				// The edited node itself need not stay.
				kept += min(1, float64(v.Kept(w))/(nodes-1))
			}
			t.Logf("changed %.3f of the trees, kept %.3f of the other nodes of a changed tree",
				float64(changed)/float64(n), kept/float64(n))
			require.Greater(t, float64(changed)/float64(n), op.changed,
				"an operator that finds nothing to do in search trees is an exception above")
			require.Greater(t, kept/float64(n), op.keeps)
		})
	}
}

// The examples of "Bigenerators, Exposed!", section 6.2.2.
func TestPaper(t *testing.T) {
	results :=
		func(
			v *bsttest.Tree, eq mutate.Compat,
			edit func(choices.Tree, mutate.Compat, *rand.Rand) choices.Tree,
		) map[string]bool {
			seen := map[string]bool{}
			for seed := range uint64(200) {
				seen[edit(choicesOf(t, v), eq, rng(seed)).String()] = true
			}
			return seen
		}
	anyTag := func(a, b *choices.Choice) bool { return true }
	v := &bsttest.Tree{L: &bsttest.Tree{X: 3}, X: 5}
	require.Equal(t, map[string]bool{"node(3, leaf, leaf)": true},
		results(v, mutate.SameTag, mutate.Shrink))
	require.Contains(t, results(v, anyTag, mutate.Swap), "node(5, leaf, node(3, leaf, leaf))")
	require.Equal(t, map[string]bool{"node(5, node(3, leaf, leaf), leaf)": true},
		results(v, mutate.SameTag, mutate.Swap), "no two tags are the same")

	marked := map[string]bool{}
	for seed := range uint64(200) {
		marked[mutate.Reroll(choicesOf(t, v), rng(seed)).String()] = true
	}
	for _, want := range []string{"node!(5, node(3, leaf, leaf), leaf)",
		"node(5!, node(3, leaf, leaf), leaf)", "node(5, node(3!, leaf, leaf), leaf)",
		"node(5, node(3, leaf, leaf), leaf!)"} {
		require.Contains(t, marked, want)
	}
}

// The figure of section 6.2.3: the root 6 of a tree over 1 to 9 is made again; 3
// takes its place, and nothing but 1 and then 2 fits where 4 and its children were.
func TestPaperReroll(t *testing.T) {
	v := &bsttest.Tree{
		L: &bsttest.Tree{L: &bsttest.Tree{X: 3}, X: 4, R: &bsttest.Tree{X: 5}},
		X: 6,
		R: &bsttest.Tree{X: 8},
	}
	c, err := bigen.Choices(bsttest.Gen(1, 9), v)
	require.NoError(t, err)
	c[1].Reroll = true // the root's integer
	found := false
	for seed := range uint64(2000) {
		w, _, err := bigen.Run(bsttest.Gen(1, 9), choices.Replay(c, rng(seed)))
		require.NoError(t, err)
		require.True(t, w.Valid(1, 9))
		require.NotEqual(t, 6, w.X)
		if w.X == 3 && w.L.X == 1 {
			found = true
			require.Equal(t, []int{1, 2, 3, 8}, w.Keys())
			require.Nil(t, w.L.L)
		}
	}
	require.True(t, found)
}

func TestEditsOfSmallTrees(t *testing.T) {
	for _, c := range []choices.Tree{nil, choicesOf(t, nil)} {
		require.Equal(t, c.String(), mutate.Shrink(c, mutate.SameTag, rng(1)).String())
		require.Equal(t, c.String(), mutate.Swap(c, mutate.SameTag, rng(1)).String())
		require.Len(t, mutate.Reroll(c, rng(1)), len(c))
	}
}

// Minimize finds the simplest tree that fails, from whatever tree it starts.
func TestMinimize(t *testing.T) {
	size := func(v *bsttest.Tree) int { return len(v.Keys()) }
	tests := []struct {
		name  string
		fails func(v *bsttest.Tree) bool
		want  string
	}{
		{"always", func(v *bsttest.Tree) bool { return true }, "leaf"},
		{"not empty", func(v *bsttest.Tree) bool { return v != nil }, "node(0, leaf, leaf)"},
		{"a bound", func(v *bsttest.Tree) bool { return v != nil && slices.Max(v.Keys()) >= 37 },
			"node(37, leaf, leaf)"},
		{"below zero", func(v *bsttest.Tree) bool { return v != nil && v.Keys()[0] <= -5 },
			"node(-5, leaf, leaf)"},
		{"two nodes", func(v *bsttest.Tree) bool { return size(v) >= 2 && v.R != nil },
			"node(0, leaf, node(1, leaf))"},
		{"left child", func(v *bsttest.Tree) bool { return v != nil && v.L != nil },
			"node(0, node(-1, leaf), leaf)"},
		{"neighbors", func(v *bsttest.Tree) bool {
			k := v.Keys()
			for i := 1; i < len(k); i++ {
				if k[i] == k[i-1]+7 {
					return true
				}
			}
			return false
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := rng(2)
			for found := 0; found < 50; {
				v := bsttest.Random(r, 1+r.IntN(60), lo, hi)
				if !tt.fails(v) {
					continue
				}
				found++
				start := choicesOf(t, v)
				calls := 0
				got, steps, used := mutate.Minimize(start, remake,
					func(v *bsttest.Tree) bool { calls++; return tt.fails(v) }, 5_000)
				require.Equal(t, calls, used)
				require.LessOrEqual(t, mutate.Compare(got, start), 0)
				require.Equal(t, steps == 0, got.String() == start.String())
				w, again, err := remake(got)
				require.NoError(t, err)
				require.Equal(t, got, again)
				require.True(t, tt.fails(w))
				if tt.want != "" {
					require.Equal(t, tt.want, got.String())
				} else {
					require.Equal(t, 2, size(w))
				}
			}
		})
	}
}

func remake(c choices.Tree) (*bsttest.Tree, choices.Tree, error) {
	return bigen.Run(bsttest.Gen(lo, hi), choices.Replay(c, nil))
}

func TestMinimizeOthers(t *testing.T) {
	type record struct {
		Name string
		List []int
		Same int
	}
	g := bigen.Struct(func(c *bigen.C, v *record) {
		bigen.At(c, &v.Name, bigen.String(40))
		bigen.At(c, &v.List, bigen.SliceOf(bigen.IntRange(-1000, 1000), 0, 60))
		bigen.At(c, &v.Same, bigen.IntRange(-1000, 1000))
	})
	tests := []struct {
		name  string
		fails func(v record) bool
		want  record
	}{
		{"nothing", func(v record) bool { return true }, record{}},
		{"length", func(v record) bool { return len(v.List) >= 5 }, record{List: []int{0, 0, 0, 0, 0}}},
		{"element", func(v record) bool {
			return slices.ContainsFunc(v.List, func(n int) bool { return n > 99 })
		}, record{List: []int{100}}},
		{"runes", func(v record) bool { return len([]rune(v.Name)) >= 3 }, record{Name: "aaa"}},
		{"digit", func(v record) bool { return strings.ContainsAny(v.Name, "0123456789") },
			record{Name: "0"}},
		{"equal", func(v record) bool { return slices.Contains(v.List, v.Same) && v.Same != 0 },
			record{List: []int{1}, Same: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := rng(3)
			for found := 0; found < 20; {
				v, c, err := bigen.Run(g, choices.Random(r))
				require.NoError(t, err)
				if tt.name == "equal" && len(v.List) > 0 { // which random values hardly are
					v.Same = v.List[len(v.List)/2]
					c, err = bigen.Choices(g, v)
					require.NoError(t, err)
				}
				if !tt.fails(v) {
					continue
				}
				found++
				got, _, _ := mutate.Minimize(c, func(c choices.Tree) (record, choices.Tree, error) {
					return bigen.Run(g, choices.Replay(c, nil))
				}, tt.fails, 5_000)
				w, _, err := bigen.Run(g, choices.Replay(got, nil))
				require.NoError(t, err)
				require.Equal(t, tt.want, w)
			}
		})
	}
}

// A wrapper with another tag is removed, too, and elements are put in order.
func TestMinimizeExpressions(t *testing.T) {
	var gen func(depth int) bigen.Gen[expr]
	gen = func(depth int) bigen.Gen[expr] {
		num := bigen.Case[expr]("num", bigen.IntRange[num](0, 99))
		if depth == 0 {
			return bigen.Pick(num)
		}
		return bigen.Pick(num,
			bigen.Case[expr]("neg",
				bigen.Struct(func(c *bigen.C, e *neg) { bigen.At(c, &e.X, gen(depth-1)) })),
			bigen.Case[expr]("sum",
				bigen.Struct(func(c *bigen.C, e *sum) {
					bigen.At(c, &e.Terms, bigen.SliceOf(gen(depth-1), 0, 4))
				})))
	}
	var has func(e expr, ok func(expr) bool) bool
	has = func(e expr, ok func(expr) bool) bool {
		if ok(e) {
			return true
		}
		switch e := e.(type) {
		case neg:
			return has(e.X, ok)
		case sum:
			return slices.ContainsFunc(e.Terms, func(x expr) bool { return has(x, ok) })
		}
		return false
	}
	tests := []struct {
		name  string
		fails func(e expr) bool
		want  expr
	}{
		{"negated sum", func(e expr) bool {
			return has(e, func(e expr) bool { n, ok := e.(neg); _, is := n.X.(sum); return ok && is })
		}, neg{sum{}}},
		{"sum of two kinds", func(e expr) bool {
			return has(e, func(e expr) bool {
				s, _ := e.(sum)
				isNum, isNeg := false, false
				for _, x := range s.Terms {
					switch x.(type) {
					case num:
						isNum = true
					case neg:
						isNeg = true
					}
				}
				return isNum && isNeg
			})
		}, sum{[]expr{num(0), neg{num(0)}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := rng(4)
			for found := 0; found < 100; {
				v, c, err := bigen.Run(gen(6), choices.Random(r))
				require.NoError(t, err)
				if !tt.fails(v) {
					continue
				}
				found++
				got, _, _ := mutate.Minimize(c, func(c choices.Tree) (expr, choices.Tree, error) {
					return bigen.Run(gen(6), choices.Replay(c, nil))
				}, tt.fails, 5_000)
				w, _, err := bigen.Run(gen(6), choices.Replay(got, nil))
				require.NoError(t, err)
				require.Equal(t, tt.want, w)
			}
		})
	}
}

type (
	expr interface{ isExpr() }
	num  int
	neg  struct{ X expr }
	sum  struct{ Terms []expr }
)

func (num) isExpr() {}
func (neg) isExpr() {}
func (sum) isExpr() {}

func TestMinimizeStops(t *testing.T) {
	start := choicesOf(t, bsttest.Random(rng(1), 200, lo, hi))
	for _, most := range []int{0, 1, 10} {
		calls := 0
		_, _, used := mutate.Minimize(start, remake,
			func(*bsttest.Tree) bool { calls++; return false }, most)
		require.Equal(t, most, calls)
		require.Equal(t, most, used)
	}
	made := 0
	_, _, used := mutate.Minimize(start, func(c choices.Tree) (*bsttest.Tree, choices.Tree, error) {
		if made++; made > 7 {
			return nil, nil, mutate.ErrStop
		}
		return remake(c)
	}, func(*bsttest.Tree) bool { return false }, 5_000)
	require.Equal(t, 8, made)
	require.LessOrEqual(t, used, 7)
}

// A step in the middle of a text may put something else in its place.
func TestMinimizeTextThatGoes(t *testing.T) {
	type word struct{ Kind, Text string }
	g := bigen.SuchThat(bigen.Pick(
		bigen.Tag("none", bigen.Just(word{})),
		bigen.Tag("other", bigen.Just(word{Kind: "other"})).Weight(1e6), // like a filter that retries
		bigen.Tag("some", bigen.Struct(func(c *bigen.C, w *word) {
			w.Kind = "some"
			bigen.At(c, &w.Text, bigen.String(20))
		})),
	), func(w word) bool { return w.Kind != "some" || len(w.Text) >= 5 })
	c, err := bigen.Choices(g, word{"some", "abcdefgh"})
	require.NoError(t, err)
	got, _, _ := mutate.Minimize(c, func(c choices.Tree) (word, choices.Tree, error) {
		return bigen.Run(g, choices.Replay(c, nil))
	}, func(w word) bool { return w.Kind != "" }, 1000)
	require.Equal(t, "other", got.String())
}

// After a stop, nothing that takes long continues.
func TestMinimizeStopsAtOnce(t *testing.T) {
	g := bigen.String(1 << 20)
	c, err := bigen.Choices(g, strings.Repeat("b", 40_000))
	require.NoError(t, err)
	made := 0
	mutate.Minimize(c, func(choices.Tree) (string, choices.Tree, error) {
		made++
		return "", nil, mutate.ErrStop
	}, func(string) bool { return false }, 1000)
	require.Equal(t, 1, made)
}

func TestCompareIsAnOrder(t *testing.T) {
	r := rng(6)
	var trees []choices.Tree
	for range 60 {
		trees = append(trees, choicesOf(t, bsttest.Random(r, r.IntN(5), lo, hi)))
	}
	for _, a := range trees {
		require.Zero(t, mutate.Compare(a, a))
		for _, b := range trees {
			require.Equal(t, mutate.Compare(a, b), -mutate.Compare(b, a))
			require.Equal(t, a.String() == b.String(), mutate.Compare(a, b) == 0)
			for _, c := range trees {
				if mutate.Compare(a, b) < 0 && mutate.Compare(b, c) < 0 {
					require.Negative(t, mutate.Compare(a, c))
				}
			}
		}
	}
	texts := []string{"", "a", "z", "0", "9", " ", "~", "\x00", "ä", "aa", "a0", "0a", "aaa"}
	tree := func(s string) choices.Tree { return choices.Tree{{Kind: choices.Text, Tag: s, Size: 1}} }
	for i := range texts[1:] {
		require.Negative(t, mutate.Compare(tree(texts[i]), tree(texts[i+1])), "%q %q", texts[i],
			texts[i+1])
	}
	ints := []int64{0, 1, -1, 2, -2, 1 << 40, -1 << 63}
	for i := range ints[1:] {
		a, b := choices.Tree{{Kind: choices.Int, N: ints[i], Size: 1}},
			choices.Tree{{Kind: choices.Int, N: ints[i+1], Size: 1}}
		require.Negative(t, cmp.Compare(mutate.Compare(a, b), 0), "%d %d", ints[i], ints[i+1])
	}
}

// An integer counts unless it is the simplest of its range, a text by its runes.
func TestCompareSizes(t *testing.T) {
	number := func(n, lo, hi int64) choices.Tree {
		return choices.Tree{{Kind: choices.Int, N: n, Lo: lo, Hi: hi, Size: 1}}
	}
	text := func(s string) choices.Tree { return choices.Tree{{Kind: choices.Text, Tag: s, Size: 1}} }
	pick := func(n int64) choices.Tree {
		return choices.Tree{{Kind: choices.Pick, Tag: "x", N: n, Hi: 2, Size: 1}}
	}
	inOrder := []choices.Tree{
		nil, pick(0), number(0, -9, 9), text(""), number(7, 7, 9), number(-8, -9, -8), // size 0
		pick(1), pick(2), number(1, 0, 9), number(-1, -9, 9), number(8, 7, 9), text("z"), // 1
		// size 2
		concat(pick(1), pick(1)), concat(pick(1), number(1, 0, 9)),
		concat(number(7, 0, 9), pick(0), number(9, 0, 9)), text("aa"),
		text("aaa"),
	}
	for i := range inOrder[1:] {
		require.Negative(t, mutate.Compare(inOrder[i], inOrder[i+1]), "%v %v", inOrder[i], inOrder[i+1])
	}
}

// What Minimize has replayed is always a tree: runs of elements end with their slice.
func TestMinimizeNestedSlices(t *testing.T) {
	g := bigen.SliceOf(bigen.SliceOf(bigen.Bool(), 0, 3), 0, 5)
	c, err := bigen.Choices(g, [][]bool{nil, nil, nil})
	require.NoError(t, err)
	mutate.Minimize(c, func(edited choices.Tree) ([][]bool, choices.Tree, error) {
		for i := range edited {
			require.Positive(t, edited[i].Size, "%v", edited)
			require.LessOrEqual(t, i+int(edited[i].Size), len(edited))
		}
		return bigen.Run(g, choices.Replay(edited, nil))
	}, func(v [][]bool) bool { return len(v) >= 2 }, 1000)
}

// If the last element is deleted, a map may be nil or empty.
func TestMinimizeEmpty(t *testing.T) {
	gen := bigen.For[[]map[int]bool](bigen.EmptyOrNil())
	tree, err := bigen.Choices(gen, []map[int]bool{nil, {1: true, 2: false}})
	require.NoError(t, err)
	fails := func(v []map[int]bool) bool {
		return slices.ContainsFunc(v, func(m map[int]bool) bool { return m != nil })
	}
	tree, _, _ = mutate.Minimize(tree, func(c choices.Tree) ([]map[int]bool, choices.Tree, error) {
		return bigen.Run(gen, choices.Replay(c, nil))
	}, fails, 1000)
	v, err := bigen.Value(gen, choices.Replay(tree, nil))
	require.NoError(t, err)
	require.Equal(t, []map[int]bool{{}}, v)
}

// Elements that must be deleted together are, although one that must stay is between them.
func TestMinimizeElementsApart(t *testing.T) {
	gen := bigen.SliceOf(bigen.IntRange(1, 5), 0, 7)
	balanced := func(v []int) bool { // as many 1s before the only 5 as 2s after it, and nothing else
		five := slices.Index(v, 5)
		if five < 0 || 2*five+1 != len(v) {
			return false
		}
		return !slices.ContainsFunc(v[:five], func(n int) bool { return n != 1 }) &&
			!slices.ContainsFunc(v[five+1:], func(n int) bool { return n != 2 })
	}
	tree, err := bigen.Choices(gen, []int{1, 1, 5, 2, 2})
	require.NoError(t, err)
	tree, _, _ = mutate.Minimize(tree, func(c choices.Tree) ([]int, choices.Tree, error) {
		return bigen.Run(gen, choices.Replay(c, nil))
	}, balanced, 1000)
	v, err := bigen.Value(gen, choices.Replay(tree, nil))
	require.NoError(t, err)
	require.Equal(t, []int{5}, v)
}

// A capacity shrinks with the elements that fill it.
func TestMinimizeCapacities(t *testing.T) {
	type filled struct {
		Size  int
		Items []bool
	}
	gen := bigen.Struct(func(c *bigen.C, v *filled) {
		bigen.At(c, &v.Size, bigen.IntRange(1, 9))
		bigen.At(c, &v.Items, bigen.SliceOf(bigen.Bool(), 0, 20))
	})
	tree, err := bigen.Choices(gen, filled{3, []bool{true, true, true, true, false, false, false}})
	require.NoError(t, err)
	tree, _, _ = mutate.Minimize(tree, func(c choices.Tree) (filled, choices.Tree, error) {
		return bigen.Run(gen, choices.Replay(c, nil))
	}, func(v filled) bool {
		return len(v.Items) == v.Size+4 && !slices.Contains(v.Items[:4], false)
	}, 1000)
	v, err := bigen.Value(gen, choices.Replay(tree, nil))
	require.NoError(t, err)
	require.Equal(t, filled{1, []bool{true, true, true, true, false}}, v)
}

// A position in what the elements of another slice do shrinks with the elements.
func TestMinimizeDistantCapacities(t *testing.T) {
	type scheduled struct {
		Delays []int
		Calls  []string
	}
	points := map[string]int{"get": 8, "set": 40, "add": 5}
	gen := bigen.Struct(func(c *bigen.C, v *scheduled) {
		bigen.At(c, &v.Delays, bigen.SliceOf(bigen.IntRange(0, 128), 0, 4))
		bigen.At(c, &v.Calls, bigen.SliceOf(bigen.OneOf("get", "set", "add"), 0, 20))
	})
	tree, err := bigen.Choices(gen, scheduled{[]int{55}, []string{"get", "set", "add", "add", "get"}})
	require.NoError(t, err)
	tree, _, _ = mutate.Minimize(tree, func(c choices.Tree) (scheduled, choices.Tree, error) {
		return bigen.Run(gen, choices.Replay(c, nil))
	}, func(v scheduled) bool {
		past := 2
		for _, call := range v.Calls {
			if call == "add" && slices.Contains(v.Delays, past) {
				return true
			}
			past += points[call]
		}
		return false
	}, 1000)
	v, err := bigen.Value(gen, choices.Replay(tree, nil))
	require.NoError(t, err)
	require.Equal(t, scheduled{[]int{2}, []string{"add"}}, v)
}

// An integer that keeps a large value large becomes simpler before anything is cut.
func TestMinimizeKeptLarge(t *testing.T) {
	g := draw.Property(func(t *draw.T) {
		n := draw.From(t, "n", bigen.IntRange(1, 1000))
		for i := 0; i < n && draw.From(t, "more", bigen.OneOf(false, true)); i++ {
		}
	}).Gen()
	all := []draw.Value{{Name: "n", Value: 900}}
	for range 900 {
		all = append(all, draw.Value{Name: "more", Value: true})
	}
	start, err := bigen.Choices(g, all)
	require.NoError(t, err)
	remakes := 0
	got, _, _ := mutate.Minimize(start, func(edited choices.Tree) ([]draw.Value, choices.Tree, error) {
		remakes++
		return bigen.Run(g, choices.Replay(edited, nil))
	}, func(v []draw.Value) bool { return v[len(v)-1].Value == true }, 1000)
	v, err := bigen.Value(g, choices.Replay(got, nil))
	require.NoError(t, err)
	require.Equal(t, []draw.Value{{Name: "n", Value: 1}, {Name: "more", Value: true}}, v)
	require.Less(t, remakes, 40)
}

// From a loop that draws several values a round, every unnecessary round is removed, whether the
// loop draws the number of rounds or, in each round, whether another follows.
func TestMinimizeRounds(t *testing.T) {
	for _, counted := range []bool{true, false} {
		failed := false
		g := draw.Property(func(t *draw.T) {
			failed = false
			n, sevens := 30, 0
			if counted {
				n = draw.From(t, "n", bigen.IntRange(0, 30))
			}
			for range n {
				if !counted && !draw.From(t, "more", bigen.OneOf(false, true)) {
					return
				}
				if draw.From(t, "call", bigen.OneOf("ask", "put")) == "ask" {
					failed = failed || sevens > 1
				} else if draw.From(t, "x", bigen.IntRange(0, 9)) == 7 {
					sevens++
				}
			}
		}).Gen()
		run := func(src choices.Source) []draw.Value {
			v, err := bigen.Value(g, src)
			require.NoError(t, err)
			return v
		}
		for seed, found := uint64(0), 0; found < long.Count(4, 10); seed++ {
			start, err := bigen.Choices(g, run(choices.Random(rng(seed))))
			require.NoError(t, err)
			if !failed {
				continue
			}
			found++
			got, _, _ := mutate.Minimize(start,
				func(edited choices.Tree) ([]draw.Value, choices.Tree, error) {
					return bigen.Run(g, choices.Replay(edited, nil))
				}, func([]draw.Value) bool { return failed }, 2000)
			rounds := 0
			for _, v := range run(choices.Replay(got, nil)) {
				if v.Name == "call" {
					rounds++
				}
			}
			require.Equal(t, 3, rounds, "seed %d: %v", seed, got)
		}
	}
}
