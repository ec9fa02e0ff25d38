// Package stlc has ETNA's workload of the simply typed lambda calculus with booleans: mutants of
// the substitution.
package stlc

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
	"github.com/espalier-go/espalier/eval/etna"
	"github.com/espalier-go/espalier/examples/stlc"
)

// Bugs are the mutants.
var Bugs = []bug.Bug{
	newBug("shift_var_none", "shift leaves free variables as they are"),
	newBug("shift_var_all", "shift changes bound variables, too"),
	newBug("shift_var_leq", "shift takes the innermost free variable for bound"),
	newBug("shift_abs_no_incr", "shift does not count a lambda"),
	newBug("subst_var_all", "substitution replaces all variables"),
	newBug("subst_var_none", "substitution replaces no variable"),
	newBug("subst_abs_no_shift", "substitution below a lambda does not shift the argument"),
	newBug("subst_abs_no_incr", "substitution does not count a lambda"),
	newBug("substTop_no_shift", "application shifts nothing"),
	newBug("substTop_no_shift_back", "application does not shift back"),
}

// Types are nested up to typeDepth deep, and lambdas up to termSize deep. An application halves the
// size.
const (
	typeDepth = 3
	termSize  = 20
)

// A program is a closed term and its type.
type program struct {
	Type stlc.Type
	Term stlc.Term
}

func newBug(name, title string) bug.Bug {
	return bug.New(bug.Spec[program]{
		Name: "etna-stlc/" + name, Title: title, Source: etna.Source,
		Fails: mutant(name).fails,
		Gen: bigen.Struct(func(c *bigen.C, p *program) {
			bigen.At(c, &p.Type, genType(typeDepth))
			bigen.At(c, &p.Term, genTerm(nil, p.Type, termSize))
		}),
		Rapid: func(t *rapid.T) program {
			want := rapidType(typeDepth).Draw(t, "type")
			return program{want, rapidTerm(nil, want, termSize).Draw(t, "term")}
		},
	})
}

func genType(depth int) bigen.Gen[stlc.Type] {
	boolean := bigen.Tag("bool", bigen.Just[stlc.Type](stlc.Bool{}))
	if depth == 0 {
		return bigen.Pick(boolean)
	}
	sub := genType(depth - 1)
	return bigen.Pick(boolean,
		bigen.Case[stlc.Type]("func", bigen.Struct(func(c *bigen.C, f *stlc.Func) {
			bigen.At(c, &f.From, sub)
			bigen.At(c, &f.To, sub)
		})))
}

func rapidType(depth int) *rapid.Generator[stlc.Type] {
	boolean := rapid.Just[stlc.Type](stlc.Bool{})
	if depth == 0 {
		return boolean
	}
	sub := rapidType(depth - 1)
	return rapid.OneOf(boolean, rapid.Custom(func(t *rapid.T) stlc.Type {
		return stlc.Func{From: sub.Draw(t, "from"), To: sub.Draw(t, "to")}
	}))
}

// genTerm makes the terms of a type, in which the variables have the types env.
func genTerm(env []stlc.Type, want stlc.Type, size int) bigen.Gen[stlc.Term] {
	var alts []bigen.Alt[stlc.Term]
	if f, ok := want.(stlc.Func); ok {
		alts = append(alts, bigen.Case[stlc.Term]("lam", bigen.Struct(func(c *bigen.C, l *stlc.Lam) {
			l.Arg = f.From
			bigen.At(c, &l.Body, genTerm(stlc.Bind(env, f.From), f.To, max(0, size-1)))
		})))
	} else {
		alts = append(alts, bigen.Tag("lit", bigen.OneOf(literals...)))
	}
	if vars := variables(env, want); len(vars) > 0 {
		alts = append(alts, bigen.Tag("var", bigen.OneOf(vars...)))
	}
	if size > 0 {
		alts = append(alts, bigen.Case[stlc.Term]("app", bigen.Struct(func(c *bigen.C, a *stlc.App) {
			arg := bigen.Let(c, a, func(a *stlc.App) (stlc.Type, bool) {
				t, err := stlc.TypeOf(env, a.Arg)
				return t, err == nil
			}, genType(typeDepth))
			bigen.At(c, &a.Fun, genTerm(env, stlc.Func{From: arg, To: want}, size/2))
			bigen.At(c, &a.Arg, genTerm(env, arg, size/2))
		})))
	}
	return bigen.Pick(alts...)
}

func rapidTerm(env []stlc.Type, want stlc.Type, size int) *rapid.Generator[stlc.Term] {
	var alts []*rapid.Generator[stlc.Term]
	if f, ok := want.(stlc.Func); ok {
		alts = append(alts, rapid.Custom(func(t *rapid.T) stlc.Term {
			return stlc.Lam{
				Arg:  f.From,
				Body: rapidTerm(stlc.Bind(env, f.From), f.To, max(0, size-1)).Draw(t, "body"),
			}
		}))
	} else {
		alts = append(alts, rapid.SampledFrom(literals))
	}
	if vars := variables(env, want); len(vars) > 0 {
		alts = append(alts, rapid.SampledFrom(vars))
	}
	if size > 0 {
		alts = append(alts, rapid.Custom(func(t *rapid.T) stlc.Term {
			arg := rapidType(typeDepth).Draw(t, "type")
			fun := rapidTerm(env, stlc.Func{From: arg, To: want}, size/2).Draw(t, "fun")
			return stlc.App{Fun: fun, Arg: rapidTerm(env, arg, size/2).Draw(t, "arg")}
		}))
	}
	return rapid.OneOf(alts...)
}

var literals = []stlc.Term{stlc.Lit(false), stlc.Lit(true)}

// variables returns those that have a type.
func variables(env []stlc.Type, want stlc.Type) (vars []stlc.Term) {
	for v := range env {
		if env[len(env)-1-v] == want {
			vars = append(vars, stlc.Var(v))
		}
	}
	return vars
}

// A mutant is an evaluator with the bug of a name. "" has none.
type mutant string

// fails is the property: each of the first 40 steps preserves the type, and a term without a step
// is a value.
func (m mutant) fails(p program) string {
	t := p.Term
	for range 40 {
		next, ok := m.step(t)
		if _, reducible := t.(stlc.App); !ok && reducible {
			return fmt.Sprintf("%v is stuck", t)
		} else if !ok {
			return ""
		}
		if got, err := stlc.TypeOf(nil, next); err != nil || got != p.Type {
			return fmt.Sprintf("%v, a step from %v, is of type %v: %v", next, t, got, err)
		}
		t = next
	}
	return ""
}

// step reduces all that it can at once. It reports false if it can nothing.
func (m mutant) step(t stlc.Term) (next stlc.Term, ok bool) {
	switch t := t.(type) {
	case stlc.Lam:
		body, ok := m.step(t.Body)
		return stlc.Lam{Arg: t.Arg, Body: body}, ok
	case stlc.App:
		arg, argOK := m.step(t.Arg)
		if f, ok := t.Fun.(stlc.Lam); ok {
			body, _ := m.step(f.Body)
			return m.apply(body, arg), true
		}
		fun, ok := m.step(t.Fun)
		return stlc.App{Fun: fun, Arg: arg}, ok || argOK
	}
	return t, false
}

// apply returns the body of a lambda with the argument in place of its variable.
func (m mutant) apply(body, arg stlc.Term) stlc.Term {
	switch m {
	case "substTop_no_shift":
		return m.substitute(body, 0, arg)
	case "substTop_no_shift_back":
		return m.substitute(body, 0, m.shift(arg, 1, 0))
	}
	return m.shift(m.substitute(body, 0, m.shift(arg, 1, 0)), -1, 0)
}

// substitute returns t with s in place of the variable v.
func (m mutant) substitute(t stlc.Term, v stlc.Var, s stlc.Term) stlc.Term {
	switch t := t.(type) {
	case stlc.Var:
		if m != "subst_var_none" && (t == v || m == "subst_var_all") {
			return s
		}
	case stlc.Lam:
		if m != "subst_abs_no_incr" {
			v++
		}
		if m != "subst_abs_no_shift" {
			s = m.shift(s, 1, 0)
		}
		return stlc.Lam{Arg: t.Arg, Body: m.substitute(t.Body, v, s)}
	case stlc.App:
		return stlc.App{Fun: m.substitute(t.Fun, v, s), Arg: m.substitute(t.Arg, v, s)}
	}
	return t
}

// shift adds n to the free variables of t, below so many lambdas.
func (m mutant) shift(t stlc.Term, n, below stlc.Var) stlc.Term {
	switch t := t.(type) {
	case stlc.Var:
		bound := t < below || t == below && m == "shift_var_leq"
		if m != "shift_var_none" && (!bound || m == "shift_var_all") {
			return t + n
		}
	case stlc.Lam:
		if m != "shift_abs_no_incr" {
			below++
		}
		return stlc.Lam{Arg: t.Arg, Body: m.shift(t.Body, n, below)}
	case stlc.App:
		return stlc.App{Fun: m.shift(t.Fun, n, below), Arg: m.shift(t.Arg, n, below)}
	}
	return t
}
