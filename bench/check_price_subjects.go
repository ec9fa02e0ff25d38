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
	setSize := func(s *set) int { return 1 + s.size() }
	drawSet := func(d *draw) *set { return d.set(0, lastKey) }
	drawTerm := func(d *draw) term { return d.term(0, 1) }
	return []price{
		newPrice("trees", searchTrees.Gen(keys{0, lastKey}), nil, drawSet, 999, setSize),
		newPrice("trees-anew", genSet(0, lastKey), nil, drawSet, 999, setSize),
		newPrice("rb", genRB(func(height int) bigen.Gen[*redBlack] {
			return rbs.Gen(rbBelow{height, true, 0, many})
		}), nil, (*draw).redBlack, 999, (*redBlack).Size),
		newPrice("rb-anew", genRB(func(height int) bigen.Gen[*redBlack] {
			return genRBBelow(height, false, 0, many)
		}), nil, (*draw).redBlack, 999, (*redBlack).Size),
		newPrice("terms", terms.Gen(0), nil, drawTerm, 999, term.size),
		newPrice("terms-anew", genTermAnew(0), nil, drawTerm, 999, term.size),
		newPrice("records", records, nil, (*draw).records, 60, func(rs []record) int {
			n := 1
			for _, r := range rs {
				n += 2 + size(r.Name) + size(r.Tags...)
			}
			return n
		}),
		newPrice("derived", bigen.For[config](), nil, (*draw).config, 60, func(c config) int {
			n := 6 + size(c.Name) + len(c.Limits)
			for _, h := range c.Hosts {
				n += 4 + size(h.Name) + size(h.Tags...)
			}
			return n
		}),
		newPrice("strings", bigen.String(20), nil, func(d *draw) string {
			lo, hi := d.lengths()
			return rapid.StringN(lo, hi, -1).Draw(d.T, "text")
		}, 60, func(s string) int { return size(s) }),
		newPrice("naive-trees", genAnySet, (*set).ordered, (*draw).anySet, 999, setSize),
		newPrice("naive-rb", guidebugs.Gen, func(e guidebugs.Edit) bool { return e.Tree.Valid() },
			(*draw).edit, 999, func(e guidebugs.Edit) int { return 1 + e.Tree.Size() }),
		newPrice("naive-terms", genAnyTerm, func(e term) bool { return closed(e, 0) },
			func(d *draw) term { return d.term(mostBound, 0) }, 999, term.size),
	}
}

// size counts texts and their runes.
func size(texts ...string) (n int) {
	for _, s := range texts {
		n += 1 + utf8.RuneCountInString(s)
	}
	return n
}

// Search trees, by a family, and trees whose integers may be in any order. What is called anew is
// the same by a function, which makes its alternatives anew for each part.

type keys struct{ lo, hi int }

var searchTrees = bigen.NewFamily(func(searchTrees *bigen.Family[keys, *set]) bigen.Gen[*set] {
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[set]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, s *set) {
			k := searchTrees.Param(c)
			bigen.At(c, &s.X, bigen.IntRange(k.lo, k.hi))
			bigen.At(c, &s.L, searchTrees.Gen(keys{k.lo, s.X - 1}))
			bigen.At(c, &s.R, searchTrees.Gen(keys{s.X + 1, k.hi}))
		})).Weight(5).If(searchTrees.Is(func(k keys) bool { return k.lo <= k.hi })),
	)
})

func (d *draw) set(lo, hi int) *set {
	if lo > hi || !d.more() {
		return nil
	}
	x := d.int("x", lo, hi)
	return &set{L: d.set(lo, x-1), X: x, R: d.set(x+1, hi)}
}

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

func (d *draw) anySet() *set {
	if !d.more() {
		return nil
	}
	return &set{L: d.anySet(), X: d.int("x", 0, lastKey), R: d.anySet()}
}

// Red-black trees, and those whose keys, colors and heights are arbitrary, with what to insert.

type redBlack = guidebugs.RedBlack

// maxHeight is how many black nodes a path has at most.
const maxHeight = 4

// room returns the bounds of a key that leave room for the nodes below it, where each path
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
	Tree   *redBlack
}

func genRB(below func(height int) bigen.Gen[*redBlack]) bigen.Gen[*redBlack] {
	return bigen.Iso(bigen.Struct(func(c *bigen.C, r *rbRoot) {
		bigen.At(c, &r.Height, bigen.IntRange(0, maxHeight))
		bigen.At(c, &r.Tree, below(r.Height))
	}), func(r rbRoot) *redBlack { return r.Tree }, func(t *redBlack) (rbRoot, bool) {
		r := rbRoot{Tree: t}
		for ; t != nil; t = t.Left {
			if !t.Red {
				r.Height++
			}
		}
		return r, true
	})
}

// rbBelow is what is below a node: trees of a black height with keys of a range, whose roots may be
// red.
type rbBelow struct {
	height int
	mayRed bool
	lo, hi int
}

var rbs = bigen.NewFamily(func(rbs *bigen.Family[rbBelow, *redBlack]) bigen.Gen[*redBlack] {
	node := func(tag string, red bool) bigen.Alt[*redBlack] {
		return bigen.Tag(tag, bigen.New(func(c *bigen.C, t *redBlack) {
			p := rbs.Param(c)
			if t.Red = red; !red {
				p.height--
			}
			bigen.At(c, &t.Key, bigen.IntRange(room(red, p.height, p.lo, p.hi)))
			bigen.At(c, &t.Left, rbs.Gen(rbBelow{p.height, !red, p.lo, t.Key - 1}))
			bigen.At(c, &t.Right, rbs.Gen(rbBelow{p.height, !red, t.Key + 1, p.hi}))
		}))
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[redBlack]()).
			If(rbs.Is(func(p rbBelow) bool { return p.height == 0 })),
		node("black", false).If(rbs.Is(func(p rbBelow) bool { return p.height > 0 })),
		node("red", true).If(rbs.Is(func(p rbBelow) bool { return p.mayRed })),
	)
})

func genRBBelow(height int, red bool, lo, hi int) bigen.Gen[*redBlack] {
	node := func(color bool, height int) bigen.Gen[*redBlack] {
		return bigen.New(func(c *bigen.C, t *redBlack) {
			t.Red = color
			bigen.At(c, &t.Key, bigen.IntRange(room(color, height, lo, hi)))
			bigen.At(c, &t.Left, genRBBelow(height, color, lo, t.Key-1))
			bigen.At(c, &t.Right, genRBBelow(height, color, t.Key+1, hi))
		})
	}
	plain := bigen.Tag("leaf", bigen.Nil[redBlack]())
	if height > 0 {
		plain = bigen.Tag("black", node(false, height-1))
	}
	if red {
		return bigen.Pick(plain)
	}
	return bigen.Pick(plain, bigen.Tag("red", node(true, height)))
}

func (d *draw) redBlack() *redBlack {
	height := 0
	for height < maxHeight && d.more() {
		height++
	}
	return d.redBlackBelow(height, false, 0, many)
}

func (d *draw) redBlackBelow(height int, red bool, lo, hi int) *redBlack {
	switch {
	case !red && d.bool("red"):
		red = true
	case height == 0:
		return nil
	default:
		red = false
		height--
	}
	lo1, hi1 := room(red, height, lo, hi)
	x := d.int("key", lo1, hi1)
	return &redBlack{
		Red:   red,
		Left:  d.redBlackBelow(height, red, lo, x-1),
		Key:   x,
		Right: d.redBlackBelow(height, red, x+1, hi),
	}
}

func (d *draw) edit() guidebugs.Edit {
	return guidebugs.Edit{
		Tree:  d.anyRedBlack(),
		Key:   d.int("key", -25, 25),
		Value: rapid.Int().Draw(d.T, "value"),
	}
}

func (d *draw) anyRedBlack() *redBlack {
	if !d.more() {
		return nil
	}
	return &redBlack{
		Red:   d.bool("red"),
		Left:  d.anyRedBlack(),
		Key:   d.int("key", -25, 25),
		Value: rapid.Int().Draw(d.T, "value"),
		Right: d.anyRedBlack(),
	}
}

// Lambda terms, whose variables are bound, or may be free.

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

// terms makes terms with so many variables in scope.
var terms = bigen.NewFamily(func(terms *bigen.Family[int, term]) bigen.Gen[term] {
	return bigen.Pick(
		genLiteral(),
		bigen.Case[term]("variable", bigen.Given(func(c *bigen.C) bigen.Gen[variable] {
			return bigen.IntRange(1, variable(terms.Param(c)))
		})).Weight(2).If(terms.Is(func(bound int) bool { return bound > 0 })),
		bigen.Case[term]("lambda", bigen.Struct(func(c *bigen.C, e *lambda) {
			bigen.At(c, &e.Body, terms.Gen(terms.Param(c)+1))
		})),
		bigen.Case[term]("application", bigen.Struct(func(c *bigen.C, e *application) {
			bound := terms.Param(c)
			bigen.At(c, &e.F, terms.Gen(bound))
			bigen.At(c, &e.X, terms.Gen(bound))
		})),
	)
})

func genLiteral() bigen.Alt[term] {
	literal := bigen.Iso(bigen.Bool(), func(b bool) boolean { return boolean(b) },
		func(l boolean) (bool, bool) { return bool(l), true })
	return bigen.Case[term]("literal", literal).Weight(2)
}

// genTermAnew makes a generator for each part of each term.
func genTermAnew(bound int) bigen.Gen[term] { return genTermOf(bound, genTermAnew) }

// mostBound is the greatest variable of naive terms.
const mostBound = 4

var genAnyTerm = func() (g bigen.Gen[term]) {
	self := bigen.Lazy(func() bigen.Gen[term] { return g })
	g = genTermOf(mostBound, func(int) bigen.Gen[term] { return self })
	return g
}()

// genTermOf makes terms of parts, with so many variables in scope.
func genTermOf(bound int, part func(bound int) bigen.Gen[term]) bigen.Gen[term] {
	alts := []bigen.Alt[term]{genLiteral()}
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

// term makes a term. A lambda adds so many variables to those bound.
func (d *draw) term(bound, adds int) term {
	switch {
	case d.more():
		if d.bool("lambda") {
			return lambda{d.term(bound+adds, adds)}
		}
		return application{d.term(bound, adds), d.term(bound, adds)}
	case bound > 0 && d.bool("variable"):
		return variable(d.int("variable", 1, bound))
	}
	return boolean(d.bool("literal"))
}

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

// Records, and a configuration whose generator is derived from its type.

func (d *draw) records() []record {
	lo, hi := d.lengths()
	return rapid.SliceOfN(rapid.Custom(rapidRecord), lo, hi).Draw(d.T, "records")
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

func (d *draw) config() config {
	lo, hi := d.lengths()
	return rapid.MakeCustom[config](
		rapid.MakeConfig{Fields: map[reflect.Type]map[string]*rapid.Generator[any]{
			reflect.TypeFor[config](): {"Hosts": rapid.SliceOfN(rapid.Make[host](), lo, hi).AsAny()},
		}}).Draw(d.T, "config")
}
