package main

import (
	"math"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/guidebugs"
	"github.com/espalier-go/espalier/bigen"
)

// Trees whose integers are in any order.

var genAnySet = func() (g bigen.Gen[*set]) {
	self := bigen.Lazy(func() bigen.Gen[*set] { return g })
	g = bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[set]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, s *set) {
			bigen.At(c, &s.L, self)
			bigen.At(c, &s.X, bigen.IntRange(0, lastKey))
			bigen.At(c, &s.R, self)
		})),
	)
	return g
}()

func (s *set) ordered() bool { return s.between(math.MinInt, math.MaxInt) }

func (s *set) between(lo, hi int) bool {
	return s == nil || lo < s.X && s.X < hi && s.L.between(lo, s.X) && s.R.between(s.X, hi)
}

func priceAnySet(t *rapid.T, p int) *set {
	left := 1000 // since most values of p would never let a tree end
	return priceAnySetIn(t, p, &left)
}

func priceAnySetIn(t *rapid.T, p int, left *int) *set {
	if *left--; *left < 0 || !more(t, p) {
		return nil
	}
	l := priceAnySetIn(t, p, left)
	x := rapid.IntRange(0, lastKey).Draw(t, "x")
	return &set{L: l, X: x, R: priceAnySetIn(t, p, left)}
}

// Red-black trees whose keys, colors and heights are arbitrary, with what to insert.

func priceEdit(t *rapid.T, p int) guidebugs.Edit {
	left := 1000
	tree := priceEditTree(t, p, &left)
	return guidebugs.Edit{Tree: tree, Key: rapid.IntRange(-25, 25).Draw(t, "key"), Value: rapid.Int().Draw(t, "value")}
}

func priceEditTree(t *rapid.T, p int, left *int) *guidebugs.RedBlack {
	if *left--; *left < 0 || !more(t, p) {
		return nil
	}
	return &guidebugs.RedBlack{
		Red:   rapid.Bool().Draw(t, "red"),
		Left:  priceEditTree(t, p, left),
		Key:   rapid.IntRange(-25, 25).Draw(t, "key"),
		Value: rapid.Int().Draw(t, "value"),
		Right: priceEditTree(t, p, left),
	}
}

// Lambda terms, whose variables may be free.

const mostBound = 4

var genAnyTerm = func() (g bigen.Gen[term]) {
	self := bigen.Lazy(func() bigen.Gen[term] { return g })
	literal := bigen.Iso(bigen.Bool(), func(b bool) boolean { return boolean(b) }, func(l boolean) (bool, bool) { return bool(l), true })
	g = bigen.Pick(
		bigen.Case[term]("literal", literal).Weight(2),
		bigen.Case[term]("variable", bigen.IntRange(1, variable(mostBound))).Weight(2),
		bigen.Case[term]("lambda", bigen.Struct(func(c *bigen.C, e *lambda) { bigen.At(c, &e.Body, self) })),
		bigen.Case[term]("application", bigen.Struct(func(c *bigen.C, e *application) {
			bigen.At(c, &e.F, self)
			bigen.At(c, &e.X, self)
		})),
	)
	return g
}()

// closed reports whether all variables of a term below so many lambdas are bound.
func closed(e term, bound int) bool {
	switch e := e.(type) {
	case variable:
		return int(e) <= bound
	case lambda:
		return closed(e.Body, bound+1)
	case application:
		return closed(e.F, bound) && closed(e.X, bound)
	}
	return true
}

func priceAnyTerm(t *rapid.T, p int) term {
	left := 1000
	return priceAnyTermIn(t, p, &left)
}

func priceAnyTermIn(t *rapid.T, p int, left *int) term {
	*left--
	switch {
	case more(t, p) && *left > 0:
		if rapid.Bool().Draw(t, "lambda") {
			return lambda{priceAnyTermIn(t, p, left)}
		}
		return application{priceAnyTermIn(t, p, left), priceAnyTermIn(t, p, left)}
	case rapid.Bool().Draw(t, "variable"):
		return variable(rapid.IntRange(1, mostBound).Draw(t, "variable"))
	}
	return boolean(rapid.Bool().Draw(t, "literal"))
}
