package predict

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"golang.org/x/exp/slices"
)

// A Cost says which counts of constructors are wanted, for values of a size (section 7.1 and
// appendix B.4). The lower the cost of a grammar, the better its weights: see [Grammar.Fit].
// Most costs are chi-square tests: the sum of (expected - wanted)²/wanted.
//
// Tags name constructors: all that have the tag, counted together. A type is named by one of
// its tags.
type Cost struct {
	size  int
	apply func(g *Grammar, r *restriction) error
}

// restriction is what a cost makes of a grammar: which constructors must not occur, and how
// much counts cost.
type restriction struct {
	banned      []bool // by constructor
	wanted      []wanted
	custom      func(count func(tag string) float64) float64
	constructed map[string][]int // constructors by tag
}

// wanted is how often some constructors are wanted, together.
type wanted struct {
	constructors []int
	count        float64
	named        bool // by the user
}

// Uniform wants n of each constructor. The lengths of slices and whether pointers are nil are
// free.
func Uniform(n int) Cost {
	return Cost{n, func(g *Grammar, r *restriction) error {
		r.uniform(g, n, nil)
		return nil
	}}
}

// Weighted wants n times its weight of each constructor with a tag that is listed. Others are
// free. A constructor of weight 0 does not occur.
func Weighted(weights map[string]float64, n int) Cost {
	return Cost{n, func(g *Grammar, r *restriction) error {
		tags := make([]string, 0, len(weights))
		for tag := range weights {
			tags = append(tags, tag)
		}
		sort.Strings(tags)
		for _, tag := range tags {
			w := weights[tag]
			list, err := r.tagged(tag)
			switch {
			case err != nil:
				return err
			case !(w >= 0) || math.IsInf(w, 1):
				return fmt.Errorf("predict: Weighted: weight %v of tag %q is not a number from 0", w, tag)
			case w == 0:
				r.ban(list)
			default:
				r.wanted = append(r.wanted, wanted{list, w * float64(n), true})
			}
		}
		return nil
	}}
}

// Only wants n of each constructor with one of the tags. Other constructors of their types do
// not occur: their probability is 0. Constructors of other types are free.
func Only(n int, tags ...string) Cost {
	return Cost{n, func(g *Grammar, r *restriction) error {
		types := map[int]bool{}
		for _, tag := range tags {
			list, err := r.tagged(tag)
			if err != nil {
				return err
			}
			for _, c := range list {
				types[g.familyOf[c]] = true
			}
		}
		for c, constructor := range g.constructors {
			if types[g.familyOf[c]] && !slices.Contains(tags, constructor.Tag) {
				r.banned[c] = true
			}
		}
		r.uniform(g, n, func(c int) bool { return slices.Contains(tags, g.constructors[c].Tag) })
		return nil
	}}
}

// Without wants n of each constructor, but none with one of the tags: their probability is 0.
func Without(n int, tags ...string) Cost {
	return Cost{n, func(g *Grammar, r *restriction) error {
		for _, tag := range tags {
			list, err := r.tagged(tag)
			if err != nil {
				return err
			}
			r.ban(list)
		}
		r.uniform(g, n, nil)
		return nil
	}}
}

// Custom is a cost of the caller's own, for values of size n: a smooth function, at least 0, of
// the counts of tags.
func Custom(n int, cost func(count func(tag string) float64) float64) Cost {
	return Cost{n, func(_ *Grammar, r *restriction) error {
		r.custom = cost
		return nil
	}}
}

// restrict returns what the cost makes of g.
func (c Cost) restrict(g *Grammar) (*restriction, error) {
	r := &restriction{
		banned: make([]bool, len(g.constructors)), constructed: map[string][]int{},
	}
	for i, constructor := range g.constructors {
		r.constructed[constructor.Tag] = append(r.constructed[constructor.Tag], i)
	}
	if c.apply == nil || c.size < 1 {
		return nil, fmt.Errorf("predict: a cost for values of size %d: want at least 1", c.size)
	}
	if err := c.apply(g, r); err != nil {
		return nil, err
	}
	return r, r.end(g)
}

// uniform wants n of each constructor that is allowed, but for common ones.
func (r *restriction) uniform(g *Grammar, n int, allowed func(c int) bool) {
	for c := range g.constructors {
		if !r.banned[c] && !g.families[g.familyOf[c]].common && (allowed == nil || allowed(c)) {
			r.wanted = append(r.wanted, wanted{[]int{c}, float64(n), allowed != nil})
		}
	}
}

func (r *restriction) tagged(tag string) ([]int, error) {
	if list := r.constructed[tag]; len(list) > 0 {
		return list, nil
	}
	return nil, unknownTag(tag)
}

func unknownTag(tag string) error {
	return fmt.Errorf("predict: no alternative has the tag %q: is it misspelled?", tag)
}

func (r *restriction) ban(constructors []int) {
	for _, c := range constructors {
		r.banned[c] = true
	}
}

// end also bans the constructors that cannot end without those that are banned. The error says
// so if no value can end.
func (r *restriction) end(g *Grammar) error {
	allowed := r.allowed(g)
	for {
		ends := r.ending(g)
		changed := false
		for i := range g.types {
			for _, a := range g.types[i].alts {
				if a.constructor < 0 || r.banned[a.constructor] || a.weight == 0 {
					continue
				}
				a.each(func(k int) {
					if !ends[k] && !r.banned[a.constructor] {
						r.banned[a.constructor], changed = true, true
					}
				})
			}
		}
		if changed {
			continue
		}
		if ends[0] {
			break
		}
		return fmt.Errorf("predict: no value ends with these constructors only: %s", allowed)
	}
	kept := r.wanted[:0]
	for _, w := range r.wanted {
		switch {
		case slices.ContainsFunc(w.constructors, func(c int) bool { return !r.banned[c] }):
			kept = append(kept, w)
		case w.named:
			return fmt.Errorf("predict: tag %q cannot occur: its parts do not end with these constructors only: %s",
				g.constructors[w.constructors[0]].Tag, allowed)
		}
	}
	r.wanted = kept
	return nil
}

// ending returns by type whether a value can end.
func (r *restriction) ending(g *Grammar) []bool {
	ends := make([]bool, len(g.types))
	for changed := true; changed; {
		changed = false
		for i := range g.types {
			if ends[i] {
				continue
			}
			for _, a := range g.types[i].alts {
				if a.constructor >= 0 && (r.banned[a.constructor] || a.weight == 0) {
					continue
				}
				all := true
				a.each(func(k int) { all = all && ends[k] })
				ends[i] = ends[i] || all
			}
			changed = changed || ends[i]
		}
	}
	return ends
}

// allowed lists the tags that are not banned.
func (r *restriction) allowed(g *Grammar) string {
	var tags []string
	for c, constructor := range g.constructors {
		if !r.banned[c] && !g.families[g.familyOf[c]].common {
			tags = append(tags, constructor.Tag)
		}
	}
	return strings.Join(tags, ", ")
}
