package bigen_test

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

func node(l *bsttest.Tree, x int, r *bsttest.Tree) *bsttest.Tree {
	return &bsttest.Tree{L: l, X: x, R: r}
}

// The values of "Bigenerators, Exposed!", sections 3 and 5.1.
func TestCheck(t *testing.T) {
	g := bsttest.Gen(-10, 10)
	require.NoError(t, bigen.Check(g, nil))
	require.NoError(t, bigen.Check(g, node(nil, -4, node(nil, 10, nil))))
	require.ErrorIs(t, bigen.Check(g, node(nil, 13, nil)), bigen.ErrNotProduced)

	tree, err := bigen.Choices(g, node(nil, 5, nil))
	require.NoError(t, err)
	require.Equal(t, "node(5, leaf, leaf)", tree.String())
	tree, err = bigen.Choices(g, node(node(nil, 3, nil), 5, nil))
	require.NoError(t, err)
	require.Equal(t, "node(5, node(3, leaf, leaf), leaf)", tree.String())
}

// Every random tree is read back; with one bound violated it is not, and the error
// names the node.
func TestBackward(t *testing.T) {
	const lo, hi = -100, 100
	g := bsttest.Gen(lo, hi)
	r := rng(5)
	for range long.Count(300, 4_000) {
		v := bigen.Sample(g, r)
		require.NoError(t, bigen.Check(g, v))
		b, err := bigen.Encode(g, v)
		require.NoError(t, err)
		w, err := bigen.Decode(g, b)
		require.NoError(t, err)
		require.Equal(t, v, w)

		if v == nil {
			continue
		}
		// Walk down at random and put the node beyond a bound.
		n, path, lo, hi := v, "/node/", lo, hi
		for {
			if r.IntN(2) == 0 && n.L != nil {
				n, path, hi = n.L, path+"L/node/", n.X-1
			} else if r.IntN(2) == 0 && n.R != nil {
				n, path, lo = n.R, path+"R/node/", n.X+1
			} else {
				break
			}
		}
		n.X = hi + 1 + r.IntN(5)
		if r.IntN(2) == 0 {
			n.X = lo - 1 - r.IntN(5)
		}
		var e *bigen.Error
		require.ErrorAs(t, bigen.Check(g, v), &e)
		require.Equal(t, shorten(path+"X"), e.Path)
	}
}

// shorten does to a path what a long one has done in an error.
func shorten(path string) string {
	steps := strings.Split(path[1:], "/")
	if n := len(steps); n > 40 {
		steps = append(
			append(append([]string{}, steps[:10]...), "("+strconv.Itoa(n-20)+" more)"),
			steps[n-10:]...,
		)
	}
	return "/" + strings.Join(steps, "/")
}

func TestErrors(t *testing.T) {
	var cyclic bsttest.Tree
	cyclic.X, cyclic.R = 1, &cyclic
	loop := &rose{Name: "a", Size: 1}
	loop.Children = []*rose{loop}
	tests := []struct {
		name string
		err  error
		want string
	}{
		{
			"leaf", bigen.Check(bsttest.Gen(0, 10), node(nil, 5, node(node(nil, 3, nil), 7, nil))),
			"at /node/R/node/L/node/X: 3 not in [6,6]",
		},
		{"cycle", bigen.Check(bsttest.Gen(0, 10), &cyclic), "at /node/R/node/X: 1 not in [2,10]"},
		{
			"no end", bigen.Check(bigen.SliceOf(genList, 1, 1), []*list{endless()}),
			"the value has more than 65536 choices up to here, or is nested deeper than 10000",
		},
		{
			"shape", bigen.Check(genShape, shape(&square{1})),
			"at /: none of the alternatives square, circle makes it: *bigen_test.square is not bigen_test.square",
		},
		{
			"value before shape", bigen.Check(genShape, shape(square{0})),
			"at /square/Side: 0 not in [1,100]",
		},
		{
			"element", bigen.Check(bigen.SliceOf(genShape, 0, 9), []shape{square{1}, square{101}}),
			"at /1/square/Side: 101 not in [1,100]",
		},
		{
			"length", bigen.Check(bigen.SliceOf(bigen.Bool(), 0, 1), []bool{true, true}),
			"at /: 2 elements, not 0 to 1",
		},
		{
			"computed", bigen.Check(genRose(1), &rose{Name: "a", Size: 2}),
			"at /Size: is 2; the generator makes it 1",
		},
		{
			"computed in a loop", bigen.Check(genRose(2), loop),
			"at /Children/0/Children/0/Children: is []*bigen_test.rose{{Name: \"a\", Children: nil /* cycle */, Size: 1}}; the generator makes it []*bigen_test.rose(nil)",
		},
		{
			"field left alone",
			bigen.Check(genNested, nested{
				Deep: [2]struct{ X bool }{{true}, {false}}, Arr: [3]uint16{0, 1, 2},
			}),
			"at /Deep: is [2]struct{ X bool }{{X: true}, {}}; the generator makes it [2]struct{ X bool }{}",
		},
		{"array", bigen.Check(genNested, nested{}), "at /Arr.[1]: 0 not in [1,1000]"},
		{
			"nested field", bigen.Check(genNested, nested{Inner: struct{ A, B int }{5, 4}}),
			"at /Inner.B: 4 not in [5,9]",
		},
		{"string", bigen.Check(bigen.String(3), "abcd"), "at /: 4 runes, more than 3"},
		{"UTF-8", bigen.Check(bigen.String(3), "a\xff"), `at /: "a\xff" is not valid UTF-8`},
		{"nil", bigen.Check(genShape, shape((*circle)(nil))), "at /circle: is nil"},
		{
			"minus zero", bigen.Check(bigen.Just(0.0), math.Copysign(0, -1)),
			"at /: math.Copysign(0, -1) is not float64(0)",
		},
		{"too large", bigen.Check(
			bigen.SliceOf(bigen.SliceOf(bigen.IntRange(0, 9), 300, 300), 300, 300), sevens(300),
		), ": the value has more than 65536 choices up to here"},
		{
			"ambiguous, packed", bigen.Check(genBinary(), &binary{deep(30), "*"}),
			`at /: none of the alternatives makes it: +/Op: is "*"; the generator makes it "+"; -/Op: is "*"; the generator makes it "-"`,
		},
		{
			"NaN",
			bigen.Check(
				bigen.Just(math.NaN()), math.Float64frombits(math.Float64bits(math.NaN())^2),
			),
			"at /: another math.NaN(): their bits differ, as the bits of two NaNs may, or a method Equal tells them apart",
		},
		{"just", bigen.Check(bigen.Just(5), 6), "at /: 6 is not 5"},
		{
			"filter", bigen.Check(bigen.SuchThat(bigen.IntRange(0, 9), even), 3),
			"at /: 3 does not pass the test of the SuchThat",
		},
		{"Let", bigen.Check(genSpan, span{1, 2}), "at /let#1(int): the struct has none"},
		{
			"Let out of range", bigen.Check(genSpan, span{98, 100}),
			"at /let#1(int): 99 not in [100,200]",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.ErrorIs(t, tt.err, bigen.ErrNotProduced)
			require.Contains(t, tt.err.Error(), "not produced by the generator: at /")
			require.Contains(t, tt.err.Error(), tt.want)
		})
	}
}

// A document is of a kind that decides which fields it has.
type document struct {
	Kind, Line int
	Text       string
	Parts      []*document
}

// genDocument makes documents whose parts are texts. It sets the kind by At or by an
// assignment.
func genDocument(assign bool) bigen.Gen[*document] {
	kind := func(c *bigen.C, d *document, k int) {
		if d.Kind = k; !assign {
			bigen.At(c, &d.Kind, bigen.Just(k))
		}
	}
	text := bigen.New(func(c *bigen.C, d *document) {
		kind(c, d, 1)
		bigen.At(c, &d.Text, bigen.Matching("[a-z]*"))
	})
	list := bigen.New(func(c *bigen.C, d *document) {
		kind(c, d, 2)
		bigen.At(c, &d.Parts, bigen.SliceOf(text, 0, 5))
	})
	even := bigen.New(func(c *bigen.C, d *document) {
		kind(c, d, 3)
		bigen.At(c, &d.Parts, bigen.SuchThat(bigen.SliceOf(text, 0, 5), func(s []*document) bool {
			return len(s)%2 == 0
		}))
	})
	return bigen.Pick(
		bigen.Tag("text", text),
		bigen.Tag("deep", bigen.Pick(bigen.Tag("list", list), bigen.Tag("even", even))),
	)
}

// The reason is the reason of the alternative that accepts most of the value, wherever it stands
// and whatever its path is.
func TestErrorOfTheBestAlternative(t *testing.T) {
	a := &document{Kind: 1, Text: "a"}
	for _, assign := range []bool{false, true} {
		for want, d := range map[string]*document{
			`at /text/Text: at position 0: "1" does not match`: {Kind: 1, Text: "1"},
			`at /text/Line: is 7`: {
				Kind: 1, Text: "a", Line: 7,
			},
			`at /deep/even/Parts: `: {
				Kind: 3, Parts: []*document{a},
			},
			`at /deep/even/Line: is 7`: {
				Kind: 3, Line: 7, Parts: []*document{a, a},
			},
			`at /deep/list/Parts/1/Text: at position 0: "1" does not match`: {
				Kind: 2, Parts: []*document{a, {Kind: 1, Text: "1"}},
			},
			`at /deep/list/Line: is 7`: {
				Kind: 2, Line: 7, Parts: []*document{a},
			},
		} {
			require.ErrorContains(t, bigen.Check(genDocument(assign), d), want, "assign %t", assign)
		}
	}
	require.EqualError(t, bigen.Check(genDocument(false), &document{Kind: 4}),
		"not produced by the generator: at /: none of the alternatives makes it: text/Kind: 4 is not 1; deep/list/Kind: 4 is not 2; deep/even/Kind: 4 is not 3")
}

func sevens(n int) [][]int {
	row, rows := make([]int, n), make([][]int, n)
	for i := range n {
		row[i], rows[i] = 7, row
	}
	return rows
}

func endless() *list {
	l := &list{}
	l.Tail = l
	return l
}

// A field that the function reads before it is filled must not let a value pass
// that the function cannot make.
func TestUnfilledFieldsAreZero(t *testing.T) {
	type s struct{ X, Y int }
	g := bigen.Struct(func(c *bigen.C, v *s) {
		bigen.At(c, &v.X, bigen.IntRange(0, 9))
		if v.Y > 0 {
			bigen.At(c, &v.Y, bigen.IntRange(5, 9))
		}
	})
	require.NoError(t, bigen.Check(g, s{3, 0}))
	require.EqualError(
		t, bigen.Check(g, s{3, 7}),
		"not produced by the generator: at /Y: is 7; the generator makes it 0",
	)
}

// Equal decides where bits differ.
type fold struct{ s *string }

func (a fold) Equal(b fold) bool { return strings.EqualFold(*a.s, *b.s) }

func TestEqual(t *testing.T) {
	word := "word"
	g := bigen.Struct(func(c *bigen.C, f *fold) { f.s = &word })
	upper, other := "WORD", "other"
	require.NoError(t, bigen.Check(g, fold{&upper}))
	require.Error(t, bigen.Check(g, fold{&other}))
}

func TestSliceOfEmpty(t *testing.T) {
	g := bigen.SliceOf(bigen.Bool(), 0, 3)
	b, err := bigen.Encode(g, []bool{})
	require.NoError(t, err)
	v, err := bigen.Decode(g, b)
	require.NoError(t, err)
	require.Nil(t, v)
}

// explosive would be infinite: each node has two children.
func explosive() bigen.Gen[*bsttest.Tree] {
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[bsttest.Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *bsttest.Tree) {
			bigen.At(c, &t.L, bigen.Lazy(explosive))
			bigen.At(c, &t.X, bigen.IntRange(-5, 5))
			bigen.At(c, &t.R, bigen.Lazy(explosive))
		})).Weight(1e6),
	)
}

// What hits a limit is a value like others.
func TestLimits(t *testing.T) {
	if !long.Enabled() {
		t.Skip("makes large values")
	}
	t.Run("choices", func(t *testing.T) {
		g := explosive()
		v, tree, err := bigen.Run(g, choices.Random(rng(1)))
		require.NoError(t, err)
		require.Greater(t, len(tree), 1<<16)
		checkValue(t, g, v, always)
	})
	t.Run("depth", func(t *testing.T) {
		g := bigen.Pick(bigen.Tag(
			"end", bigen.Nil[list](),
		), bigen.Tag("cons", bigen.New(func(c *bigen.C, l *list) {
			bigen.At(c, &l.Tail, bigen.Lazy(lazyList))
			bigen.At(c, &l.Head, bigen.IntRange[int8](1, 9))
		})).Weight(1e9))
		lists = append([]bigen.Gen[*list]{g}, lists...)
		defer func() { lists = lists[1:] }()
		v, _, err := bigen.Run(g, choices.Random(rng(1)))
		require.NoError(t, err)
		depth := 0
		for l := v; l != nil; l = l.Tail {
			depth++
		}
		require.Greater(t, depth, 1000)
		checkValue(t, g, v, always)
		require.ErrorIs(t, bigen.Check(g, endless()), bigen.ErrNotProduced)
	})
	t.Run("slice", func(t *testing.T) {
		g := bigen.SliceOf(bigen.IntRange(0, 9), 0, 1<<30)
		_, err := bigen.Encode(g, make([]int, 1<<15+1))
		require.ErrorIs(t, err, bigen.ErrNotProduced)
		v := fromBytes(t, g, nil)
		checkValue(t, g, v, always)
	})
	t.Run("minimum too large", func(t *testing.T) {
		_, _, err := bigen.Run(bigen.SliceOf(bigen.Bool(), 1<<30, 1<<30), choices.Random(rng(1)))
		require.ErrorIs(t, err, bigen.ErrRejected)
	})
	if !long.Enabled() {
		return
	}
	t.Run("filter", func(t *testing.T) {
		odd := bigen.SuchThat(bigen.IntRange(0, 9), func(n int) bool { return n%2 == 1 }, 7)
		g := bigen.SliceOf(bigen.SliceOf(odd, 300, 300), 300, 300)
		v, _, err := bigen.Run(g, choices.Random(rng(1)))
		require.NoError(t, err)
		require.Equal(t, 7, v[299][299])
		checkValue(t, g, v, always)
	})
}

func TestRejected(t *testing.T) {
	never := bigen.SuchThat(bigen.Bool(), func(bool) bool { return false })
	inner := bigen.Struct(func(c *bigen.C, b *struct{ X bool }) { bigen.At(c, &b.X, never) })
	_, _, err := bigen.Run(inner, choices.Random(rng(1)))
	require.ErrorIs(t, err, bigen.ErrRejected)
	_, err = bigen.Decode(inner, []byte("abc"))
	require.ErrorIs(t, err, bigen.ErrRejected)
	require.Panics(t, func() { bigen.Sample(inner, rng(1)) })
}

// wrong answers everything wrongly.
type wrong struct{}

func (wrong) Pick(*choices.Question) int    { return -7 }
func (wrong) Leave()                        {}
func (wrong) Int(*choices.Question) int64   { return 1 << 40 }
func (wrong) Text(*choices.Question) string { return strings.Repeat("\xff", 100) }

func TestAnySourceGivesAValue(t *testing.T) {
	v, _, err := bigen.Run(genRose(3), wrong{})
	require.NoError(t, err)
	checkValue(t, genRose(3), v, always)
	n, _, err := bigen.Run(genNested, wrong{})
	require.NoError(t, err)
	checkValue(t, genNested, n, always)
}

// A panic of the user's code is passed on, and later runs are not affected.
func TestPanics(t *testing.T) {
	boom := errors.New("boom")
	g := bigen.Struct(func(c *bigen.C, s *struct{ X, Y int }) {
		bigen.At(c, &s.X, bigen.IntRange(0, 9))
		if s.X >= 0 {
			panic(boom)
		}
	})
	require.PanicsWithValue(t, boom, func() { bigen.Sample(g, rng(1)) })
	require.PanicsWithValue(t, boom, func() { _ = bigen.Check(g, struct{ X, Y int }{1, 2}) })
	checkValue(t, genNested, bigen.Sample(genNested, rng(1)), always)
}

func TestMisuse(t *testing.T) {
	sample := func(f func(c *bigen.C, s *span)) func() {
		return func() { bigen.Sample(bigen.Struct(f), rng(1)) }
	}
	tests := []struct {
		name string
		f    func()
		want string
	}{
		{"no alternatives", func() { bigen.Pick[int]() }, "bigen.Pick: no alternatives"},
		{
			"weight", func() { bigen.Tag("a", bigen.Bool()).Weight(-1) },
			`bigen: weight -1 of alternative "a" is not a number from 0 to 1e100`,
		},
		{"empty range", func() { bigen.IntRange(2, 1) }, "bigen.IntRange: 2 is above 1"},
		{
			"length", func() { bigen.SliceOf(bigen.Bool(), 3, 2) },
			"bigen.SliceOf: no slice has from 3 to 2 elements",
		},
		{"string", func() { bigen.String(-1) }, "bigen.String: at most -1 runes"},
		{
			"case", func() { bigen.Case[shape]("circle", bigen.Just(circle{})) },
			`bigen.Case("circle"): bigen_test.circle does not implement bigen_test.shape`,
		},
		{
			"case of no interface", func() { bigen.Case[int]("one", bigen.Just(1)) },
			`bigen.Case("one"): int is not an interface type`,
		},
		{
			"fallbacks", func() { bigen.SuchThat(bigen.Bool(), always, true, false) },
			"bigen.SuchThat: 2 fallbacks, want at most one",
		},
		{"bad fallback", func() {
			bigen.Sample(
				bigen.SuchThat(bigen.IntRange(0, 9), func(n int) bool { return n > 9 }, 10), rng(1),
			)
		}, "bigen.SuchThat: the fallback: not produced by the generator: at /: 10 not in [0,9]"},
		{"not a field", sample(func(c *bigen.C, s *span) {
			n := new(int)
			bigen.At(c, n, bigen.IntRange(0, 9))
		}), "bigen.At: the int is not a field of the struct being made: use bigen.Let for a value that is not a field, bigen.SliceOf for elements"},
		{"not the struct", sample(func(c *bigen.C, s *span) {
			bigen.Let(
				c, new(span), func(*span) (int, bool) { return 0, true }, bigen.IntRange(0, 9),
			)
		}), "bigen.Let: the bigen_test.span is not the struct being made"},
		{
			"zero Gen", func() { bigen.Sample(bigen.SliceOf(bigen.Gen[int]{}, 1, 1), rng(1)) },
			"bigen: a zero Gen is run: a variable that has no generator yet?",
		},
		{
			"recursion without a leaf", func() { bigen.Sample(endlessly(), rng(1)) },
			"bigen: a generator nests without end: the first alternative of a Pick must not recurse, and a New or Struct must recurse only below a Pick",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.PanicsWithValue(t, tt.want, tt.f) })
	}
}

func endlessly() bigen.Gen[*list] {
	return bigen.Pick(bigen.Tag("cons", bigen.New(func(c *bigen.C, l *list) {
		bigen.At(c, &l.Tail, bigen.Lazy(endlessly))
	})))
}

// Random picks follow the weights, and bytes that encode nothing decode to the
// same distribution.
func TestWeights(t *testing.T) {
	g := bigen.Pick(
		bigen.Tag("never", bigen.Just(0)).Weight(0),
		bigen.Tag("seldom", bigen.Just(1)),
		bigen.Tag("often", bigen.Just(2)).Weight(3),
	)
	r := rng(3)
	n := long.Count(5_000, 20_000)
	var random, bytes [3]int
	for range n {
		random[bigen.Sample(g, r)]++
		v, err := bigen.Decode(g, randomBytes(r))
		require.NoError(t, err)
		bytes[v]++
	}
	for _, got := range [][3]int{random, bytes} {
		require.Less(t, got[0], n/1000) // bytes can name it
		require.InDelta(t, n/4, got[1], float64(n)/20)
	}
}

// A fallback is nobody's to share: who gets one may change it.
func TestFallbackIsFresh(t *testing.T) {
	never := func(v *bsttest.Tree) bool { return v != nil && v.X == 7 && v.L == nil && v.R == nil }
	g := bigen.SuchThat(bsttest.Bounded(2, 0, 1<<30), never, &bsttest.Tree{X: 7})
	for range 2 {
		v := bigen.Sample(g, rng(1))
		require.Equal(t, &bsttest.Tree{X: 7}, v)
		v.X = 8
	}
}
