// Package stlc is the simply typed lambda calculus with booleans: a type checker
// and an evaluator. Tests of an evaluator need programs that type check, and hardly
// any random program does. stlc_test.go has a generator that makes well-typed
// programs only, and all of them.
package stlc

import "fmt"

// A Type is [Bool] or a [Func]. Types are compared by ==.
type Type interface{ String() string }

type (
	Bool struct{}
	Func struct{ From, To Type }
)

func (Bool) String() string   { return "bool" }
func (t Func) String() string { return "(" + t.From.String() + " -> " + t.To.String() + ")" }

// A Term is a [Lit], [Var], [Lam], [App] or [If].
type Term interface{ String() string }

type (
	Lit bool // a constant
	Var int  // by de Bruijn's count: 0 is the variable of the innermost Lam around it
	Lam struct {
		Arg  Type
		Body Term
	}
	App struct{ Fun, Arg Term }
	If  struct{ Cond, Then, Else Term }
)

func (b Lit) String() string { return fmt.Sprint(bool(b)) }
func (v Var) String() string { return fmt.Sprint("#", int(v)) }
func (l Lam) String() string { return fmt.Sprintf("(\\%v. %v)", l.Arg, l.Body) }
func (a App) String() string { return fmt.Sprintf("(%v %v)", a.Fun, a.Arg) }
func (f If) String() string {
	return fmt.Sprintf("(if %v then %v else %v)", f.Cond, f.Then, f.Else)
}

// TypeOf returns the type of t, whose free variables have the types env, the
// innermost last.
func TypeOf(env []Type, t Term) (Type, error) {
	switch t := t.(type) {
	case Lit:
		return Bool{}, nil
	case Var:
		if t < 0 || int(t) >= len(env) {
			return nil, fmt.Errorf("%v is not bound", t)
		}
		return env[len(env)-1-int(t)], nil
	case Lam:
		body, err := TypeOf(Bind(env, t.Arg), t.Body)
		if err != nil {
			return nil, err
		}
		return Func{t.Arg, body}, nil
	case App:
		fun, err := TypeOf(env, t.Fun)
		if err != nil {
			return nil, err
		}
		arg, err := TypeOf(env, t.Arg)
		if err != nil {
			return nil, err
		}
		if f, ok := fun.(Func); ok && f.From == arg {
			return f.To, nil
		}
		return nil, fmt.Errorf("%v of type %v is applied to %v of type %v", t.Fun, fun, t.Arg, arg)
	case If:
		types := [3]Type{}
		for i, part := range []Term{t.Cond, t.Then, t.Else} {
			var err error
			if types[i], err = TypeOf(env, part); err != nil {
				return nil, err
			}
		}
		if types[0] != (Bool{}) || types[1] != types[2] {
			return nil, fmt.Errorf("if %v then %v else %v", types[0], types[1], types[2])
		}
		return types[1], nil
	}
	return nil, fmt.Errorf("%v is not a term", t)
}

// Bind returns env with one more variable, the innermost.
func Bind(env []Type, t Type) []Type { return append(env[:len(env):len(env)], t) }

// Step reduces t by one step, the outermost possible, below a Lam and in the branches
// of an If, too. It reports false if no step is possible.
func Step(t Term) (Term, bool) {
	switch t := t.(type) {
	case Lam:
		body, ok := Step(t.Body)
		return Lam{t.Arg, body}, ok
	case App:
		if lam, ok := t.Fun.(Lam); ok {
			return substitute(lam.Body, 0, t.Arg), true
		}
		if fun, ok := Step(t.Fun); ok {
			return App{fun, t.Arg}, true
		}
		arg, ok := Step(t.Arg)
		return App{t.Fun, arg}, ok
	case If:
		if cond, ok := t.Cond.(Lit); ok {
			if cond {
				return t.Then, true
			}
			return t.Else, true
		}
		for _, part := range []*Term{&t.Cond, &t.Then, &t.Else} {
			if next, ok := Step(*part); ok {
				*part = next
				return t, true
			}
		}
	}
	return t, false
}

// substitute replaces variable v of t, which is no longer bound, by s.
func substitute(t Term, v Var, s Term) Term {
	return walk(t, v, func(x, v Var) Term {
		switch {
		case x == v:
			return shift(s, v)
		case x > v:
			return x - 1
		}
		return x
	})
}

// shift makes room for n more variables, bound around t.
func shift(t Term, n Var) Term {
	return walk(t, 0, func(x, v Var) Term {
		if x < v {
			return x
		}
		return x + n
	})
}

// walk replaces each variable of t by the result of f. The second argument of f is v
// at the top, and one more below each Lam.
func walk(t Term, v Var, f func(x, v Var) Term) Term {
	switch t := t.(type) {
	case Var:
		return f(t, v)
	case Lam:
		return Lam{t.Arg, walk(t.Body, v+1, f)}
	case App:
		return App{walk(t.Fun, v, f), walk(t.Arg, v, f)}
	case If:
		return If{walk(t.Cond, v, f), walk(t.Then, v, f), walk(t.Else, v, f)}
	}
	return t
}
