package fuzzext

import (
	"fmt"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/combinations"
	"github.com/espalier-go/espalier/fuzzext/internal/tally"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

// node is a tree whose generator does not know that it should be a search tree.
type node struct {
	L *node
	X int
	R *node
}

func genNode(depth int) bigen.Gen[*node] {
	if depth == 0 {
		return bigen.Nil[node]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[node]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, n *node) {
			bigen.At(c, &n.X, bigen.IntRange(0, 99))
			bigen.At(c, &n.L, genNode(depth-1))
			bigen.At(c, &n.R, genNode(depth-1))
		})),
	)
}

func (n *node) keys() []int {
	if n == nil {
		return nil
	}
	return append(append(n.L.keys(), n.X), n.R.keys()...)
}

func (n *node) String() string {
	if n == nil {
		return "."
	}
	return fmt.Sprintf("(%v %d %v)", n.L, n.X, n.R)
}

// least is how many keys a valid search tree has at least.
func searchTree(least int) func(t *T, n *node) {
	return func(t *T, n *node) {
		k := n.keys()
		t.Assume(len(k) >= least && slices.IsSorted(k) && len(slices.Compact(k)) == len(n.keys()))
	}
}

// checkOf returns a Check of the test TestX.
func checkOf[V any](
	t testing.TB, gen bigen.Gen[V], prop func(*T, V), seed uint64, saved int, opts ...Option,
) *check {
	t.Helper()
	x := &spec{
		subject: subjectOf(gen, prop),
		target:  noTarget,
		options: newOptions(opts),
		call:    noCall,
	}
	c := &check{
		t:        t,
		spec:     x,
		saved:    make([]corpus.Entry, saved),
		shares:   tally.NewShares(nil),
		counting: true,
	}
	examples, err := x.exampleTrees()
	if err != nil {
		t.Fatal(err)
	}
	c.Tally = tally.New(tally.LimitsOf(1000, 0, false, false), seed, saved, len(examples))
	c.values = values.NewStream(streamOf(x, seed, "TestX", c.saved, examples))
	c.trial = newTrial(x, home{}, t)
	t.Cleanup(c.trial.end)
	return c
}

// A Check runs more values as long as they are cheap, unless their number is given.
func TestLimitMore(t *testing.T) {
	c := checkOf(t, genNode(5), func(*T, *node) {}, 1, 0)
	c.Limits = tally.LimitsOf(0, 0, false, false)
	c.limit()
	require.NotNil(t, c.Cheap)
	require.Equal(t, 2000, c.Most+c.More)
	c.Limits = tally.LimitsOf(0, 30, false, false)
	require.Equal(t, 30, c.Most+c.More)
}

// made is what one Check has made.
type made struct {
	values []string // random, in order
	valid  []bool
	*tally.Tally
}

// makes runs a Check with the seed on n random values.
func makes(
	t *testing.T, n int, seed uint64, prop func(t *T, v *node), saved int, opts ...Option,
) made {
	value := ""
	c := checkOf(t, genNode(5), func(t *T, v *node) {
		value = v.String()
		prop(t, v)
	}, seed, saved, opts...)
	m := made{Tally: c.Tally}
	require.Equal(t, ending{}, c.trial.each(c.values.Make, func(i int, r *T) bool {
		verdict := r.outcome().Verdict
		if c.noteRun(i, r); c.Spent {
			return false
		}
		if i >= c.Given() {
			m.values = append(m.values, value)
			m.valid = append(m.valid, verdict == values.Valid)
		}
		return len(m.values) < n
	}))
	require.Empty(t, c.spec.fault)
	return m
}

// The values of a guided Check are a function of the seed and the examples, no matter what has
// been saved.
func TestGuidedSeed(t *testing.T) {
	example := Examples(&node{nil, 3, &node{nil, 4, nil}})
	first := makes(t, 500, 1, searchTree(2), 0, example)
	require.True(t, first.Learned)
	require.Equal(t, first.values, makes(t, 500, 1, searchTree(2), 0, example).values)
	require.Equal(t, first.values, makes(t, 500, 1, searchTree(2), 3, example).values)
	require.NotEqual(t, first.values, makes(t, 500, 2, searchTree(2), 0, example).values)
	require.NotEqual(t, first.values, makes(t, 500, 1, searchTree(2), 0).values)
}

// Guidance finds several times as many valid values as chance, and makes none twice.
func TestGuided(t *testing.T) {
	n := long.Count(1000, 4000) // it needs some to learn
	gen := genNode(5)
	for seed := range uint64(long.Count(1, 3)) {
		m := makes(t, n, seed, searchTree(3), 0)
		first := slices.Index(m.valid, false)
		require.LessOrEqual(t, first, 5)
		random := slices.Clone(m.values[first:])
		slices.Sort(random)
		require.Len(t, slices.Compact(random), n-first)

		valid := 0
		for _, ok := range m.valid {
			if ok {
				valid++
			}
		}
		require.Len(t, m.Distinct, valid)

		plain := checkOf(t, gen, nil, seed, 0).values
		byChance := map[string]bool{}
		tr := trialOf(t, gen, searchTree(3))
		tr.each(tr.spec.makerOf(new(choices.Tree), plain.Nth), func(i int, r *T) bool {
			if !r.invalid {
				v, err := bigen.Value(gen, plain.Nth(i))
				require.NoError(t, err)
				byChance[v.String()] = true
			}
			return i < n
		})
		tr.end()
		require.Greater(t, valid, 3*len(byChance), "%d by chance", len(byChance))
	}
}

// Values of a generator that hardly ever comes to an end stay small, but examples need
// A property that assumes nothing has the values that it had without guidance.
func TestUnguided(t *testing.T) {
	m := makes(t, 100, 1, func(*T, *node) {}, 0)
	require.False(t, m.Learned)
	x := checkOf[*node](t, genNode(5), nil, 1, 0).values
	seen, i := map[string]bool{}, 0
	for _, got := range m.values {
		var v *node
		for ok := true; ok; i++ { // each value once
			var err error
			v, err = bigen.Value(genNode(5), x.Nth(i))
			require.NoError(t, err)
			ok = seen[v.String()]
			seen[v.String()] = true
		}
		require.Equal(t, v.String(), got)
	}
}

// The values that are counted as distinct are those made at random.
func TestDistinct(t *testing.T) {
	examples := Examples(&node{X: 1}, &node{X: 2, R: &node{X: 3}})
	for name, prop := range map[string]func(*T, *node){
		"unguided": func(*T, *node) {},
		"guided":   searchTree(1),
	} {
		m := makes(t, 100, 1, prop, 1, examples)
		require.Equal(t, name == "guided", m.Learned)
		distinct := map[string]bool{}
		for i, ok := range m.valid {
			if ok {
				distinct[m.values[i]] = true
			}
		}
		require.Len(t, m.Distinct, len(distinct), name)
	}
}

// Check runs a property once on each of few values, and then ends; of many values it makes
// as many as ever.
func TestRepeated(t *testing.T) {
	few := func(values int) (n int, c *tally.Tally) {
		seen := map[int]bool{}
		x := checkOf(t, bigen.IntRange(1, values), func(t *T, v int) {
			if seen[v] {
				t.Errorf("%d again", v)
			}
			seen[v] = true
		}, 1, 0)
		require.Equal(t, ending{}, x.trial.each(x.values.Make, x.noteRun))
		require.Empty(t, x.failed)
		return len(seen), x.Tally
	}
	for _, values := range []int{1, 2, 50, 150} {
		n, c := few(values)
		require.Equal(t, values, n)
		require.Equal(t, values, c.Valid)
		require.Contains(t, c.Summary(), fmt.Sprintf("%d distinct; there seem to be no others", values))
	}
	n, c := few(100_000)
	require.Equal(t, 1000, n)
	require.NotContains(t, c.Summary(), "no others")
}

// With an example, the first valid value of a strict check is not a matter of luck.
func TestGuidedByExample(t *testing.T) {
	strict := searchTree(9)
	var example *node
	for _, x := range []int{50, 20, 80, 10, 30, 70, 90, 5, 60} {
		at := &example
		for *at != nil {
			if x < (*at).X {
				at = &(*at).L
			} else {
				at = &(*at).R
			}
		}
		*at = &node{X: x}
	}
	without := 0
	for seed := range uint64(5) {
		m := makes(t, 250, seed, strict, 0, Examples(example))
		require.Contains(t, m.valid, true, "seed %d", seed)
		if slices.Contains(makes(t, 250, seed, strict, 0).valid, true) {
			without++
		}
	}
	require.Zero(t, without)
}

// When there are no other values, there are no more runs, also if a filter lets one value
// be made in many ways.
func TestGuidedSpent(t *testing.T) {
	for name, gen := range map[string]bigen.Gen[int]{
		"all":  bigen.IntRange(1, 50),
		"some": bigen.SuchThat(bigen.IntRange(1, 100), func(n int) bool { return n > 50 }),
	} {
		seen := map[int]int{}
		c := checkOf(t, gen, func(t *T, n int) {
			seen[n]++
			t.Assume(n%2 == 0)
		}, 1, 0)
		c.trial.each(c.values.Make, c.noteRun)
		require.True(t, c.Spent, name)
		require.Len(t, seen, 50, name)
		require.InDelta(t, 25, c.Valid, 5, name)
		require.InDelta(t, 25, c.Invalid, 5, name)
	}
}

func TestUnique(t *testing.T) {
	depth := func(n *node) int { return len(n.keys()) }
	m := makes(t, 500, 1, searchTree(1), 0, Unique(depth))
	sizes := map[int]bool{}
	for i, ok := range m.valid {
		if ok {
			n := 0
			for _, r := range m.values[i] {
				if r == '(' {
					n++
				}
			}
			sizes[n] = true
		}
	}
	require.Len(t, m.Distinct, len(sizes))

	x := checkOf[*node](t, genNode(5), nil, 1, 0, Unique(func(*node) int { panic("no key") })).spec
	x.hashOfKey(nil)
	require.Contains(t, x.fault, "the function given to Unique, or the generator run backward, "+
		"panics: no key")
}

// What a run says by Key counts as new, for the guide and in the summary, and nothing else does.
func TestKey(t *testing.T) {
	prop := func(r *T, n *node) {
		searchTree(1)(r, n)
		r.Key(len(n.keys()))
	}
	c := checkOf(t, genTrees, prop, 1, 0)
	sizes := map[int]bool{}
	c.trial.each(c.values.Make, func(i int, r *T) bool {
		if r.outcome().Verdict == values.Valid {
			n, err := bigen.Value(genTrees, choices.Replay(c.trial.tree, nil))
			require.NoError(t, err)
			sizes[len(n.keys())] = true
		}
		c.noteRun(i, r)
		return i < 1500
	})
	require.Greater(t, len(sizes), 3)
	require.Len(t, c.Distinct, len(sizes))
}

// seedsOf answers an order of a seed for n entries.
func seedsOf(
	t *testing.T, prop func(t *T, v *node), n int, from uint64,
) (values []*node, trees []choices.Tree, a *job.Answer) {
	t.Helper()
	x := specOf(genNode(5), prop)
	x.target = named(x, "FuzzX")
	a = answerOf(t, x, &job.Order{Seed: from, Make: &job.Make{N: n}})
	require.Empty(t, a.End.Error)
	seen := map[string]bool{}
	for _, e := range a.Entries {
		v, tree, err := bigen.Run(genNode(5), choices.FromBytes(e.Data))
		require.NoError(t, err)
		require.False(t, seen[v.String()], "%v", v)
		seen[v.String()] = true
		values, trees = append(values, v), append(trees, tree)
	}
	return values, trees, a
}

// Seeds are distinct, valid, and cover more than as many random values.
func TestSeeds(t *testing.T) {
	const n = 30
	anything := func(*T, *node) {}
	_, trees, a := seedsOf(t, anything, n, 1)
	require.Len(t, trees, n)
	chosen, random := combinations.New(2, nil), combinations.New(2, nil)
	x := checkOf[*node](t, genNode(5), nil, 1, 0).values
	for i, tree := range trees {
		chosen.Add(tree)
		_, tree, err := bigen.Run(genNode(5), x.Nth(i))
		require.NoError(t, err)
		random.Add(tree)
	}
	require.Greater(t, 2*chosen.Len(), 3*random.Len())

	_, _, again := seedsOf(t, anything, n, 1)
	require.Equal(t, a, again)
	_, _, other := seedsOf(t, anything, n, 2)
	require.NotEqual(t, a.Entries, other.Entries)

	for _, least := range []int{1, 4} {
		values, _, a := seedsOf(t, searchTree(least), n, 1)
		require.Len(t, values, n)
		_, _, again := seedsOf(t, searchTree(least), n, 1)
		require.Equal(t, a, again)
		for _, v := range values {
			k := v.keys()
			require.True(t, len(k) >= least && slices.IsSorted(k), "%v", v)
		}
	}
}

// A value for which the property fails, and no more than one of them, has precedence.
func TestSeedsFailing(t *testing.T) {
	fails := func(n *node) bool { return n != nil && n.L == nil && n.R == nil && n.X < 50 }
	values, _, _ := seedsOf(t, func(t *T, n *node) {
		if fails(n) {
			t.Fatal("small")
		}
	}, 3, 1)
	require.Len(t, values, 3)
	require.True(t, fails(values[0]), "%v", values[0])
	require.False(t, fails(values[1]))
}
