// Package systemf is System F, the lambda calculus in which terms are applied to types, too: a type
// checker and a reducer. Hardly any random program type checks. systemf_test.go has a generator
// that makes well-typed programs only, and all of them.
package systemf

import "fmt"

// A Type is a [Bool], [TypeVar], [Func] or [Forall]. Types are compared by ==.
type Type interface{ String() string }

type (
	Bool    struct{}
	TypeVar int // by de Bruijn's count: 0 is the variable of the innermost Forall or TypeLam
	Func    struct{ From, To Type }
	Forall  struct{ Body Type }
)

func (Bool) String() string      { return "bool" }
func (v TypeVar) String() string { return fmt.Sprint("'", int(v)) }
func (t Func) String() string    { return fmt.Sprintf("(%v -> %v)", t.From, t.To) }
func (t Forall) String() string  { return fmt.Sprintf("(all %v)", t.Body) }

// A Term is a [Lit], [Var], [Lam], [App], [TypeLam] or [TypeApp].
type Term interface{ String() string }

type (
	Lit bool // a constant
	Var int  // by de Bruijn's count: 0 is the variable of the innermost Lam
	Lam struct {
		Arg  Type
		Body Term
	}
	App     struct{ Fun, Arg Term }
	TypeLam struct{ Body Term }
	TypeApp struct {
		Fun Term
		Arg Type
	}
)

func (b Lit) String() string     { return fmt.Sprint(bool(b)) }
func (v Var) String() string     { return fmt.Sprint("#", int(v)) }
func (l Lam) String() string     { return fmt.Sprintf("(\\%v. %v)", l.Arg, l.Body) }
func (a App) String() string     { return fmt.Sprintf("(%v %v)", a.Fun, a.Arg) }
func (l TypeLam) String() string { return fmt.Sprintf("(/\\ %v)", l.Body) }
func (a TypeApp) String() string { return fmt.Sprintf("(%v [%v])", a.Fun, a.Arg) }

// A Scope has what a term may mention: type variables, by their number, and variables, by their
// types, the innermost last.
type Scope struct {
	Types int
	Vars  []Type
}

// Bind returns the scope with one more variable, the innermost.
func (s Scope) Bind(t Type) Scope {
	return Scope{s.Types, append(s.Vars[:len(s.Vars):len(s.Vars)], t)}
}

// BindType returns the scope with one more type variable, the innermost.
func (s Scope) BindType() Scope {
	inner := Scope{Types: s.Types + 1}
	for _, t := range s.Vars {
		inner.Vars = append(inner.Vars, Shift(t, 1))
	}
	return inner
}

// has reports whether all free variables of a type are in scope.
func (s Scope) has(t Type) bool {
	ok := true
	walkType(t, 0, func(x, d TypeVar) Type {
		ok = ok && 0 <= x && int(x-d) < s.Types
		return x
	})
	return ok
}

// TypeOf returns the type of a term.
func (s Scope) TypeOf(t Term) (Type, error) {
	switch t := t.(type) {
	case Lit:
		return Bool{}, nil
	case Var:
		if t < 0 || int(t) >= len(s.Vars) {
			return nil, fmt.Errorf("%v is not bound", t)
		}
		return s.Vars[len(s.Vars)-1-int(t)], nil
	case Lam:
		if !s.has(t.Arg) {
			return nil, fmt.Errorf("a type variable of %v is not bound", t.Arg)
		}
		body, err := s.Bind(t.Arg).TypeOf(t.Body)
		if err != nil {
			return nil, err
		}
		return Func{t.Arg, body}, nil
	case App:
		fun, err := s.TypeOf(t.Fun)
		if err != nil {
			return nil, err
		}
		arg, err := s.TypeOf(t.Arg)
		if err != nil {
			return nil, err
		}
		if f, ok := fun.(Func); ok && f.From == arg {
			return f.To, nil
		}
		return nil, fmt.Errorf("%v of type %v is applied to %v of type %v", t.Fun, fun, t.Arg, arg)
	case TypeLam:
		body, err := s.BindType().TypeOf(t.Body)
		if err != nil {
			return nil, err
		}
		return Forall{body}, nil
	case TypeApp:
		fun, err := s.TypeOf(t.Fun)
		if err != nil {
			return nil, err
		}
		if f, ok := fun.(Forall); ok && s.has(t.Arg) {
			return Instantiate(f.Body, t.Arg), nil
		}
		return nil, fmt.Errorf("%v of type %v is applied to the type %v", t.Fun, fun, t.Arg)
	}
	return nil, fmt.Errorf("%v is not a term", t)
}

// Shift makes room in a type for n more type variables, bound around it.
func Shift(t Type, n TypeVar) Type {
	return walkType(t, 0, func(x, d TypeVar) Type {
		if x < d {
			return x
		}
		return x + n
	})
}

// Instantiate returns the body of a Forall for a type.
func Instantiate(body, arg Type) Type { return replaceType(body, 0, arg) }

// replaceType replaces type variable d of a type, which is no longer bound, by another type.
func replaceType(t Type, d TypeVar, by Type) Type {
	return walkType(t, d, func(x, d TypeVar) Type {
		switch {
		case x == d:
			return Shift(by, d)
		case x > d:
			return x - 1
		}
		return x
	})
}

// walkType replaces each variable of a type by the result of f, whose second argument is d, and one
// more below each Forall.
func walkType(t Type, d TypeVar, f func(x, d TypeVar) Type) Type {
	switch t := t.(type) {
	case TypeVar:
		return f(t, d)
	case Func:
		return Func{walkType(t.From, d, f), walkType(t.To, d, f)}
	case Forall:
		return Forall{walkType(t.Body, d+1, f)}
	}
	return t
}
