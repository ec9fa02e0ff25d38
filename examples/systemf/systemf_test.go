package systemf

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// maxType is how deep the types nest that are nowhere in the type of a term.
const maxType = 4

// genTerm makes the terms of a type, with applications nested about n deep. Read backward, it is a
// type checker.
//
// Not all types have terms. So usually only such types are wanted that are known to: see ends.
func genTerm(s Scope, want Type, n int) bigen.Gen[Term] {
	var alts []bigen.Alt[Term]
	// The first alternative ends. If not, it is seldom made.
	if s.introductionEnds(want) {
		alts = introductions(s, want, n)
	}
	// One variable is as good as another: they share a tag.
	for v := range s.Vars {
		if s.Vars[len(s.Vars)-1-v] == want {
			alts = append(alts, bigen.Tag("", bigen.Just[Term](Var(v))))
		}
	}
	if !s.introductionEnds(want) {
		for _, alt := range introductions(s, want, n) {
			alts = append(alts, alt.Weight(0))
		}
	}
	if n > 0 {
		alts = append(alts,
			bigen.Case[Term]("app", bigen.Struct(func(c *bigen.C, a *App) {
				// The type of the argument is nowhere in the term.
				arg := bigen.Let(c, a, func(a *App) (Type, bool) {
					t, err := s.TypeOf(a.Arg)
					return t, err == nil
				}, genArgument(s, want))
				bigen.At(c, &a.Fun, genTerm(s, Func{From: arg, To: want}, n-1))
				bigen.At(c, &a.Arg, genTerm(s, arg, n-1))
			})).Weight(2),
			bigen.Case[Term]("tapp", bigen.Struct(func(c *bigen.C, a *TypeApp) {
				bigen.At(c, &a.Arg, genType(s.Types, maxType))
				// What is applied is of a type that becomes the wanted one.
				body := bigen.Let(c, a, func(a *TypeApp) (Type, bool) {
					t, err := s.TypeOf(a.Fun)
					f, ok := t.(Forall)
					return f.Body, err == nil && ok
				}, usually(genBody(want, a.Arg, 0), s.BindType().ends, Shift(want, 1)))
				bigen.At(c, &a.Fun, genTerm(s, Forall{Body: body}, n-1))
			})))
	}
	if len(alts) == 0 {
		return bigen.SuchThat(bigen.Just[Term](nil), func(Term) bool { return false })
	}
	return bigen.Pick(alts...)
}

// introductions are the terms that make a value of the outermost constructor of a type.
func introductions(s Scope, want Type, n int) []bigen.Alt[Term] {
	switch want := want.(type) {
	case Bool:
		return []bigen.Alt[Term]{
			bigen.Tag("false", bigen.Just[Term](Lit(false))),
			bigen.Tag("true", bigen.Just[Term](Lit(true))),
		}
	case Func:
		return []bigen.Alt[Term]{bigen.Case[Term]("lam", bigen.Struct(func(c *bigen.C, l *Lam) {
			l.Arg = want.From
			bigen.At(c, &l.Body, genTerm(s.Bind(want.From), want.To, max(0, n-1)))
		}))}
	case Forall:
		return []bigen.Alt[Term]{bigen.Case[Term]("tlam", bigen.Struct(func(c *bigen.C, l *TypeLam) {
			bigen.At(c, &l.Body, genTerm(s.BindType(), want.Body, max(0, n-1)))
		}))}
	}
	return nil
}

// ends reports whether introductions, and a variable or a constant, make a term of a type. Only
// some of the types that have terms pass: whether a type has any is not decidable.
func (s Scope) ends(want Type) bool {
	return slices.Contains(s.Vars, want) || s.introductionEnds(want)
}

// introductionEnds is ends for a term that begins with an introduction.
func (s Scope) introductionEnds(want Type) bool {
	switch want := want.(type) {
	case Bool:
		return true
	case Func:
		return s.Bind(want.From).ends(want.To)
	case Forall:
		return s.BindType().ends(want.Body)
	}
	return false
}

// usually makes types of g that pass, such as or. The others are made only where a term needs one.
func usually(g bigen.Gen[Type], pass func(Type) bool, or Type) bigen.Gen[Type] {
	if !pass(or) {
		return g
	}
	return bigen.Pick(
		bigen.Tag("usual", bigen.SuchThat(g, pass, or)),
		bigen.Tag("any", g).Weight(0),
	)
}

// genArgument makes the types that an argument may have: often the type of what a variable in scope
// takes to return what is wanted.
func genArgument(s Scope, want Type) bigen.Gen[Type] {
	alts := []bigen.Alt[Type]{
		bigen.Tag("new", usually(genType(s.Types, maxType), s.ends, Bool{})),
	}
	for _, t := range s.Vars {
		if f, ok := t.(Func); ok && f.To == want && s.ends(f.From) {
			alts = append(alts, bigen.Tag("", bigen.Just(f.From)))
		}
	}
	return bigen.Pick(alts...)
}

// genBody makes the bodies of the Foralls that, applied to arg, are of the type want: some of the
// places where want has arg become the variable. d Foralls are around it.
func genBody(want, arg Type, d TypeVar) bigen.Gen[Type] {
	alts := make([]bigen.Alt[Type], 0, 2)
	switch t := want.(type) {
	case Bool:
		alts = append(alts, bigen.Tag("bool", bigen.Just[Type](t)))
	case TypeVar:
		if t >= d {
			t++
		}
		alts = append(alts, bigen.Tag("type", bigen.Just[Type](t)))
	case Func:
		alts = append(alts, bigen.Case[Type]("func", bigen.Struct(func(c *bigen.C, f *Func) {
			bigen.At(c, &f.From, genBody(t.From, arg, d))
			bigen.At(c, &f.To, genBody(t.To, arg, d))
		})))
	case Forall:
		alts = append(alts, bigen.Case[Type]("forall", bigen.Struct(func(c *bigen.C, f *Forall) {
			bigen.At(c, &f.Body, genBody(t.Body, arg, d+1))
		})))
	}
	if want == Shift(arg, d) {
		alts = append(alts, bigen.Tag("variable", bigen.Just[Type](d)))
	}
	return bigen.Pick(alts...)
}

// genType makes types nested at most n deep, with so many type variables in scope.
func genType(types, n int) bigen.Gen[Type] {
	alts := []bigen.Alt[Type]{bigen.Tag("bool", bigen.Just[Type](Bool{})).Weight(2)}
	for v := range types {
		alts = append(alts, bigen.Tag("type", bigen.Just[Type](TypeVar(v))).Weight(2))
	}
	if n > 0 {
		alts = append(alts,
			bigen.Case[Type]("func", bigen.Struct(func(c *bigen.C, f *Func) {
				bigen.At(c, &f.From, genType(types, n-1))
				bigen.At(c, &f.To, genType(types, n-1))
			})),
			bigen.Case[Type]("forall", bigen.Struct(func(c *bigen.C, f *Forall) {
				bigen.At(c, &f.Body, genType(types+1, n-1))
			})))
	}
	return bigen.Pick(alts...)
}

// genUntyped makes all terms nested at most n deep, well-typed or not, under so many type variables
// and variables.
func genUntyped(types, vars, n int) bigen.Gen[Term] {
	alts := []bigen.Alt[Term]{bigen.Tag("true", bigen.Just[Term](Lit(true)))}
	for v := range vars {
		alts = append(alts, bigen.Tag("", bigen.Just[Term](Var(v))))
	}
	if n > 0 {
		alts = append(alts,
			bigen.Case[Term]("tlam", bigen.Struct(func(c *bigen.C, l *TypeLam) {
				bigen.At(c, &l.Body, genUntyped(types+1, vars, n-1))
			})),
			bigen.Case[Term]("tapp", bigen.Struct(func(c *bigen.C, a *TypeApp) {
				bigen.At(c, &a.Fun, genUntyped(types, vars, n-1))
				bigen.At(c, &a.Arg, genType(types, 0))
			})),
			bigen.Case[Term]("lam", bigen.Struct(func(c *bigen.C, l *Lam) {
				bigen.At(c, &l.Arg, genType(types, 0))
				bigen.At(c, &l.Body, genUntyped(types, vars+1, n-1))
			})),
			bigen.Case[Term]("app", bigen.Struct(func(c *bigen.C, a *App) {
				bigen.At(c, &a.Fun, genUntyped(types, vars, n-1))
				bigen.At(c, &a.Arg, genUntyped(types, vars, n-1))
			})))
	}
	return bigen.Pick(alts...)
}

// hasType returns the test whether a term has a type.
func (s Scope) hasType(want Type) func(Term) error {
	return func(t Term) error {
		got, err := s.TypeOf(t)
		if err == nil && got != want {
			err = fmt.Errorf("%v is of type %v, not %v", t, got, want)
		}
		return err
	}
}

var (
	a        = TypeVar(0)
	identity = Forall{Func{a, a}}
	numeral  = Forall{Func{Func{a, a}, Func{a, a}}} // Church's
	impure   = Func{identity, Bool{}}
)

func TestGenerators(t *testing.T) {
	t.Parallel()
	runs := bigentest.Runs(long.Count(10, 50))
	for _, want := range []Type{numeral, Bool{}, identity, impure}[:long.Count(1, 4)] {
		g := genTerm(Scope{}, want, 3)
		bigentest.Laws(t, g, runs)
		bigentest.Sound(t, g, Scope{}.hasType(want), runs)
	}
	for _, c := range []struct {
		in   Scope
		want Type
	}{
		{Scope{}, Bool{}},
		{Scope{1, []Type{a}}, a},
		{Scope{1, []Type{Func{a, a}, a}}, a},
		{Scope{1, []Type{Func{Bool{}, a}}}, a}, // which no introduction and variable make
		{Scope{0, []Type{identity}}, Bool{}},
		{Scope{0, []Type{Forall{a}}}, Bool{}},
	} {
		bigentest.Complete(t, genUntyped(c.in.Types, len(c.in.Vars), 3), c.in.hasType(c.want),
			genTerm(c.in, c.want, 3), bigentest.Runs(50))
	}
}

// Terms that come from elsewhere are read, also those that need types which do not end. A term that
// is not well-typed is refused, and its place is known.
func TestCheck(t *testing.T) {
	t.Parallel()
	id := TypeLam{Lam{a, Var(0)}}
	polymorphic := TypeLam{Lam{identity, Lam{a, App{TypeApp{Var(1), a}, Var(0)}}}}
	call := TypeLam{Lam{Func{Bool{}, a}, App{Var(0), Lit(true)}}} // of all (bool -> '0) -> '0
	for _, c := range []struct {
		want Type
		term Term
		err  string
	}{
		{identity, id, ""},
		{Bool{}, App{TypeApp{id, Bool{}}, Lit(true)}, ""},
		{identity, App{TypeApp{id, identity}, id}, ""}, // impredicative
		{numeral, TypeLam{Lam{Func{a, a}, Lam{a, App{Var(1), App{Var(1), Var(0)}}}}}, ""},
		{Bool{}, App{App{TypeApp{polymorphic, Bool{}}, id}, Lit(false)}, ""},
		{Bool{}, App{TypeApp{call, Bool{}}, Lam{Bool{}, Var(0)}}, ""},
		{Bool{}, App{TypeApp{id, identity}, Lit(true)}, "at /app/"},
		{identity, TypeLam{Lam{a, Lit(true)}}, "at /tlam/Body/lam/Body/: "},
		{identity, TypeLam{Lam{TypeVar(1), Var(0)}}, "at /tlam/Body/lam/Arg: "},
	} {
		err := bigen.Check(genTerm(Scope{}, c.want, 9), c.term)
		if c.err == "" {
			require.NoError(t, err, "%v", c.term)
			require.NoError(t, Scope{}.hasType(c.want)(c.term))
			continue
		}
		require.ErrorContains(t, err, c.err, "%v", c.term)
		require.Error(t, Scope{}.hasType(c.want)(c.term))
	}
}

// Random terms use polymorphism, and hardly any run ends without a term.
func TestVaried(t *testing.T) {
	t.Parallel()
	tags, rejected, n := map[string]int{}, 0, long.Count(300, 5000)
	r := rand.New(rand.NewPCG(1, 1))
	for range n {
		_, tree, err := bigen.Run(genTerm(Scope{}, numeral, 5), choices.Random(r))
		if err != nil {
			rejected++
		}
		for i := range tree {
			tags[tree[i].Tag]++
		}
	}
	require.Less(t, rejected, n/200)
	for _, tag := range []string{"app", "tapp", "tlam", "lam", "variable"} {
		require.Greater(t, tags[tag], n/20, tag)
	}
}

// What is put below a binder still means the same.
func TestStep(t *testing.T) {
	t.Parallel()
	unary := Func{a, a}
	for _, c := range []struct{ from, to Term }{
		{App{Lam{a, Lam{a, Var(1)}}, Var(5)}, Lam{a, Var(6)}},
		{App{Lam{a, Lam{a, Var(3)}}, Var(5)}, Lam{a, Var(2)}},
		{App{Lam{unary, TypeLam{Var(0)}}, Lam{a, Var(0)}}, TypeLam{Lam{TypeVar(1), Var(0)}}},
		{App{Lam{unary, Var(0)}, Lam{Forall{Func{a, TypeVar(1)}}, Var(0)}},
			Lam{Forall{Func{a, TypeVar(1)}}, Var(0)}},
		{TypeApp{TypeLam{Lam{Forall{TypeVar(1)}, Lam{TypeVar(2), Var(0)}}}, unary},
			Lam{Forall{Func{TypeVar(1), TypeVar(1)}}, Lam{TypeVar(1), Var(0)}}},
	} {
		got, ok := Step(c.from)
		require.True(t, ok)
		require.Equal(t, c.to, got, "%v", c.from)
	}
	_, ok := Step(TypeLam{Lam{a, App{Var(0), TypeApp{Var(0), a}}}})
	require.False(t, ok)
}

// normal returns the normal form of a term, and checks that each step keeps the type.
func normal(t *fuzzext.T, term Term, want Type) Term {
	for ok := true; ok; term, ok = Step(term) {
		t.Assume(size(term) < 5_000)
		require.NoError(t, Scope{}.hasType(want)(term))
	}
	return term
}

// size returns how many constructs a term has: it may grow before it gets to its end.
func size(t Term) (n int) {
	switch t := t.(type) {
	case Lam:
		n = size(t.Body)
	case TypeLam:
		n = size(t.Body)
	case App:
		n = size(t.Fun) + size(t.Arg)
	case TypeApp:
		n = size(t.Fun)
	}
	return n + 1
}

// All that is of the type of the identity is the identity: a theorem for free.
func isIdentity(t *fuzzext.T, term Term) {
	require.Equal(t, Term(TypeLam{Lam{a, Var(0)}}), normal(t, term, identity))
}

func TestIdentity(t *testing.T) {
	fuzzext.Check(t, genTerm(Scope{}, identity, 5), isIdentity, fuzzext.Checks(long.Count(30, 2000)))
}

func FuzzIdentity(f *testing.F) { fuzzext.Fuzz(f, genTerm(Scope{}, identity, 5), isIdentity) }

// All that is of the type of numerals applies a function some times.
func isNumeral(t *fuzzext.T, term Term) {
	inner := normal(t, term, numeral).(TypeLam).Body.(Lam).Body
	lam, ok := inner.(Lam)
	if !ok { // one, as the function itself
		require.Equal(t, Term(Var(0)), inner)
		return
	}
	body := lam.Body
	for body != Term(Var(0)) {
		app, ok := body.(App)
		require.True(t, ok && app.Fun == Term(Var(1)), "%v", body)
		body = app.Arg
	}
}

func TestNumeral(t *testing.T) {
	fuzzext.Check(t, genTerm(Scope{}, numeral, 5), isNumeral, fuzzext.Checks(long.Count(30, 2000)))
}

func FuzzNumeral(f *testing.F) { fuzzext.Fuzz(f, genTerm(Scope{}, numeral, 5), isNumeral) }
