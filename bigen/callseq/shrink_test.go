package callseq_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

// Whatever sequence fails, one of the fewest calls comes of it.
func TestShrinks(t *testing.T) {
	t.Parallel()
	for planted, c := range map[string]struct {
		model   *callseq.Model
		minimal int
	}{
		"get is not a use": {cacheModel("get is not a use"), 6},
		"delete remembers": {cacheModel("delete remembers"), 6},
		"alias":            {listModel("alias"), 3},
		"three pools":      {storeModel(true), 6},
	} {
		for seed := range uint64(long.Count(2, 20)) {
			r := rng(seed)
			var tree choices.Tree
			for i := 0; tree == nil; i++ {
				v, made, err := bigen.Run(c.model.Gen(), varied.Source(r, i))
				require.NoError(t, err)
				require.Less(t, i, 1000, planted)
				if output(c.model, v) != "" {
					tree = made
				}
			}
			v := minimal(t, c.model, tree)
			require.Len(t, v, c.minimal, "%s, seed %d: %v", planted, seed, v)
			requireNeeded(t, c.model, v)
		}
	}
}

// Arguments that must be equal become simple together.
func TestShrinksEqualArguments(t *testing.T) {
	t.Parallel()
	type args struct {
		n    int
		text string
		list []int
	}
	m := callseq.New(func(c *callseq.C) {
		var all []args
		op := func(last bool) func() {
			return func() {
				a := args{
					callseq.Arg(c, "n", bigen.IntRange(0, 1000)), callseq.Arg(c, "text", bigen.String(8)),
					callseq.Arg(c, "list", bigen.SliceOf(bigen.IntRange(0, 9), 0, 3)),
				}
				all = append(all, a)
				c.Do(func() {
					if len(all) != 3 || !last || a.n < 17 || a.text == "" || len(a.list) < 2 {
						return
					}
					for _, b := range all {
						if b.n != a.n || b.text != a.text || !slices.Equal(b.list, a.list) {
							return
						}
					}
					c.Errorf("equal")
				})
			}
		}
		c.Op("f", op(false))
		c.Op("g", op(true))
	})
	tree, err := bigen.Choices(m.Gen(),
		calls{{"f", 834, "xyz", []int{7, 9, 8}}, {"f", 834, "xyz", []int{7, 9, 8}},
			{"g", 834, "xyz", []int{7, 9, 8}}})
	require.NoError(t, err)
	require.Equal(t,
		calls{{"f", 17, "a", []int{0, 0}}, {"f", 17, "a", []int{0, 0}},
			{"g", 17, "a", []int{0, 0}}}, minimal(t, m, tree))
}

// Calls that make instances go if no other call needs these. The instances of other
// calls keep their names.
func TestShrinksInstances(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		model *callseq.Model
		calls calls
		want  calls
	}{{
		specialModel(false),
		calls{{"mk", name("p1")}, {"special", name("p2")}},
		calls{{"special", name("")}},
	}, {
		specialModel(false),
		calls{{"mk", name("p1")}, {"mk", name("p2")}, {"mk", name("p3")}, {"special", name("p4")}},
		calls{{"special", name("")}},
	}, {
		specialModel(true),
		calls{{"mk", name("p1")}, {"mk", name("p2")}, {"special", name("p3")}, {"fail"}},
		calls{{"special", name("")}, {"fail"}},
	}, {
		twoSpecialModel(), // the uses of p1 must not go to different instances
		calls{
			{"mk", name("p1")}, {"special", name("p2")}, {"other", name("p3")},
			{"use", name("p1")}, {"use", name("p1")}, {"use", name("p1")}, {"use", name("p1")},
			{"use", name("p1")}, {"use", name("p1")}, {"use", name("p1")}, {"use", name("p1")},
		},
		calls{
			{"special", name("")}, {"other", name("p1")},
			{"use", name("p1")}, {"use", name("p1")}, {"use", name("p1")}, {"use", name("p1")},
			{"use", name("p1")}, {"use", name("p1")}, {"use", name("p1")}, {"use", name("p1")},
		},
	}, {
		storeModel(true),
		calls{
			{"New", name("store1")}, {"New", name("store2")}, {"store.Begin", name("store1"), name("txn1")},
			{"txn.Commit", name("txn1"), name("store3")}, {"txn.Add", name("txn1"), 1},
			{"store.Cursor", name("store3"), name("cursor1")}, {"txn.Add", name("txn1"), 1},
			{"cursor.Sum", name("cursor1")},
		},
		calls{
			{"New", name("store1")}, {"store.Begin", name("store1"), name("txn1")},
			{"txn.Commit", name("txn1"), name("store3")}, {"store.Cursor", name("store3"), name("cursor1")},
			{"txn.Add", name("txn1"), 1}, {"cursor.Sum", name("cursor1")},
		},
	}} {
		tree, err := bigen.Choices(c.model.Gen(), c.calls)
		require.NoError(t, err)
		v := minimal(t, c.model, tree)
		require.Equal(t, c.want, v)
		requireNeeded(t, c.model, v)
	}
}

// specialModel describes calls that make instances of one kind. The call of special fails or,
// if later, the effect of fail after it.
func specialModel(later bool) *callseq.Model {
	return callseq.New(func(c *callseq.C) {
		p := callseq.NewPool[*page](c, "p")
		special := false
		c.Op("mk", func() {
			p.Add(&page{})
			c.Do(func() {})
		})
		c.Op("special", func() {
			p.Add(&page{})
			c.Do(func() {
				if special = true; !later {
					c.Errorf("special")
				}
			})
		})
		c.Op("fail", func() {
			c.Do(func() {
				if special {
					c.Errorf("after special")
				}
			})
		})
	})
}

// twoSpecialModel describes calls that make instances of one kind, and calls that use one. Eight
// of these fail if both special and other have been called.
func twoSpecialModel() *callseq.Model {
	return callseq.New(func(c *callseq.C) {
		p := callseq.NewPool[*page](c, "p")
		special, other, uses := false, false, 0
		c.Op("mk", func() {
			p.Add(&page{})
			c.Do(func() {})
		})
		c.Op("special", func() {
			p.Add(&page{})
			c.Do(func() { special = true })
		})
		c.Op("other", func() {
			p.Add(&page{})
			c.Do(func() { other = true })
		})
		c.Op("use", func() {
			p.Draw("p")
			c.Do(func() {
				if uses++; special && other && uses == 8 {
					c.Errorf("used %d times", uses)
				}
			})
		}).When(p.Any)
	})
}

// minimal returns what the minimizer makes of a sequence that fails.
func minimal(t *testing.T, m *callseq.Model, tree choices.Tree) calls {
	t.Helper()
	remake := func(edited choices.Tree) (calls, choices.Tree, error) {
		return bigen.Run(m.Gen(), choices.Replay(edited, nil))
	}
	tree, _, _ = mutate.Minimize(tree, remake, func(v calls) bool { return output(m, v) != "" }, 2000)
	v, _, err := remake(tree)
	require.NoError(t, err)
	return v
}

// requireNeeded requires that v fails, and passes without any one of its calls. Calls that
// refer to the instance of that one refer to another, or it takes them out, too.
func requireNeeded(t *testing.T, m *callseq.Model, v calls) {
	t.Helper()
	require.NotEmpty(t, output(m, v))
	for i := range v {
		rest := slices.Delete(slices.Clone(v), i, i+1)
		if bigen.Check(m.Gen(), rest) == nil {
			require.Empty(t, output(m, rest), "call %d of %v is needless", i, v)
		}
		rest = without(t, m, v, i)
		require.Empty(t, output(m, rest), "call %d of %v is needless: %v", i, v, rest)
	}
}

// Mutants are sequences of the model.
func TestMutants(t *testing.T) {
	t.Parallel()
	g := listModel("").Gen()
	r := rng(1)
	var corpus []choices.Tree
	for range 5 {
		_, tree, err := bigen.Run(g, choices.Random(r))
		require.NoError(t, err)
		corpus = append(corpus, tree)
	}
	m := mutate.Mutator{Corpus: corpus}
	longer := 0
	for i := range long.Count(50, 5000) {
		edited, _ := m.Havoc(corpus[i%len(corpus)], r)
		v, made, err := bigen.Run(g, choices.Replay(edited, r))
		require.NoError(t, err)
		back, err := bigen.Choices(g, v)
		require.NoError(t, err)
		require.Equal(t, back, made)
		if len(made) > len(corpus[i%len(corpus)]) {
			longer++
		}
	}
	require.Positive(t, longer)
}
