package predict

import (
	"fmt"
	"math"
	"strings"

	"golang.org/x/exp/slices"
)

// A Cost says which counts of constructors are wanted, for values of a size (section 7.1 and
// appendix B.4). A lower cost means better weights of a grammar: see [Grammar.Fit]. Costs
// are chi-square tests: the sum of (expected - wanted)²/wanted.
//
// A tag names all constructors that have it, counted together.
type Cost struct {
	size     int
	patterns [][]string // see Patterns
	apply    func(r *restriction) error
}

// Uniform wants n of each constructor. The lengths of slices and whether pointers are nil are
// free.
func Uniform(n int) Cost { return Without(n) }

// Without wants n of each constructor, but none with one of the tags: their probability is 0.
func Without(n int, tags ...string) Cost {
	return Cost{size: n, apply: func(r *restriction) error {
		r.ban(func(c int) bool { return slices.Contains(tags, r.g.constructors[c].Tag) })
		r.want(n, false, func(c int) bool { return !r.g.families[r.g.familyOf[c]].common })
		return r.g.checkTags(tags...)
	}}
}

// Only wants n of each constructor with one of the tags. Other constructors of their types do
// not occur: their probability is 0. Constructors of other types are free.
func Only(n int, tags ...string) Cost {
	return Cost{size: n, apply: func(r *restriction) error {
		listed := func(c int) bool { return slices.Contains(tags, r.g.constructors[c].Tag) }
		r.ban(func(c int) bool {
			return !listed(c) &&
				slices.ContainsFunc(r.g.families[r.g.familyOf[c]].tags, func(tag string) bool {
					return slices.Contains(tags, tag)
				})
		})
		r.want(n, true, listed)
		return r.g.checkTags(tags...)
	}}
}

// OnlyTypes wants n of each constructor of the types that a tag names: those of its constructors.
// Constructors of other types do not occur, nor do those that need them. The lengths of slices and
// whether pointers are nil are free.
func OnlyTypes(n int, tags ...string) Cost {
	return Cost{size: n, apply: func(r *restriction) error {
		listed := r.familiesOf(tags)
		r.ban(func(c int) bool { f := r.g.familyOf[c]; return !listed[f] && !r.g.families[f].common })
		r.want(n, false, func(c int) bool { return listed[r.g.familyOf[c]] })
		return r.g.checkTags(tags...)
	}}
}

// WithoutTypes wants n of each constructor, but none of the types that a tag names, nor those that
// need one.
func WithoutTypes(n int, tags ...string) Cost {
	return Cost{size: n, apply: func(r *restriction) error {
		listed := r.familiesOf(tags)
		r.ban(func(c int) bool { return listed[r.g.familyOf[c]] })
		r.want(n, false, func(c int) bool { return !r.g.families[r.g.familyOf[c]].common })
		return r.g.checkTags(tags...)
	}}
}

// Custom has a cost of your own for values of size n, of the expected count of each tag. It must
// be smooth and at least 0: [Grammar.Fit] follows its slope. What is not at least 0 costs
// infinitely much.
func Custom(n int, cost func(counts map[string]float64) float64) Cost {
	return Cost{size: n, apply: func(r *restriction) error {
		r.custom = func(counts []float64) float64 {
			byTag := map[string]float64{}
			for c, x := range counts {
				byTag[r.g.constructors[c].Tag] += x
			}
			if x := cost(byTag); x >= 0 {
				return x
			}
			return math.Inf(1)
		}
		return nil
	}}
}

// Weighted wants each constructor with a listed tag n times its weight. Others are free. A
// constructor of weight 0 does not occur.
func Weighted(weights map[string]float64, n int) Cost {
	return Cost{size: n, apply: func(r *restriction) error {
		for _, tag := range sortedKeys(weights) {
			tagged := func(c int) bool { return r.g.constructors[c].Tag == tag }
			switch w := weights[tag]; {
			case !(w >= 0) || math.IsInf(w, 1):
				return fmt.Errorf("predict: Weighted: weight %v of tag %q is not a number from 0", w, tag)
			case w == 0:
				r.ban(tagged)
			default:
				r.wanted = append(r.wanted, wanted{r.all(tagged), w * float64(n), true})
			}
		}
		return r.g.checkTags(sortedKeys(weights)...)
	}}
}

// restriction is a cost applied to a grammar: which constructors must not occur, and how many
// are wanted.
type restriction struct {
	g      *Grammar
	banned []bool // by constructor
	wanted []wanted
	custom func(counts []float64) float64 // or nil: a cost beside what is wanted
}

// familiesOf returns the types that have one of the tags.
func (r *restriction) familiesOf(tags []string) map[int]bool {
	families := map[int]bool{}
	for c, constructor := range r.g.constructors {
		if slices.Contains(tags, constructor.Tag) {
			families[r.g.familyOf[c]] = true
		}
	}
	return families
}

// wanted is how often some constructors are wanted, together.
type wanted struct {
	constructors []int // or what the grammar counts
	count        float64
	named        bool // by the user
}

// restrict applies the cost to g.
func (c Cost) restrict(g *Grammar) (*restriction, error) {
	if c.apply == nil || c.size < 1 {
		return nil, fmt.Errorf("predict: a cost for values of size %d: want at least 1", c.size)
	} else if c.size > maxLevels {
		return nil, fmt.Errorf("predict: a cost for values of size %d: want at most %d", c.size,
			maxLevels)
	}
	if c.patterns != nil {
		g = g.nested(c.patterns)
	}
	r := &restriction{g: g, banned: make([]bool, len(g.constructors))}
	if err := c.apply(r); err != nil {
		return nil, err
	}
	return r, r.end()
}

// all returns the constructors for which is holds.
func (r *restriction) all(is func(c int) bool) (list []int) {
	for c := range r.banned {
		if is(c) {
			list = append(list, c)
		}
	}
	return list
}

func (r *restriction) ban(is func(c int) bool) {
	for _, c := range r.all(is) {
		r.banned[c] = true
	}
}

// want wants n of each constructor for which is holds, and which is allowed.
func (r *restriction) want(n int, named bool, is func(c int) bool) {
	for _, c := range r.all(is) {
		if !r.banned[c] {
			r.wanted = append(r.wanted, wanted{[]int{c}, float64(n), named})
		}
	}
}

// end also bans the constructors that cannot end without banned ones. The error says that a
// wanted constructor cannot occur, or that no value can end.
func (r *restriction) end() error {
	only := "these constructors only: " + strings.Join(r.allowed(), ", ")
	ends := r.ending()
	for r.banEndless(ends) {
		ends = r.ending()
	}
	if !ends[0] {
		return fmt.Errorf("predict: no value ends with %s", only)
	}
	banned := func(w wanted) bool {
		return !slices.ContainsFunc(w.constructors, func(c int) bool { return !r.without(c) })
	}
	lost := func(w wanted) bool { return w.named && banned(w) }
	if i := slices.IndexFunc(r.wanted, lost); i >= 0 {
		var tags []string
		for _, c := range r.g.path(r.wanted[i].constructors[0]) {
			tags = append(tags, r.g.constructors[c].Tag)
		}
		return fmt.Errorf("predict: tag %q cannot occur: its parts do not end with %s", inside(tags),
			only)
	}
	r.wanted = slices.DeleteFunc(r.wanted, banned)
	return nil
}

// without reports whether something that is counted needs a banned constructor.
func (r *restriction) without(c int) bool {
	return slices.ContainsFunc(r.g.path(c), func(c int) bool { return r.banned[c] })
}

// allowed returns the tags that are not banned.
func (r *restriction) allowed() (tags []string) {
	for c, constructor := range r.g.constructors {
		if !r.banned[c] && !r.g.families[r.g.familyOf[c]].common {
			tags = append(tags, constructor.Tag)
		}
	}
	return tags
}

// banEndless bans the constructors that occur, and have a part of a type that does not end.
func (r *restriction) banEndless(ends []bool) (changed bool) {
	for i := range r.g.types {
		for n := range r.g.types[i].alts {
			a := &r.g.types[i].alts[n]
			if a.constructor >= 0 && r.occurs(a) && !a.ends(ends) {
				r.banned[a.constructor], changed = true, true
			}
		}
	}
	return changed
}

// occurs reports whether an alternative may be taken.
func (r *restriction) occurs(a *alternative) bool {
	return a.constructor < 0 || !r.banned[a.constructor] && a.weight > 0
}

// ending returns, by type, whether a value can end.
func (r *restriction) ending() []bool {
	ends := make([]bool, len(r.g.types))
	for changed := true; changed; {
		changed = false
		for i := range r.g.types {
			for n := range r.g.types[i].alts {
				if a := &r.g.types[i].alts[n]; !ends[i] && r.occurs(a) && a.ends(ends) {
					ends[i], changed = true, true
				}
			}
		}
	}
	return ends
}

// ends reports whether everything that follows an alternative ends.
func (a *alternative) ends(types []bool) bool {
	ends := true
	a.each(func(k int) { ends = ends && types[k] })
	return ends
}

// sortedKeys returns the keys of m in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
