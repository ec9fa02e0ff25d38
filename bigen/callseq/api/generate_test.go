package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// Generate finds what is planted, and shrinks it to a few calls. What is correct has no errors.
func TestGenerateFinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		planted, class string
		calls          int // at most
	}{
		{planted: ""},
		{"panic", "shelf.Put: panic: runtime error: index out of range [#] with length #", 4},
		{"next", "cursor.Value: panic: runtime error: index out of range [#] with length #", 5},
	} {
		for seed := range uint64(long.Count(1, 2)) {
			a := shelfAPI(c.planted)
			s := a.Generate(api.Options{Seed: 1 + seed, Sequences: long.Count(800, 1500), MaxRegressions: -1})
			if c.class == "" {
				require.Empty(t, s.Errors)
				continue
			}
			require.Len(t, s.Errors, 1)
			e := s.Errors[0]
			require.Equal(t, c.class, e.Class)
			require.LessOrEqual(t, len(e.Calls), c.calls, e.Code)
			require.Contains(t, output(a, e.Calls), strings.TrimPrefix(e.Message, "contract of "))
			require.Equal(t, strings.Contains(e.Class, "panic"), strings.Contains(e.Place, "shelf_test.go:"), e.Place)
			require.NoError(t, bigen.Check(a.Gen(), e.Calls))
		}
	}
}

// The same seed makes the same suite.
func TestGenerateIsDeterministic(t *testing.T) {
	t.Parallel()
	suite := func() api.Suite {
		return shelfAPI("panic").Generate(api.Options{Seed: 7, Sequences: long.Count(300, 1000), MaxRegressions: 20})
	}
	a := suite()
	require.Equal(t, a, suite())
	require.Len(t, a.Regressions, 20)
	require.Contains(t, a.Regressions[2].Op, " then ")
	for _, r := range a.Regressions {
		require.NoError(t, bigen.Check(correct.Gen(), r.Calls))
		require.Empty(t, output(correct, r.Calls))
		_, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+r.Code+"\n}", 0)
		require.NoError(t, err, r.Code)
	}
}

// Tests with more statements than a reader wants come after all others.
func TestRegressionsAreShort(t *testing.T) {
	t.Parallel()
	suite := shelfAPI("panic").Generate(api.Options{Seed: 7, Sequences: 300, MaxRegressions: 1000})
	var tooLong []bool
	for _, r := range suite.Regressions {
		f, err := parser.ParseExpr("func() {\n" + r.Code + "\n}")
		require.NoError(t, err)
		tooLong = append(tooLong, len(f.(*ast.FuncLit).Body.List) > 12)
	}
	first := slices.Index(tooLong, true)
	require.Positive(t, first)
	require.NotContains(t, tooLong[first:], false)
}

// Feedback finds in most runs what as many sequences without it find in few.
func TestFeedbackFindsMore(t *testing.T) {
	t.Parallel()
	seeds := long.Count(1, 20)
	found := func(undirected bool) (count int) {
		for seed := range uint64(seeds) {
			s := shelfAPI("full").Generate(api.Options{Seed: 3 + seed, Sequences: long.Count(1500, 3000), Undirected: undirected, MaxRegressions: -1})
			if len(s.Errors) > 0 {
				require.Len(t, s.Errors[0].Calls, 7, s.Errors[0].Code)
				count++
			}
		}
		return count
	}
	require.Greater(t, found(false), 2*found(true))
}

// An error is minimized without what may end the process.
func TestMinimizeWithout(t *testing.T) {
	t.Parallel()
	exits := 0
	a := api.New(func(c *api.C) {
		c.Op("p.Exit", func() { c.Do(func() { exits++ }) })
		c.Op("p.Use", func() { c.Do(func() {}) })
		c.Op("p.First", func() { c.Do(func() { _ = []int(nil)[exits] }) })
	})
	s := a.Generate(api.Options{Seed: 1, Sequences: long.Count(30, 300), MaxRegressions: -1, Without: []string{"p.Exit"}})
	require.Len(t, s.Errors, 1)
	require.Zero(t, exits)
}

// Once the time is over, and some more, errors stay as they are, and nothing that was kept runs
// again.
func TestClosing(t *testing.T) {
	runs, stopped, kept := 0, 0, [][]byte{}
	a := api.New(func(c *api.C) {
		ints := api.Type(c, "int", api.Literals(bigen.IntRange(0, 1000)))
		c.Op("double", func() {
			n, twice := ints.Arg("n"), ints.Result()
			c.Do(func() {
				runs++
				twice.V = 2 * n.V
				c.Got(twice)
			})
		})
		c.Op("fail", func() {
			n := ints.Arg("value")
			c.Do(func() { _ = []int{}[n.V/(n.V+1)] })
		})
	})
	for _, late := range []bool{false, true} {
		undo := api.SetClosing(time.Minute)
		runs = 0
		s := a.Generate(api.Options{Time: time.Hour, Kept: func(_ callseq.Calls, entry []byte) { kept = append(kept, slices.Clone(entry)) }, Stop: func() bool {
			if stopped = runs; runs > 100 && late {
				api.SetClosing(-2 * time.Hour)
			}
			return runs > 100
		}})
		require.Len(t, s.Errors, 1)
		require.Equal(t, late, runs == stopped, runs-stopped)
		require.Equal(t, late, len(s.Regressions) == 0)
		runs = 0
		a.Generate(api.Options{Time: 1, Restore: kept, MaxRegressions: -1})
		require.Equal(t, late, runs == 0)
		undo()
	}
}

// What has identity is an argument again as often as not; of other values, there are more to try.
func TestIdentity(t *testing.T) {
	t.Parallel()
	type box struct{ n int }
	a := api.New(func(c *api.C) {
		boxes := api.Type(c, "box", api.Make("new(box)", func() *box { return new(box) }), api.Make("&box{1}", func() *box { return &box{1} }), api.Make("&box{2}", func() *box { return &box{2} }))
		words := api.Type(c, "word", api.Expr("one", "one"), api.Expr("two", "two"), api.Expr("three", "three"))
		c.Op("box", func() {
			b := boxes.Result()
			c.Do(func() { b.V = new(box); c.Got(b) })
		})
		c.Op("word", func() {
			w := words.Result()
			c.Do(func() { w.V = "word"; c.Got(w) })
		})
		c.Op("use", func() {
			_, _ = boxes.Arg("b"), words.Arg("w")
			c.Do(func() {})
		})
	})
	results, all := map[int]int{}, 0
	for seed := range uint64(400) {
		for i, call := range bigen.Sample(a.Gen(), rng(seed)) {
			if call[0] == "use" && i > 2 {
				all++
				for k := range call[1:] {
					if _, ok := call[1+k].(callseq.Name); ok {
						results[k]++
					}
				}
			}
		}
	}
	require.Greater(t, 3*results[0], all, results)
	require.Less(t, 3*results[1], all, results)
}

// Undirected generation makes calls, too, if the first sequence cannot be extended.
func TestUndirectedBegins(t *testing.T) {
	t.Parallel()
	type box struct{ n int }
	for seed := range uint64(12) {
		calls := 0
		a := api.New(func(c *api.C) {
			boxes := api.Type[*box](c, "box")
			c.Op("new", func() {
				b := boxes.Result()
				c.Do(func() { b.V = &box{} })
			})
			c.Op("put", func() {
				b := boxes.Arg("box")
				c.Do(func() { b.V.n++; calls++ })
			})
		})
		s := a.Generate(api.Options{Undirected: true, Sequences: 100, Seed: seed}).Stats
		require.Less(t, s.Invalid, 90, "seed %d: %+v", seed, s)
		require.Positive(t, calls, "seed %d", seed)
	}
}

// No sequence runs twice.
func TestSequencesDiffer(t *testing.T) {
	t.Parallel()
	for _, undirected := range []bool{false, true} {
		a := api.New(func(c *api.C) { c.Op("p.Do", func() { c.Do(func() {}) }) })
		s := a.Generate(api.Options{
			Seed: 1, Sequences: 1000, Length: 3, Undirected: undirected, MaxRegressions: -1,
		}).Stats
		require.Positive(t, s.Sequences)
		require.LessOrEqual(t, s.Sequences, 3, "there are no others, of one operation")
	}
}

// An argument is nil only if no call has returned one.
func TestNilIsLast(t *testing.T) {
	t.Parallel()
	a := api.New(func(c *api.C) {
		boxes := api.Type[*int](c, "box")
		c.Op("new", func() {
			b := boxes.Result()
			c.Do(func() { b.V = new(int) })
		})
		c.Op("use", func() {
			_ = boxes.Arg("b")
			c.Do(func() {})
		})
	})
	nils, boxes := 0, 0
	for seed := range uint64(100) {
		made := false
		for _, call := range bigen.Sample(a.Gen(), rng(seed)) {
			if call[0] == "new" {
				made = true
				continue
			}
			if _, isBox := call[1].(callseq.Name); isBox {
				boxes++
			} else {
				nils++
			}
			require.Equal(t, made, call[1] != nil)
		}
	}
	require.Positive(t, nils)
	require.Positive(t, boxes)
}
