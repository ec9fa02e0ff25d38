package bigen_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/internal/testing/long"
)

// A keyed is a node of a search tree.
type keyed struct {
	Key  int
	Red  bool
	L, R *keyed
}

func genKeyed(lo, hi int) bigen.Gen[*keyed] {
	leaf := bigen.Tag("leaf", bigen.Nil[keyed]())
	if lo > hi {
		return bigen.Pick(leaf)
	}
	return bigen.Pick(leaf, bigen.Tag("node", bigen.New(func(c *bigen.C, t *keyed) {
		bigen.At(c, &t.Key, bigen.IntRange(lo, hi))
		bigen.At(c, &t.Red, bigen.Bool())
		bigen.At(c, &t.L, genKeyed(lo, t.Key-1))
		bigen.At(c, &t.R, genKeyed(t.Key+1, hi))
	})).Weight(5))
}

// keyedBy makes what genKeyed makes, with parameters that make of bounds.
func keyedBy[P any](make func(lo, hi int) P, bounds func(P) (lo, hi int)) bigen.Gen[*keyed] {
	return bigen.NewFamily(func(self *bigen.Family[P, *keyed]) bigen.Gen[*keyed] {
		return bigen.Pick(
			bigen.Tag("leaf", bigen.Nil[keyed]()),
			bigen.Tag("node", bigen.New(func(c *bigen.C, t *keyed) {
				lo, hi := bounds(self.Param(c))
				bigen.At(c, &t.Key, bigen.IntRange(lo, hi))
				bigen.At(c, &t.Red, bigen.Bool())
				bigen.At(c, &t.L, self.Gen(make(lo, t.Key-1)))
				bigen.At(c, &t.R, self.Gen(make(t.Key+1, hi)))
			})).Weight(5).If(self.Is(func(p P) bool { lo, hi := bounds(p); return lo <= hi })),
		)
	}).Gen(make(-50, 50))
}

type (
	inWords struct {
		Name   string
		Lo, Hi *int
	}
	mixed struct {
		Lo int
		Hi *int
	}
	large struct {
		Names  [4]string
		Lo, Hi int
	}
	small struct {
		Lo, Hi int8
		OK     bool
	}
)

// A Family makes the values of a function for the same choices, forward and backward, wherever it
// keeps a parameter.
func TestFamilyIsFunction(t *testing.T) {
	t.Parallel()
	want := genKeyed(-50, 50)
	for name, g := range map[string]bigen.Gen[*keyed]{
		"bounds": keyedBy(func(lo, hi int) [2]int { return [2]int{lo, hi} },
			func(p [2]int) (int, int) { return p[0], p[1] }),
		"bytes": keyedBy(func(lo, hi int) small { return small{int8(lo), int8(hi), true} },
			func(p small) (int, int) { return int(p.Lo), int(p.Hi) }),
		"words": keyedBy(func(lo, hi int) inWords { return inWords{"", &lo, &hi} },
			func(p inWords) (int, int) { return *p.Lo, *p.Hi }),
		"mixed": keyedBy(func(lo, hi int) mixed { return mixed{lo, &hi} },
			func(p mixed) (int, int) { return p.Lo, *p.Hi }),
		"slice": keyedBy(func(lo, hi int) []int { return []int{lo, hi} },
			func(p []int) (int, int) { return p[0], p[1] }),
		"interface": keyedBy(func(lo, hi int) any { return [2]int{lo, hi} },
			func(p any) (int, int) { b := p.([2]int); return b[0], b[1] }),
		"heap": keyedBy(func(lo, hi int) large { return large{Lo: lo, Hi: hi} },
			func(p large) (int, int) { return p.Lo, p.Hi }),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i := range long.Count(100, 2000) {
				v, tree := sameValue(t, g, want, i)
				forest, err := bigen.Forest(g, v)
				require.NoError(t, err)
				require.Equal(t, tree, forest.First())

				if v != nil {
					v.Key += 200
					_, err := bigen.Choices(g, v)
					_, other := bigen.Choices(want, v)
					require.EqualError(t, err, other.Error())
				}
			}
		})
	}
}

// sameValue returns the i-th value of g with its choices, which are those of want, also backward.
func sameValue[A any](t *testing.T, g, want bigen.Gen[A], i int) (A, choices.Tree) {
	t.Helper()
	source := func() choices.Source {
		return varied.Source(rand.New(rand.NewPCG(1, uint64(i))), i)
	}
	v, tree, err := bigen.Run(g, source())
	require.NoError(t, err)
	w, expected, err := bigen.Run(want, source())
	require.NoError(t, err)
	require.Equal(t, w, v)
	require.Equal(t, expected, tree)
	back, err := bigen.Choices(g, v)
	require.NoError(t, err)
	require.Equal(t, tree, back)
	return v, tree
}

// A scoped is a term with variables, of which those with an even number may be used.
type scoped struct {
	Kind  string
	N     int
	Parts []scoped
}

type scope struct{ variables, depth int }

func genScoped(s scope) bigen.Gen[scoped] {
	kind := func(kind string, fill func(c *bigen.C, e *scoped)) bigen.Gen[scoped] {
		return bigen.Struct(func(c *bigen.C, e *scoped) { e.Kind = kind; fill(c, e) })
	}
	alts := []bigen.Alt[scoped]{bigen.Tag("end", kind("end", func(*bigen.C, *scoped) {}))}
	for n := range s.variables {
		if n%2 == 0 {
			alts = append(alts, bigen.Tag("variable", kind("variable", func(_ *bigen.C, e *scoped) {
				e.N = n
			})).Weight(float64(n+1)))
		}
	}
	if s.depth > 0 {
		alts = append(alts, bigen.Tag("let", kind("let", func(c *bigen.C, e *scoped) {
			part := genScoped(scope{s.variables + 1, s.depth - 1})
			bigen.At(c, &e.Parts, bigen.SliceOf(part, 0, 3))
		})).Weight(float64(s.depth)))
	}
	return bigen.Pick(alts...)
}

var scopes = bigen.NewFamily(func(self *bigen.Family[scope, scoped]) bigen.Gen[scoped] {
	kind := func(kind string, fill func(c *bigen.C, e *scoped)) bigen.Gen[scoped] {
		return bigen.Struct(func(c *bigen.C, e *scoped) { e.Kind = kind; fill(c, e) })
	}
	return bigen.Pick(
		bigen.Tag("end", kind("end", func(*bigen.C, *scoped) {})),
		bigen.Tag("variable", kind("variable", func(c *bigen.C, e *scoped) { e.N = bigen.Nth(c) })).
			Each(func(c *bigen.C) int { return self.Param(c).variables }).
			If(func(c *bigen.C) bool { return bigen.Nth(c)%2 == 0 }).
			WeightBy(func(c *bigen.C) float64 { return float64(bigen.Nth(c) + 1) }),
		bigen.Tag("let", kind("let", func(c *bigen.C, e *scoped) {
			s := self.Param(c)
			part := self.Gen(scope{s.variables + 1, s.depth - 1})
			bigen.At(c, &e.Parts, bigen.SliceOf(part, 0, 3))
		})).
			If(self.Is(func(s scope) bool { return s.depth > 0 })).
			WeightBy(func(c *bigen.C) float64 { return float64(self.Param(c).depth) }),
	)
})

// Alternatives that are offered again and again, with weights of their own, are those of a function.
func TestFamilyEach(t *testing.T) {
	t.Parallel()
	for _, variables := range []int{0, 1, 3, 50} { // the last are too many to be kept
		g, want := scopes.Gen(scope{variables, 4}), genScoped(scope{variables, 4})
		for i := range long.Count(100, 2000) {
			v, _ := sameValue(t, g, want, i)
			p, exact, err := bigen.Prob(g, v, weightOf)
			require.NoError(t, err)
			q, _, err := bigen.Prob(want, v, weightOf)
			require.NoError(t, err)
			require.True(t, exact)
			require.InEpsilon(t, q, p, 1e-9)
		}
	}
	_, err := bigen.Choices(scopes.Gen(scope{4, 1}), scoped{Kind: "variable", N: 3})
	require.ErrorIs(t, err, bigen.ErrNotProduced)
}

func weightOf(_ string, weight float64) float64 { return weight }

func init() {
	laws = append(laws,
		lawful("Alt.Each", scopes.Gen(scope{3, 3}), func(e scoped) bool { return e.ok(3) }),
		lawful("Given", givens.Gen(3), func(v []int) bool { return slices.IsSorted(v) }),
	)
}

func (e scoped) ok(variables int) bool {
	return (e.Kind != "variable" || e.N < variables && e.N%2 == 0) &&
		!slices.ContainsFunc(e.Parts, func(e scoped) bool { return !e.ok(variables + 1) })
}

// givens makes lists of so many integers, none less than the one before.
var givens = bigen.NewFamily(func(self *bigen.Family[int, []int]) bigen.Gen[[]int] {
	return bigen.Given(func(c *bigen.C) bigen.Gen[[]int] {
		return bigen.SliceBy(func(before []int) (bigen.Gen[int], bool) {
			lo := 0
			if len(before) > 0 {
				lo = before[len(before)-1]
			}
			return bigen.IntRange(lo, 99), true
		}, self.Param(c), self.Param(c))
	})
})

// One Family may run within another. Each has its own parameter, and that of a part does not last.
func TestFamiliesNest(t *testing.T) {
	t.Parallel()
	type pair struct{ Outer, Inner, Again, Nth int }
	inner := bigen.NewFamily(func(f *bigen.Family[string, int]) bigen.Gen[int] {
		return bigen.Given(func(c *bigen.C) bigen.Gen[int] {
			return bigen.Just(len(f.Param(c)) + 10*bigen.Nth(c))
		})
	})
	outer := bigen.NewFamily(func(f *bigen.Family[int, pair]) bigen.Gen[pair] {
		return bigen.Pick(bigen.Tag("x", bigen.Struct(func(c *bigen.C, p *pair) {
			n := f.Param(c)
			bigen.At(c, &p.Outer, bigen.Just(n))
			bigen.At(c, &p.Inner, inner.Gen(strings.Repeat("x", n)))
			bigen.At(c, &p.Again, bigen.Just(f.Param(c)))
			bigen.At(c, &p.Nth, bigen.Just(bigen.Nth(c)))
		})).Each(func(*bigen.C) int { return 3 }))
	})
	want := pair{Outer: 5, Inner: 5, Again: 5, Nth: 2}
	tree, err := bigen.Choices(outer.Gen(5), want)
	require.NoError(t, err)
	v, _, err := bigen.Run(outer.Gen(5), choices.Replay(tree, nil))
	require.NoError(t, err)
	require.Equal(t, want, v)
	require.Error(t, bigen.Check(outer.Gen(4), want))
}

// Conditions count beyond the sets of alternatives that a pick keeps.
func TestFamilyOfManyConditions(t *testing.T) {
	t.Parallel()
	for _, alternatives := range []int{7, 20, 70} {
		f := bigen.NewFamily(func(f *bigen.Family[uint64, int]) bigen.Gen[int] {
			alts := []bigen.Alt[int]{bigen.Tag("none", bigen.Just(-1))}
			for i := range alternatives {
				alts = append(alts, bigen.Tag("some", bigen.Just(i)).If(f.Is(func(mask uint64) bool {
					return mask>>(i%64)&1 == 1
				})))
			}
			return bigen.Pick(alts...)
		})
		r := rand.New(rand.NewPCG(3, 3))
		for range long.Count(20, 1000) {
			mask := r.Uint64()
			made := map[int]bool{}
			for _, v := range bigen.Enumerate(f.Gen(mask)) {
				made[v] = true
			}
			for i := range alternatives {
				require.Equal(t, mask>>(i%64)&1 == 1, made[i], "%d of %d", i, alternatives)
				require.Equal(t, made[i], bigen.Check(f.Gen(mask), i) == nil)
			}
		}
	}
}

// A Family fills holes, and one goroutine does not see the parameters of another.
func TestFamilyFillsAndIsShared(t *testing.T) {
	t.Parallel()
	g := keyedBy(func(lo, hi int) [2]int { return [2]int{lo, hi} },
		func(p [2]int) (int, int) { return p[0], p[1] })
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(4, uint64(n)))
			for range 100 {
				v := &keyed{Key: 0, L: &keyed{Key: -7}}
				if err := bigen.Fill(g, &v, r, &v.R, &v.L.L); err != nil {
					t.Error(err)
				}
				if err := bigen.Check(genKeyed(-50, 50), v); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

func TestFamilyMisuse(t *testing.T) {
	t.Parallel()
	value := func(g bigen.Gen[int]) func() {
		return func() { _, _ = bigen.Value(g, choices.FromBytes(nil)) }
	}
	var leaked *bigen.Family[int, int]
	one := bigen.NewFamily(func(f *bigen.Family[int, int]) bigen.Gen[int] {
		leaked = f
		return bigen.Pick(bigen.Tag("odd", bigen.Just(1)).If(f.Is(func(n int) bool { return n%2 == 1 })))
	})
	require.PanicsWithValue(t, "bigen: pick of odd, of a int: no alternative has a condition that holds for this parameter: 2", value(one.Gen(2)))
	require.PanicsWithValue(t, "bigen.Family.Param: no generator of this Family of int is running: only what its build returns has a parameter",
		value(bigen.Given(func(c *bigen.C) bigen.Gen[int] { return bigen.Just(leaked.Param(c)) })))
	require.PanicsWithValue(t, "bigen.NewFamily: build returns the zero Gen", func() {
		bigen.NewFamily(func(*bigen.Family[int, int]) (g bigen.Gen[int]) { return g })
	})
	require.PanicsWithValue(t, "bigen.NewFamily: build returns a generator of the Family itself: it must recurse below an alternative of a Pick", func() {
		bigen.NewFamily(func(f *bigen.Family[int, int]) bigen.Gen[int] { return f.Gen(1) })
	})
	require.PanicsWithValue(t, `bigen: weight -1 of alternative "x" is not a number from 0 to 1e100`, value(
		bigen.NewFamily(func(*bigen.Family[int, int]) bigen.Gen[int] {
			return bigen.Pick(bigen.Tag("x", bigen.Just(1)).WeightBy(func(*bigen.C) float64 { return -1 }))
		}).Gen(1)))
	endless := bigen.NewFamily(func(f *bigen.Family[[]int, int]) bigen.Gen[int] {
		return bigen.Iso(bigen.Given(func(c *bigen.C) bigen.Gen[int] { return f.Gen(f.Param(c)) }),
			func(n int) int { return n }, func(n int) (int, bool) { return n, true })
	})
	require.PanicsWithValue(t, "bigen: a generator nests without end: the first alternative of a Pick must not recurse, and a New or Struct must recurse only below a Pick", value(endless.Gen(nil)))
	require.Equal(t, "bigen.Gen[int](family, 2)", one.Gen(2).String())

	lists := bigen.NewFamily(func(f *bigen.Family[int, []int]) bigen.Gen[[]int] {
		return bigen.Recursive(bigen.Just[[]int](nil), func(self bigen.Gen[[]int]) bigen.Gen[[]int] {
			return bigen.Given(func(c *bigen.C) bigen.Gen[[]int] {
				return bigen.Iso(self, func(v []int) []int { return append(v, f.Param(c)) },
					func(v []int) ([]int, bool) { return v[:max(0, len(v)-1)], len(v) > 0 })
			})
		}, 4)
	})
	require.PanicsWithValue(t, "bigen.Family.Param: a Recursive within a Family cannot measure how "+
		"many selves a step has, since that may depend on the parameter: give it the option "+
		"bigen.Branching", func() { _, _ = bigen.Value(lists.Gen(1), choices.FromBytes(nil)) })
	early := "bigen.Family: a generator is run before build has returned, or of the zero Family: make it by bigen.NewFamily"
	require.PanicsWithValue(t, early, func() {
		bigen.NewFamily(func(f *bigen.Family[int, int]) bigen.Gen[int] {
			_, _ = bigen.Value(f.Gen(1), choices.FromBytes(nil))
			return bigen.Just(1)
		})
	})
	require.PanicsWithValue(t, early, value(new(bigen.Family[int, int]).Gen(1)))
}

// Backward, a part is read once for equal parameters, whatever they have: otherwise these values
// would take too much work.
func TestFamilySharesByContent(t *testing.T) {
	t.Parallel()
	one := func(name string, check func() error) {
		t.Run(name, func(t *testing.T) { t.Parallel(); require.NoError(t, check()) })
	}
	type names struct{ Names []string }
	here := new(int)
	one("slice", func() error { return ambiguous(func(n int) []int { return []int{n} }) })
	one("any", func() error { return ambiguous(func(n int) any { return []any{n, "a", nil, 1.5} }) })
	one("struct", func() error { return ambiguous(func(n int) names { return names{make([]string, n)} }) })
	one("NaN", func() error { return ambiguous(func(int) float64 { return math.NaN() }) })
	one("pointer", func() error { return ambiguous(func(int) *int { return here }) })
	one("large", func() error { return ambiguous(func(n int) [20]int { return [20]int{n} }) })
}

// ambiguous reads a deep value, each part of which two alternatives read.
func ambiguous[P any](param func(n int) P) error {
	const deepest, n = 60, 2
	f := bigen.NewFamily(func(f *bigen.Family[P, *keyed]) bigen.Gen[*keyed] {
		step := func(key int) bigen.Gen[*keyed] {
			return bigen.New(func(c *bigen.C, t *keyed) {
				bigen.At(c, &t.L, f.Gen(param(n)))
				bigen.At(c, &t.Key, bigen.Just(key))
			})
		}
		return bigen.Pick(bigen.Tag("leaf", bigen.Nil[keyed]()),
			bigen.Tag("a", step(0)), bigen.Tag("b", step(1)))
	})
	var v *keyed
	for range deepest {
		v = &keyed{Key: 1, L: v}
	}
	return bigen.Check(f.Gen(param(n)), v)
}

// Parameters that == does not tell apart, or cannot compare, are told apart if functions can.
func TestFamilyTellsApart(t *testing.T) {
	t.Parallel()
	type pair struct{ X, Y int }
	check := func(name string, a, b any, isA func(any) bool) {
		f := bigen.NewFamily(func(f *bigen.Family[any, int]) bigen.Gen[int] {
			return bigen.Pick(
				bigen.Tag("b", bigen.Just(0)), bigen.Tag("a", bigen.Just(1)).If(f.Is(isA)),
			)
		})
		field := func(p any) bigen.Gen[pair] {
			return bigen.Struct(func(c *bigen.C, v *pair) { bigen.At(c, &v.X, f.Gen(p)) })
		}
		for _, both := range [][2]any{{a, b}, {b, a}} {
			g := bigen.Pick(bigen.Tag("1", field(both[0])), bigen.Tag("2", field(both[1])))
			forest, err := bigen.Forest(g, pair{X: 1})
			require.NoError(t, err, name)
			require.EqualValues(t, 1, forest.Count(), name)
		}
	}
	negative := func(v any) bool { return math.Signbit(v.(float64)) }
	check("-0", math.Copysign(0, -1), 0., negative)
	check("types", int8(1), int16(1), func(v any) bool { _, ok := v.(int8); return ok })
	check("nil", []int(nil), []int{}, func(v any) bool { return v.([]int) == nil })
	check("elements", []int{1}, []int{2}, func(v any) bool { return v.([]int)[0] == 1 })
	check("texts", [2]string{"a", "bc"}, [2]string{"ab", "c"}, func(v any) bool {
		return v.([2]string)[0] == "a"
	})
	closure := func(n int) func() int { return func() int { return n } }
	check("functions", closure(1), closure(2), func(v any) bool { return v.(func() int)() == 1 })
	type of struct{ F func() int }
	check("in a struct", of{closure(1)}, of{closure(2)}, func(v any) bool { return v.(of).F() == 1 })
	check("pointers", &pair{1, 1}, &pair{2, 1}, func(v any) bool { return v.(*pair).X == 1 })
}

// So many repeated alternatives take as long as so many others.
func TestFamilyOfManyVariables(t *testing.T) {
	t.Parallel()
	const n = 1 << 17
	f := bigen.NewFamily(func(f *bigen.Family[int, int]) bigen.Gen[int] {
		return bigen.Pick(bigen.Tag("none", bigen.Just(-1)),
			bigen.Tag("variable", bigen.Given(func(c *bigen.C) bigen.Gen[int] {
				return bigen.Just(bigen.Nth(c))
			})).Each(f.Param))
	})
	tree, err := bigen.Choices(f.Gen(n), 5)
	require.NoError(t, err)
	v, _, err := bigen.Run(f.Gen(n), choices.Replay(tree, nil))
	require.NoError(t, err)
	require.Equal(t, 5, v)
	require.Error(t, bigen.Check(f.Gen(-3), 0), "a negative number is none")
}
