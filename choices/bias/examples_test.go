package bias_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/choices/internal/subjects"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

func byPrior(
	r *rand.Rand, m *bias.Examples,
) choices.Source {
	return choices.RandomBy(r, m.Prior())
}

// mined returns a model of values.
func mined[A any](t testing.TB, g bigen.Gen[A], values ...A) *bias.Examples {
	t.Helper()
	m, err := bigen.MineModel(g, values...)
	require.NoError(t, err)
	return m
}

// modeled returns how often n values by a model look like each text.
func modeled[A any](
	t testing.TB, g bigen.Gen[A], n int, source func(*rand.Rand, *bias.Examples) choices.Source,
	m *bias.Examples,
) map[string]int {
	t.Helper()
	seen := map[string]int{}
	r := subjects.Rand(2)
	for range n {
		v, err := bigen.Value(g, source(r, m))
		require.NoError(t, err)
		seen[fmt.Sprint(v)]++
	}
	return seen
}

// A model keeps a relation between parts that the examples keep. Counts of choices do not.
func TestExamplesKeepsRelation(t *testing.T) {
	t.Parallel()
	examples := signExamples(subjects.Rand(1), 300)
	m := mined(t, genSigns, examples...)
	f, err := bigen.Mine(genSigns, examples...)
	require.NoError(t, err)
	n := long.Count(50, 1500)
	broken := func(source func(r *rand.Rand) choices.Source) (broken, distinct int) {
		seen := map[string]bool{}
		r := subjects.Rand(2)
		for range n {
			e, err := bigen.Value(genSigns, source(r))
			require.NoError(t, err)
			if !keepsSigns(e) {
				broken++
			}
			seen[e.String()] = true
		}
		return broken, len(seen)
	}
	b, distinct := broken(func(r *rand.Rand) choices.Source { return byPrior(r, m) })
	require.LessOrEqual(t, b, n/2500) // a context that is seldom seen answers as a shorter one
	require.Greater(t, distinct, n/2)
	b, _ = broken(func(r *rand.Rand) choices.Source { return bias.Random(r, bias.Follow(f)) })
	require.Greater(t, b, n/5)

	m.Unlike = true
	b, distinct = broken(func(r *rand.Rand) choices.Source { return byPrior(r, m) })
	require.Greater(t, b, n*3/4)
	require.Greater(t, distinct, n*3/4)
}

// places has fields of equal types, and the same type in several places.
type places struct {
	A, B int
	S    string
	L    []places
}

func genPlaces() bigen.Gen[places] {
	var g bigen.Gen[places]
	g = bigen.Struct(func(c *bigen.C, n *places) {
		bigen.At(c, &n.A, bigen.IntRange(-50, 50))
		bigen.At(c, &n.B, bigen.IntRange(0, 1<<30))
		bigen.At(c, &n.S, bigen.String(8))
		bigen.At(c, &n.L, bigen.SliceOf(bigen.Lazy(func() bigen.Gen[places] { return g }), 0, 9))
	})
	return g
}

// Integers, texts and lengths come from the same place in the examples.
func TestExamplesInContext(t *testing.T) {
	t.Parallel()
	inner := places{A: -7, B: 70, S: "inner"}
	m := mined(t, genPlaces(),
		places{A: 1, B: 10, S: "one", L: []places{inner, inner, inner}},
		places{A: 1, B: 10, S: "two", L: []places{inner, inner, inner}},
		places{A: 2, B: 20, S: "two", L: []places{inner, inner, inner}},
	)
	in := " [{-7 70 inner []} {-7 70 inner []} {-7 70 inner []}]}"
	seen := modeled(t, genPlaces(), 1000, byPrior, m)
	want := 0.0
	for _, a := range []int{1, 2} {
		for _, b := range []int{10, 20} {
			for _, s := range []string{"one", "two"} {
				p := 1.0
				for _, rare := range []bool{a == 2, b == 20, s == "one"} {
					if rare {
						p /= 3
					} else {
						p *= 2. / 3
					}
				}
				n := seen[fmt.Sprintf("{%d %d %s", a, b, s)+in]
				require.InDelta(t, 1000*p, n, 60)
				want += float64(n)
			}
		}
	}
	require.Equal(t, 1000., want, "nothing else in %v", seen)
}

// list is a list that a generator makes by recursion.
type list struct{ Next *list }

func (l *list) String() string {
	if l == nil {
		return "."
	}
	return "-" + l.Next.String()
}

func genList() bigen.Gen[*list] {
	var g bigen.Gen[*list]
	g = bigen.Pick(bigen.Tag(
		"nil", bigen.Nil[list](),
	), bigen.Tag("cons", bigen.New(func(c *bigen.C, l *list) {
		bigen.At(c, &l.Next, bigen.Lazy(func() bigen.Gen[*list] { return g }))
	})))
	return g
}

// How deep a recursion is belongs to the context.
func TestExamplesRecursion(t *testing.T) {
	t.Parallel()
	var examples []*list
	for i := range 40 {
		l := &list{&list{&list{}}}
		if i%4 == 0 {
			l = &list{l}
		}
		examples = append(examples, l)
	}
	seen := modeled(t, genList(), 1000, byPrior, mined(t, genList(), examples...))
	require.Equal(t, 1000, seen["---."]+seen["----."])
	require.InDelta(t, 250, seen["----."], 60)
}

// A context that is rare answers as a shorter one now and then.
func TestExamplesGeneralize(t *testing.T) {
	t.Parallel()
	half := bigen.Pick(bigen.Tag("left", bigen.Bool()), bigen.Tag("right", bigen.Bool()))
	m := mined(t, half, false) // in left
	m.Add(choices.Tree{
		{Kind: choices.Pick, Tag: "right", Size: 2, Hi: 1},
		{Kind: choices.Pick, Tag: "true", Size: 1, Hi: 1},
	})
	mixed := 0
	for i := range 2000 {
		_, tree, err := bigen.Run(half, choices.RandomBy(subjects.Rand(uint64(i)), m.Prior()))
		require.NoError(t, err)
		if (tree[0].Tag == "left") == (tree[1].Tag == "true") {
			mixed++
		}
	}
	require.InDelta(t, 0.5/2, float64(mixed)/2000, 0.03)
}

// What the examples do not have, the generator's own distribution answers.
func TestExamplesUnknown(t *testing.T) {
	t.Parallel()
	empty := bias.NewExamples()
	for _, unlike := range []bool{false, true} {
		empty.Unlike = unlike
		r, s := subjects.Rand(5), subjects.Rand(5)
		for range 200 {
			v, err := bigen.Value(subjects.Events, choices.RandomBy(r, empty.Prior()))
			require.NoError(t, err)
			w, err := bigen.Value(subjects.Events, choices.RandomBy(s, drawing{}))
			require.NoError(t, err)
			require.Equal(t, w, v)
		}
	}

	odd := bigen.SuchThat(bigen.IntRange(0, 100), func(n int) bool { return n%2 == 1 })
	m := mined(t, bigen.IntRange(0, 100), 50)
	require.Greater(t, len(modeled(t, odd, 200, byPrior, m)), 30, "a filter lets other values pass")
	require.Greater(t, len(modeled(t, bigen.IntRange(0, 49), 200, byPrior, m)), 30, "out of range")
	require.Greater(
		t, len(modeled(t, bigen.String(3), 200, byPrior, mined(t, bigen.String(9), "too long"))),
		100,
	)
}

func TestExamplesUnlike(t *testing.T) {
	t.Parallel()
	m := mined(t, subjects.Events, examples...)
	m.Unlike = true
	f := bias.Frequencies{}
	r := subjects.Rand(1)
	const n = 3000
	for range n {
		_, tree, err := bigen.Run(subjects.Events, byPrior(r, m))
		require.NoError(t, err)
		f.Add(tree)
	}
	require.Zero(t, f[tag("c")], "the generator gives it weight 0")
	require.InDelta(t, 1, float64(f[tag("a")])/float64(f[tag("b")]), 0.1, "1/1 to 3/3")
	for _, m := range []choices.Mark{
		integer(-7), integer(99), text("x"), text("y"), {Kind: choices.Uint, N: 8},
	} {
		require.Zero(t, f[m], "%v", m)
	}
	require.Less(t, f[text("")], n/100)

	every := mined(t, bigen.IntRange(0, 3), 0, 1, 3)
	every.Unlike = true
	require.Equal(
		t, map[string]int{"2": 100}, modeled(t, bigen.IntRange(0, 3), 100, byPrior, every),
	)
	every = mined(t, bigen.IntRange(0, 1), 0, 1)
	every.Unlike = true
	require.Len(t, modeled(t, bigen.IntRange(0, 1), 100, byPrior, every), 2)
}

// Values unlike small examples end, too.
func TestExamplesEnds(t *testing.T) {
	t.Parallel()
	m := mined(t, genSigns, signExamples(subjects.Rand(1), 300)...)
	for _, m.Unlike = range []bool{false, true} {
		r := subjects.Rand(4)
		most := 0
		for range long.Count(50, 1500) {
			_, tree, err := bigen.Run(genSigns, byPrior(r, m))
			require.NoError(t, err)
			most = max(most, len(tree))
		}
		require.Less(t, most, 1<<14)
	}
}

// A tag that several alternatives share, and edits that no run records.
func TestExamplesOddTrees(t *testing.T) {
	t.Parallel()
	g := bigen.Pick(
		bigen.Tag("x", bigen.Just(1)), bigen.Tag("y", bigen.Just(2)), bigen.Tag("x", bigen.Just(3)),
	)
	seen := modeled(t, g, 1000, byPrior, mined(t, g, 1, 1))
	require.InDelta(t, 500, seen["1"], 60)
	require.Equal(t, 1000, seen["1"]+seen["3"])

	m := bias.NewExamples(
		nil,
		choices.Tree{{Kind: choices.Regenerate, Size: 3}},
		choices.Tree{
			{Kind: choices.Pick, Tag: "x", Hi: 2, Size: -5}, {Kind: 77},
			{Kind: choices.Pick, Size: 1 << 30}, {Kind: choices.Int, N: 3},
		},
	)
	require.Equal(
		t, 1000, modeled(t, g, 1000, byPrior, m)["1"]+modeled(t, g, 1000, byPrior, m)["3"],
	)
}

// A model stays within its bounds, whatever it learns.
func TestExamplesBounds(t *testing.T) {
	t.Parallel()
	m := bias.NewExamples()
	r := subjects.Rand(9)
	for range long.Count(6, 800) {
		tree := make(choices.Tree, 300)
		for i := range tree {
			tree[i] = choices.Choice{
				Kind: choices.Kind(
					r.IntN(4),
				), Size: int32(1 + r.IntN(60)), Slot: r.Uint32N(64), Index: int32(r.IntN(4)),
				Tag: fmt.Sprint(
					strings.Repeat("\xff", r.IntN(8)), r.IntN(1000),
				), N: int64(r.Uint64()), Hi: 1,
			}
		}
		m.Add(tree)
	}
	data, err := m.MarshalJSON()
	require.NoError(t, err)
	require.Greater(t, len(data), 1<<18)
	require.Less(t, len(data), 1<<24)
	var again bias.Examples
	require.NoError(t, again.UnmarshalJSON(data))
	copied, err := again.MarshalJSON()
	require.NoError(t, err)
	require.True(t, string(data) == string(copied))
}

// Several goroutines may use a model.
func TestExamplesConcurrent(t *testing.T) {
	t.Parallel()
	m := mined(t, genSigns, signExamples(subjects.Rand(1), 50)...)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			r := subjects.Rand(uint64(i))
			for range 50 {
				_, _ = bigen.Value(genSigns, byPrior(r, m))
			}
		})
	}
	wg.Wait()
}

// drawing is a prior that answers as Random does.
type drawing struct{}

func (drawing) Pick(q *choices.Question, word uint64) int    { return q.DrawPick(word) }
func (drawing) Int(q *choices.Question, word uint64) int64   { return q.DrawInt(word) }
func (drawing) Text(q *choices.Question, word uint64) string { return q.DrawText(word) }
func (drawing) Begin()                                       {}
func (drawing) Picked(*choices.Question, int)                {}
func (drawing) Leave()                                       {}
func (drawing) IntGiven(*choices.Question, int64)            {}
func (drawing) TextGiven(*choices.Question, string)          {}
