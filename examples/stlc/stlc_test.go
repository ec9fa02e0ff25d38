package stlc

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// genTerm makes the terms of a type, in which the variables have the types env, with
// constructs nested about n deep. Read backward, it is a type checker.
func genTerm(env []Type, want Type, n int) bigen.Gen[Term] {
	var alts []bigen.Alt[Term]
	// The first alternative ends: its body is of a smaller type.
	if f, ok := want.(Func); ok {
		alts = append(alts, bigen.Case[Term]("lam", bigen.Struct(func(c *bigen.C, l *Lam) {
			l.Arg = f.From
			bigen.At(c, &l.Body, genTerm(Bind(env, f.From), f.To, max(0, n-1)))
		})))
	} else {
		alts = append(alts,
			bigen.Tag("false", bigen.Just[Term](Lit(false))),
			bigen.Tag("true", bigen.Just[Term](Lit(true))))
	}
	// One variable is as good as another: they share a tag.
	for v := range env {
		if env[len(env)-1-v] == want {
			alts = append(alts, bigen.Tag("", bigen.Just[Term](Var(v))))
		}
	}
	if n > 0 {
		alts = append(alts,
			bigen.Case[Term]("app", bigen.Struct(func(c *bigen.C, a *App) {
				// The type of the argument is nowhere in the term.
				arg := bigen.Let(c, a, func(a *App) (Type, bool) {
					t, err := TypeOf(env, a.Arg)
					return t, err == nil
				}, genType(4))
				bigen.At(c, &a.Fun, genTerm(env, Func{From: arg, To: want}, n-1))
				bigen.At(c, &a.Arg, genTerm(env, arg, n-1))
			})).Weight(2),
			bigen.Case[Term]("if", bigen.Struct(func(c *bigen.C, f *If) {
				bigen.At(c, &f.Cond, genTerm(env, Bool{}, n-1))
				bigen.At(c, &f.Then, genTerm(env, want, n-1))
				bigen.At(c, &f.Else, genTerm(env, want, n-1))
			})))
	}
	return bigen.Pick(alts...)
}

func genType(n int) bigen.Gen[Type] {
	boolean := bigen.Tag("bool", bigen.Just[Type](Bool{})).Weight(2)
	if n == 0 {
		return bigen.Pick(boolean)
	}
	return bigen.Pick(boolean, bigen.Case[Type]("func", bigen.Struct(func(c *bigen.C, f *Func) {
		bigen.At(c, &f.From, genType(n-1))
		bigen.At(c, &f.To, genType(n-1))
	})))
}

// genUntyped makes all terms nested at most n deep, well-typed or not.
func genUntyped(n int) bigen.Gen[Term] {
	alts := []bigen.Alt[Term]{
		bigen.Case[Term]("lit", bigen.Iso(bigen.Bool(),
			func(b bool) Lit { return Lit(b) }, func(l Lit) (bool, bool) { return bool(l), true })),
		bigen.Case[Term]("var", bigen.IntRange[Var](0, 2)),
	}
	if n > 0 {
		alts = append(alts,
			bigen.Case[Term]("lam", bigen.Struct(func(c *bigen.C, l *Lam) {
				bigen.At(c, &l.Arg, genType(1))
				bigen.At(c, &l.Body, genUntyped(n-1))
			})),
			bigen.Case[Term]("app", bigen.Struct(func(c *bigen.C, a *App) {
				bigen.At(c, &a.Fun, genUntyped(n-1))
				bigen.At(c, &a.Arg, genUntyped(n-1))
			})),
			bigen.Case[Term]("if", bigen.Struct(func(c *bigen.C, f *If) {
				bigen.At(c, &f.Cond, genUntyped(n-1))
				bigen.At(c, &f.Then, genUntyped(n-1))
				bigen.At(c, &f.Else, genUntyped(n-1))
			})))
	}
	return bigen.Pick(alts...)
}

// hasType returns the test whether a closed term has a type.
func hasType(want Type) func(Term) error {
	return func(t Term) error {
		got, err := TypeOf(nil, t)
		if err == nil && got != want {
			err = fmt.Errorf("%v is of type %v, not %v", t, got, want)
		}
		return err
	}
}

var (
	boolean = Bool{}
	unary   = Func{From: boolean, To: boolean}
	higher  = Func{From: unary, To: boolean}
)

func TestGenerators(t *testing.T) {
	types := []Type{higher, unary, boolean}[:long.Count(1, 3)]
	runs := bigentest.Runs(long.Count(10, 50))
	for _, ty := range types {
		g := genTerm(nil, ty, 3)
		bigentest.Laws(t, g, runs)
		bigentest.Sound(t, g, hasType(ty), runs)
		bigentest.Complete(t, genUntyped(3), hasType(ty), g, runs)
	}
}

// A generator run backward says where a term is wrong.
func TestIllTyped(t *testing.T) {
	not := Lam{Arg: boolean, Body: If{Cond: Var(0), Then: Lit(false), Else: Lit(true)}}
	require.NoError(t, bigen.Check(genTerm(nil, unary, 3), Term(not)))
	require.NoError(t, bigen.Check(genTerm(nil, boolean, 3), Term(App{Fun: not, Arg: Lit(true)})))
	require.ErrorContains(t, bigen.Check(genTerm(nil, boolean, 3), Term(App{Fun: not, Arg: not})),
		"at /app/Fun/lam/Body/if/Cond: none of the alternatives false, true makes it: "+
			"stlc.Var(0) is not stlc.Lit(false)")
	require.ErrorContains(t, bigen.Check(genTerm(nil, boolean, 3), Term(App{Fun: not, Arg: Var(0)})),
		"at /app/let#1(stlc.Type): the struct has none")
}

// The type of an application's argument is a choice, though not part of the term.
func TestChoices(t *testing.T) {
	id := Lam{Arg: boolean, Body: Var(0)}
	tree, err := bigen.Choices(genTerm(nil, boolean, 3), Term(App{Fun: id, Arg: Lit(true)}))
	require.NoError(t, err)
	require.Equal(t, `app(bool, lam(""), true)`, tree.String())
}

// Reduction keeps the type at each step, never gets stuck, and ends.
func FuzzSubjectReduction(f *testing.F) {
	addSeeds(f, higher)
	f.Fuzz(fuzzext.Valid(genTerm(nil, higher, 6), func(t *fuzzext.T, term Term) {
		for ok := true; ok && size(term) < 10_000; term, ok = Step(term) {
			require.NoError(t, hasType(higher)(term))
		}
		t.Assume(size(term) < 10_000)
		_, ok := term.(Lam)
		require.True(t, ok, "%T", term)
	}))
}

// size returns how many constructs t has: it may grow before it gets to its end.
func size(t Term) int {
	switch t := t.(type) {
	case Lam:
		return 1 + size(t.Body)
	case App:
		return 1 + size(t.Fun) + size(t.Arg)
	case If:
		return 1 + size(t.Cond) + size(t.Then) + size(t.Else)
	}
	return 1
}

// The result is the same as by an evaluator that keeps environments and
// substitutes nothing.
func FuzzEval(f *testing.F) {
	addSeeds(f, boolean)
	f.Fuzz(fuzzext.Valid(genTerm(nil, boolean, 6), func(t *fuzzext.T, term Term) {
		got := term
		for ok := true; ok; got, ok = Step(got) {
			t.Assume(size(got) < 10_000)
		}
		require.Equal(t, Term(Lit(eval(nil, term).(bool))), got, "%v", term)
	}))
}

// eval returns the value of t as a bool or a function.
func eval(env []any, t Term) any {
	switch t := t.(type) {
	case Lit:
		return bool(t)
	case Var:
		return env[len(env)-1-int(t)]
	case Lam:
		return func(x any) any { return eval(append(env[:len(env):len(env)], x), t.Body) }
	case App:
		return eval(env, t.Fun).(func(any) any)(eval(env, t.Arg))
	case If:
		if eval(env, t.Cond).(bool) {
			return eval(env, t.Then)
		}
		return eval(env, t.Else)
	}
	panic(t)
}

// addSeeds adds random terms.
func addSeeds(f *testing.F, want Type) {
	r := rand.New(rand.NewPCG(1, 1))
	g := genTerm(nil, want, 6)
	for range 100 {
		fuzzext.Add(f, g, bigen.Sample(g, r))
	}
}
