package systemf

// Step reduces a term by one step, the outermost possible, below a Lam and a TypeLam, too. It
// reports false if no step is possible.
func Step(t Term) (Term, bool) {
	switch t := t.(type) {
	case Lam:
		body, ok := Step(t.Body)
		return Lam{t.Arg, body}, ok
	case TypeLam:
		body, ok := Step(t.Body)
		return TypeLam{body}, ok
	case App:
		if lam, ok := t.Fun.(Lam); ok {
			return substitute(lam.Body, t.Arg), true
		}
		if fun, ok := Step(t.Fun); ok {
			return App{fun, t.Arg}, true
		}
		arg, ok := Step(t.Arg)
		return App{t.Fun, arg}, ok
	case TypeApp:
		if lam, ok := t.Fun.(TypeLam); ok {
			return substituteType(lam.Body, t.Arg), true
		}
		fun, ok := Step(t.Fun)
		return TypeApp{fun, t.Arg}, ok
	}
	return t, false
}

// substitute replaces the innermost variable of a term, which is no longer bound, by another term.
func substitute(t, by Term) Term {
	return visitor{
		variable: func(x, v Var, d TypeVar) Term {
			switch {
			case x == v:
				return shiftTerm(by, v, d)
			case x > v:
				return x - 1
			}
			return x
		},
		typ: func(t Type, _ TypeVar) Type { return t },
	}.walk(t, 0, 0)
}

// substituteType replaces the innermost type variable of a term, which is no longer bound, by a
// type.
func substituteType(t Term, by Type) Term {
	return visitor{
		variable: func(x, _ Var, _ TypeVar) Term { return x },
		typ:      func(t Type, d TypeVar) Type { return replaceType(t, d, by) },
	}.walk(t, 0, 0)
}

// shiftTerm makes room in a term for n more variables and m more type variables, bound around it.
func shiftTerm(t Term, n Var, m TypeVar) Term {
	return visitor{
		variable: func(x, v Var, _ TypeVar) Term {
			if x < v {
				return x
			}
			return x + n
		},
		typ: func(t Type, d TypeVar) Type {
			return walkType(t, d, func(x, d TypeVar) Type {
				if x < d {
					return x
				}
				return x + m
			})
		},
	}.walk(t, 0, 0)
}

// A visitor replaces the variables and the types of a term. It is told how many variables and type
// variables the term binds around them.
type visitor struct {
	variable func(x, v Var, d TypeVar) Term
	typ      func(t Type, d TypeVar) Type
}

func (f visitor) walk(t Term, v Var, d TypeVar) Term {
	switch t := t.(type) {
	case Var:
		return f.variable(t, v, d)
	case Lam:
		return Lam{f.typ(t.Arg, d), f.walk(t.Body, v+1, d)}
	case App:
		return App{f.walk(t.Fun, v, d), f.walk(t.Arg, v, d)}
	case TypeLam:
		return TypeLam{f.walk(t.Body, v, d+1)}
	case TypeApp:
		return TypeApp{f.walk(t.Fun, v, d), f.typ(t.Arg, d)}
	}
	return t
}
