package predict

import (
	"fmt"
	"math"

	"github.com/espalier-go/espalier/internal/hash"
	"golang.org/x/exp/slices"
)

// A Grammar is a multi-type branching process ("Branching Processes for QuickCheck
// Generators", section 4): the individuals are picks, and the offspring of a pick are the
// picks of its branch. [Read] makes a Grammar. It does not change, and several goroutines
// may use it at once.
type Grammar struct {
	types        []typ // the first is the root: one alternative, whose offspring are the first picks
	constructors []Constructor
	familyOf     []int // by constructor: its first family
	families     []family
	counted      [][]int // constructors in one another that are counted, or nil: see nested

	// The types in an order in which what follows within a level comes first: above the last
	// level, and at it.
	order, lastOrder []int
}

// A Constructor is an alternative of a pick.
type Constructor struct {
	Tag    string
	family uint16 // choices.Question.Family, the same for all picks with these alternatives

	// place tells apart constructors that many types share: "stop" and "more" of slices and the
	// like, "nil" and "ptr" of pointers. It is a hash of the slot and of the tag that the
	// enclosing pick has taken, and 0 for other constructors.
	place uint64
}

// A typ is a set of picks that offer the same constructors, with the same weights, and that
// have the same offspring: a type of the paper, or the part of one at some depth. It has the
// alternatives of its family.
type typ struct {
	name   string
	family int
	alts   []alternative
	self   int // -1, or the alternative after which the sequence continues in the same type
}

type alternative struct {
	constructor int  // index in constructors, or -1 for the root's
	counts      int  // index of what is counted, or -1: the constructor, but see nested
	absent      bool // the generator gives it weight 0, so what follows it is unknown
	weight      float64
	prob, last  float64 // probabilities: above the last level, and at it
	kids        []int   // types, one level deeper
	next        int     // the type of the next question of the sequence, on the same level, or -1
}

// family is a set of types that a source can tell from others without a history: types with the
// same tags and, if these are common, at the same place. It decides what remains at the last level.
type family struct {
	tags   []string
	hash   uint16
	common bool
	place  uint64 // if common
	points []point
	last   []bool // by alternative: whether it remains
}

// point is a slot, and the tag that the enclosing pick has taken: see tune.Point.
type point struct {
	slot uint32
	in   string
}

// place returns the place of a common constructor.
func (p point) place() uint64 { return hash.Mix(hash.Mix(1, uint64(p.slot)), hash.FNV64(p.in)) }

// Weights are weights of constructors. They replace a generator's own weights.
type Weights map[Constructor]float64

// Weights returns the weights of the grammar. If a constructor has several weights, as in
// generators whose weights depend on depth, Weights has the one in the first type.
func (g *Grammar) Weights() Weights {
	w := Weights{}
	for i := range g.types {
		for _, a := range g.types[i].alts {
			if a.constructor < 0 || a.absent {
				continue
			}
			c := g.constructors[a.constructor]
			if _, ok := w[c]; !ok {
				w[c] = a.weight
			}
		}
	}
	return w
}

// With returns the grammar with other weights, at all levels. Constructors that w does not have
// keep their weights, and so do constructors to which the generator gives weight 0. With panics if
// w has a constructor that the grammar does not have, or a weight that is negative, infinite or
// NaN.
func (g *Grammar) With(w Weights) *Grammar {
	weights := g.unchanged()
	for c, x := range w {
		i := slices.Index(g.constructors, c)
		if i < 0 {
			panic(fmt.Sprintf("predict: the grammar has no constructor %q of family %d at place %d",
				c.Tag, c.family, c.place))
		}
		if !(x >= 0) || math.IsInf(x, 1) {
			panic(fmt.Sprintf("predict: weight %v of tag %q", x, c.Tag))
		}
		weights[i] = x
	}
	out := g.weighed(weights)
	out.findLast()
	return out
}

// unchanged returns weights for [Grammar.weighed] that change nothing.
func (g *Grammar) unchanged() []float64 {
	return repeated(math.NaN(), len(g.constructors))
}

// weighed is With for a slice of weights by constructor, where NaN changes nothing. It does not
// call findLast, because the same alternatives occur.
func (g *Grammar) weighed(weights []float64) *Grammar {
	out := *g
	out.types = make([]typ, len(g.types))
	for i, t := range g.types {
		t.alts = slices.Clone(t.alts)
		for n := range t.alts {
			if a := &t.alts[n]; a.constructor >= 0 && !a.absent && !math.IsNaN(weights[a.constructor]) {
				a.weight = weights[a.constructor]
			}
		}
		t.normalize(g.families[t.family].last)
		out.types[i] = t
	}
	return &out
}

// normalize computes the probabilities. At the last level, the alternatives of last remain. If all
// have weight 0, it takes the first alternative, as a source does.
func (t *typ) normalize(last []bool) {
	total, remains := 0.0, 0.0
	for n, a := range t.alts {
		total += a.weight
		if last[n] {
			remains += a.weight
		}
	}
	for n := range t.alts {
		a := &t.alts[n]
		a.prob, a.last = share(a.weight, total, n == 0), 0
		if last[n] {
			a.last = share(a.weight, remains, n == firstOf(last))
		}
	}
}

func share(weight, total float64, first bool) float64 {
	switch {
	case total > 0:
		return weight / total
	case first:
		return 1
	}
	return 0
}

func firstOf(list []bool) int { return max(0, slices.Index(list, true)) }

// checkTags returns an error if no alternative has one of the tags.
func (g *Grammar) checkTags(tags ...string) error {
	for _, tag := range tags {
		if !slices.ContainsFunc(g.constructors, func(c Constructor) bool { return c.Tag == tag }) {
			return fmt.Errorf("predict: no alternative has the tag %q: is it misspelled?", tag)
		}
	}
	return nil
}

// each calls f with the types of everything that follows a.
func (a *alternative) each(f func(kid int)) {
	for _, k := range a.kids {
		f(k)
	}
	if a.next >= 0 {
		f(a.next)
	}
}
