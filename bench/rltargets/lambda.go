package rltargets

import "github.com/espalier-go/espalier/bigen"

// lambda is a target of closed, well-typed terms of the simply typed lambda calculus with numbers
// and booleans, of depth 5.
func lambda() Target {
	example := &term{Op: "app",
		A: &term{
			Op:   "lam",
			Type: number,
			A:    &term{Op: "add", A: &term{Op: "var"}, B: &term{Op: "number", N: 3}},
		},
		B: &term{Op: "if", A: &term{Op: "true"}, B: &term{Op: "number", N: 1}, C: &term{Op: "number"}},
	}
	return spec[*term]{"lambda", genTerm(5), example, (*term).valid, (*term).hash, (*term).size,
		termBugs, (*term).shows}.target()
}

type typ struct {
	Op       string // number, bool or fun
	From, To *typ
}

type term struct {
	Op      string // var, number, true, lam, app, add or if
	N       int    // a number, or the binder of a variable: 0 for the innermost
	Type    *typ   // of the variable that a lam binds
	A, B, C *term
}

func genType(depth int) bigen.Gen[*typ] {
	op := func(name string) bigen.Alt[*typ] {
		return bigen.Tag(name, bigen.New(func(c *bigen.C, t *typ) { t.Op = name }))
	}
	alts := []bigen.Alt[*typ]{op("number"), op("bool")}
	if depth > 0 {
		sub := genType(depth - 1)
		alts = append(alts, bigen.Tag("fun", bigen.New(func(c *bigen.C, t *typ) {
			t.Op = "fun"
			bigen.At(c, &t.From, sub)
			bigen.At(c, &t.To, sub)
		})))
	}
	return bigen.Pick(alts...)
}

func genTerm(depth int) bigen.Gen[*term] {
	op := func(name string, f func(c *bigen.C, t *term)) bigen.Alt[*term] {
		return bigen.Tag(name, bigen.New(func(c *bigen.C, t *term) {
			t.Op = name
			f(c, t)
		}))
	}
	alts := []bigen.Alt[*term]{
		op("true", func(c *bigen.C, t *term) {}),
		op("number", func(c *bigen.C, t *term) { bigen.At(c, &t.N, bigen.IntRange(0, 9)) }),
		op("var", func(c *bigen.C, t *term) { bigen.At(c, &t.N, bigen.IntRange(0, 4)) }),
	}
	if depth > 0 {
		sub, bound := genTerm(depth-1), genType(2)
		of := func(name string, parts int) bigen.Alt[*term] {
			return op(name, func(c *bigen.C, t *term) {
				if name == "lam" {
					bigen.At(c, &t.Type, bound)
				}
				for _, part := range []**term{&t.A, &t.B, &t.C}[:parts] {
					bigen.At(c, part, sub)
				}
			})
		}
		alts = append(alts, of("lam", 1), of("app", 2), of("add", 2), of("if", 3))
	}
	return bigen.Pick(alts...)
}

var number, boolean = &typ{Op: "number"}, &typ{Op: "bool"}

func (t *term) valid() bool { return t.check(nil) != nil }

// check returns the type of t, or nil if it has none. The variables have the types in bound,
// the innermost last.
func (t *term) check(bound []*typ) *typ {
	switch t.Op {
	case "true":
		return boolean
	case "number":
		return number
	case "var":
		if t.N < len(bound) {
			return bound[len(bound)-1-t.N]
		}
	case "lam":
		if body := t.A.check(append(bound, t.Type)); body != nil {
			return &typ{"fun", t.Type, body}
		}
	case "app":
		if f, x := t.A.check(bound), t.B.check(bound); f != nil && f.Op == "fun" && f.From.equal(x) {
			return f.To
		}
	case "add":
		if number.equal(t.A.check(bound)) && number.equal(t.B.check(bound)) {
			return number
		}
	case "if":
		if x := t.B.check(bound); boolean.equal(t.A.check(bound)) && x.equal(t.C.check(bound)) {
			return x
		}
	}
	return nil
}

// equal reports whether t and u are the same type. A nil type equals none.
func (t *typ) equal(u *typ) bool {
	if t == nil || u == nil || t.Op != u.Op {
		return false
	}
	return t.Op != "fun" || t.From.equal(u.From) && t.To.equal(u.To)
}

func (t *typ) hash() hash {
	if t == nil {
		return 1
	}
	return hash(2).addText(t.Op).add(uint64(t.From.hash())).add(uint64(t.To.hash()))
}

func (t *term) hash() hash {
	if t == nil {
		return 1
	}
	return hash(3).addText(t.Op).add(uint64(t.N)).add(uint64(t.Type.hash())).
		add(uint64(t.A.hash())).add(uint64(t.B.hash())).add(uint64(t.C.hash()))
}

func (t *term) size() int {
	if t == nil {
		return 0
	}
	return 1 + t.A.size() + t.B.size() + t.C.size()
}
