package main

import (
	"math"
	"reflect"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/guidebugs"
	"github.com/espalier-go/espalier/bigen"
)

// prices returns the subjects.
func prices() []price {
	records := bigen.SliceOf(genRecord, 0, math.MaxInt)
	return []price{
		newPrice("trees", genSet(0, lastKey), priceTree, 999, func(s *set) int { return 1 + s.size() }),
		newPrice("rb", genRB, priceRB, 999, (*rb).size),
		newPrice("terms", genTerm(0), priceTerm, 999, term.size),
		newPrice("terms-anew", genTermAnew(0), priceTerm, 999, term.size),
		newPrice("records", records, priceRecords, 60, func(rs []record) int {
			n := 1
			for _, r := range rs {
				n += 2 + size(r.Name) + size(r.Tags...)
			}
			return n
		}),
		newPrice("derived", bigen.For[config](), priceConfig, 60, func(c config) int {
			n := 6 + size(c.Name) + len(c.Limits)
			for _, h := range c.Hosts {
				n += 4 + size(h.Name) + size(h.Tags...)
			}
			return n
		}),
		newPrice("strings", bigen.String(20), func(t *rapid.T, p int) string {
			lo, hi := lengths(p)
			return rapid.StringN(lo, hi, -1).Draw(t, "text")
		}, 60, func(s string) int { return size(s) }),
		newNaive("naive-trees", genAnySet, (*set).ordered, priceAnySet, func(s *set) int { return 1 + s.size() }),
		newNaive("naive-rb", guidebugs.Gen, func(e guidebugs.Edit) bool { return e.Tree.Valid() }, priceEdit, func(e guidebugs.Edit) int { return 1 + e.Tree.Size() }),
		newNaive("naive-terms", genAnyTerm, func(e term) bool { return closed(e, 0) }, priceAnyTerm, term.size),
	}
}

// size counts texts and their runes.
func size(texts ...string) (n int) {
	for _, s := range texts {
		n += 1 + utf8.RuneCountInString(s)
	}
	return n
}

// lengths returns bounds for collections of rapid, whose mean length grows with p.
func lengths(p int) (lo, hi int) {
	if p <= 10 {
		return 0, p
	}
	return p - 11, -1
}

// more reports whether to go on, the more often the greater p is.
func more(t *rapid.T, p int) bool { return rapid.IntRange(0, 999).Draw(t, "more") < p }

func priceTree(t *rapid.T, p int) *set { return priceTreeIn(t, p, 0, lastKey) }

func priceTreeIn(t *rapid.T, p, lo, hi int) *set {
	if lo > hi || !more(t, p) {
		return nil
	}
	x := rapid.IntRange(lo, hi).Draw(t, "x")
	return &set{L: priceTreeIn(t, p, lo, x-1), X: x, R: priceTreeIn(t, p, x+1, hi)}
}

// Red-black trees.

type rb struct {
	L   *rb
	Key int
	R   *rb
	Red bool
}

func (t *rb) size() int {
	if t == nil {
		return 1
	}
	return 1 + t.L.size() + t.R.size()
}

// maxHeight is how many black nodes a path has at most.
const maxHeight = 4

// room returns the bounds of a key that leave room for the nodes below it, of which each path
// has so many black ones.
func room(red bool, black, lo, hi int) (int, int) {
	levels := 2*black + 1
	if red {
		levels--
	}
	below := 1<<levels - 1
	return lo + below, hi - below
}

type rbRoot struct {
	Height int
	Tree   *rb
}

var genRB = bigen.Iso(bigen.Struct(func(c *bigen.C, r *rbRoot) {
	bigen.At(c, &r.Height, bigen.IntRange(0, maxHeight))
	bigen.At(c, &r.Tree, genRBBelow(r.Height, false, 0, many))
}), func(r rbRoot) *rb { return r.Tree }, func(t *rb) (rbRoot, bool) {
	r := rbRoot{Tree: t}
	for ; t != nil; t = t.L {
		if !t.Red {
			r.Height++
		}
	}
	return r, true
})

func genRBBelow(height int, red bool, lo, hi int) bigen.Gen[*rb] {
	node := func(color bool, height int) bigen.Gen[*rb] {
		return bigen.New(func(c *bigen.C, t *rb) {
			t.Red = color
			bigen.At(c, &t.Key, bigen.IntRange(room(color, height, lo, hi)))
			bigen.At(c, &t.L, genRBBelow(height, color, lo, t.Key-1))
			bigen.At(c, &t.R, genRBBelow(height, color, t.Key+1, hi))
		})
	}
	plain := bigen.Tag("leaf", bigen.Nil[rb]())
	if height > 0 {
		plain = bigen.Tag("black", node(false, height-1))
	}
	if red {
		return bigen.Pick(plain)
	}
	return bigen.Pick(plain, bigen.Tag("red", node(true, height)))
}

func priceRB(t *rapid.T, p int) *rb {
	height := 0
	for height < maxHeight && more(t, p) {
		height++
	}
	return priceRBBelow(t, height, false, 0, many)
}

func priceRBBelow(t *rapid.T, height int, red bool, lo, hi int) *rb {
	switch {
	case !red && rapid.Bool().Draw(t, "red"):
		red = true
	case height == 0:
		return nil
	default:
		red = false
		height--
	}
	x := rapid.IntRange(room(red, height, lo, hi)).Draw(t, "key")
	return &rb{priceRBBelow(t, height, red, lo, x-1), x, priceRBBelow(t, height, red, x+1, hi), red}
}

// Lambda terms, whose variables are all bound.

type term interface{ size() int }

type (
	boolean     bool
	variable    int // how many lambdas are between, from 1
	lambda      struct{ Body term }
	application struct{ F, X term }
)

func (boolean) size() int       { return 1 }
func (variable) size() int      { return 1 }
func (e lambda) size() int      { return 1 + e.Body.size() }
func (e application) size() int { return 1 + e.F.size() + e.X.size() }

var terms bigen.Memo[int, term]

func genTerm(bound int) bigen.Gen[term] {
	return terms.Gen(bound, func() bigen.Gen[term] { return genTermOf(bound, genTerm) })
}

// genTermAnew makes a generator for each part of each term.
func genTermAnew(bound int) bigen.Gen[term] { return genTermOf(bound, genTermAnew) }

// genTermOf makes terms of parts, with so many variables in scope.
func genTermOf(bound int, part func(bound int) bigen.Gen[term]) bigen.Gen[term] {
	alts := []bigen.Alt[term]{bigen.Case[term]("literal", bigen.Iso(bigen.Bool(), func(b bool) boolean { return boolean(b) }, func(l boolean) (bool, bool) { return bool(l), true })).Weight(2)}
	if bound > 0 {
		alts = append(alts, bigen.Case[term]("variable", bigen.IntRange(1, variable(bound))).Weight(2))
	}
	return bigen.Pick(append(alts,
		bigen.Case[term]("lambda", bigen.Struct(func(c *bigen.C, e *lambda) {
			bigen.At(c, &e.Body, part(bound+1))
		})),
		bigen.Case[term]("application", bigen.Struct(func(c *bigen.C, e *application) {
			bigen.At(c, &e.F, part(bound))
			bigen.At(c, &e.X, part(bound))
		})),
	)...)
}

func priceTerm(t *rapid.T, p int) term {
	left := 1000 // since most values of p would never let a term end
	return priceTermIn(t, p, 0, &left)
}

func priceTermIn(t *rapid.T, p, bound int, left *int) term {
	*left--
	switch {
	case more(t, p) && *left > 0:
		if rapid.Bool().Draw(t, "lambda") {
			return lambda{priceTermIn(t, p, bound+1, left)}
		}
		return application{priceTermIn(t, p, bound, left), priceTermIn(t, p, bound, left)}
	case bound > 0 && rapid.Bool().Draw(t, "variable"):
		return variable(rapid.IntRange(1, bound).Draw(t, "variable"))
	}
	return boolean(rapid.Bool().Draw(t, "literal"))
}

// Records, and a configuration whose generator is derived from its type.

func priceRecords(t *rapid.T, p int) []record {
	lo, hi := lengths(p)
	return rapid.SliceOfN(rapid.Custom(rapidRecord), lo, hi).Draw(t, "records")
}

type config struct {
	Name    string
	Port    uint16
	Debug   bool
	Timeout time.Duration
	Hosts   []host
	Limits  map[string]int
}

type host struct {
	Name   string
	Weight float64
	Tags   []string
	Backup *int
}

func priceConfig(t *rapid.T, p int) config {
	lo, hi := lengths(p)
	return rapid.MakeCustom[config](rapid.MakeConfig{Fields: map[reflect.Type]map[string]*rapid.Generator[any]{
		reflect.TypeFor[config](): {"Hosts": rapid.SliceOfN(rapid.Make[host](), lo, hi).AsAny()},
	}}).Draw(t, "config")
}
