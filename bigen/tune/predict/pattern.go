package predict

import (
	"fmt"
	"math"
	"strings"

	"golang.org/x/exp/slices"
)

// A Pattern is constructors in one another, as the patterns of a program's cases (section 10). It
// occurs where a pick with the last tag is in the branch of a pick with the tag before, and so on.
// Picks between them that only say how long a slice is, or whether a pointer is nil, do not count.
type Pattern struct {
	Tags  []string // the outermost first, at least two
	Count float64  // how often it is wanted, above 0, for [Patterns]
}

// ExpectPattern returns how often a pattern of these tags occurs in a random value, the outermost
// first, and the variance of that number. With one tag or none, it is [Grammar.ExpectTags]. It
// panics if no constructor has one of the tags, or if nothing can be in one of them. The time that
// it takes grows with the number of tags. See [Grammar.Expect].
func (g *Grammar) ExpectPattern(size int, tags ...string) (mean, variance float64) {
	if len(tags) < 2 {
		return g.ExpectTags(size, tags...)
	}
	if err := g.checkPattern(tags); err != nil {
		panic(err.Error())
	}
	nested := g.nested([][]string{tags})
	m := nested.moments(size)(nested.reward(nested.matches(tags)))
	return m.mean, m.variance
}

// Patterns wants each pattern as often as it says, for values of size n (section 10). All
// constructors are free.
func Patterns(n int, patterns ...Pattern) Cost {
	var paths [][]string
	for _, p := range patterns {
		paths = append(paths, p.Tags)
	}
	return Cost{size: n, patterns: paths, apply: func(r *restriction) error {
		for _, p := range patterns {
			if len(p.Tags) < 2 || !(p.Count > 0) || math.IsInf(p.Count, 1) {
				return fmt.Errorf("predict: Patterns: %v of %q: want at least two tags, "+
					"and a number above 0", p.Count, p.Tags)
			}
			if err := r.g.checkPattern(p.Tags); err != nil {
				return err
			}
			found := r.g.matches(p.Tags)
			if r.g.moments(n)(r.g.reward(found)).mean == 0 {
				return fmt.Errorf("predict: Patterns: no value of size %d has %s", n, inside(p.Tags))
			}
			r.wanted = append(r.wanted, wanted{found, p.Count, true})
		}
		return nil
	}}
}

// checkPattern returns an error if no alternative has one of the tags, or if nothing is in an outer
// one since all picks that take it are common.
func (g *Grammar) checkPattern(tags []string) error {
	if err := g.checkTags(tags...); err != nil {
		return err
	}
	for _, tag := range tags[:len(tags)-1] {
		if !slices.ContainsFunc(g.constructors, func(c Constructor) bool {
			return c.Tag == tag && c.place == 0
		}) {
			return fmt.Errorf("predict: nothing is in %q, which only says how long a slice is, or "+
				"whether a pointer is nil: leave it out", tag)
		}
	}
	return nil
}

// reward rewards some of what is counted.
func (g *Grammar) reward(counted []int) []float64 {
	reward := make([]float64, max(len(g.constructors), len(g.counted)))
	for _, c := range counted {
		reward[c] = 1
	}
	return reward
}

// path returns the constructors of something that is counted, the outermost first.
func (g *Grammar) path(c int) []int {
	if g.counted == nil {
		return []int{c}
	}
	return g.counted[c]
}

// matches returns what the grammar counts that ends with the tags.
func (g *Grammar) matches(tags []string) (found []int) {
	for i, path := range g.counted {
		at := len(path) - len(tags)
		if at >= 0 && slices.EqualFunc(path[at:], tags, func(c int, tag string) bool {
			return g.constructors[c].Tag == tag
		}) {
			found = append(found, i)
		}
	}
	return found
}

// inside names tags in one another, the outermost first.
func inside(tags []string) string {
	tags = slices.Clone(tags)
	slices.Reverse(tags)
	return strings.Join(tags, " in ")
}

// nested returns the grammar with its types told apart by what of the patterns is around them: the
// longest beginning of one. What it counts are constructors with those around them.
func (g *Grammar) nested(patterns [][]string) *Grammar {
	n := nesting{g: g, out: *g, patterns: patterns, typeOf: map[string]int{}, countOf: map[string]int{}}
	n.out.types, n.out.counted = nil, [][]int{}
	n.typeIn(0, nil)
	for i := 0; i < len(n.out.types); i++ {
		n.split(i)
	}
	n.out.findLast()
	return &n.out
}

// A nesting tells the types of a grammar apart.
type nesting struct {
	g               *Grammar
	out             Grammar
	patterns        [][]string
	from            []int   // by type of out: the type of g
	around          [][]int // by type of out: the constructors around it, the outermost first
	typeOf, countOf map[string]int
}

// begins returns the longest end of a path that is the beginning of a pattern, and not all of it.
func (n *nesting) begins(path []int) []int {
	for ; len(path) > 0; path = path[1:] {
		if slices.ContainsFunc(n.patterns, func(tags []string) bool {
			return len(path) < len(tags) && slices.EqualFunc(path, tags[:len(path)], n.tagged)
		}) {
			return path
		}
	}
	return nil
}

// tagged reports whether a constructor has a tag.
func (n *nesting) tagged(c int, tag string) bool { return n.g.constructors[c].Tag == tag }

// typeIn returns the type of out for a type of g in constructors.
func (n *nesting) typeIn(t int, around []int) int {
	key := fmt.Sprint(t, around)
	i, ok := n.typeOf[key]
	if !ok {
		i = len(n.out.types)
		n.typeOf[key] = i
		n.out.types = append(n.out.types, n.g.types[t])
		n.from, n.around = append(n.from, t), append(n.around, around)
	}
	return i
}

// split gives a type of out alternatives of its own.
func (n *nesting) split(i int) {
	t, around := n.g.types[n.from[i]], n.around[i]
	t.alts = slices.Clone(t.alts)
	for k := range t.alts {
		a, inside := &t.alts[k], around
		if a.constructor >= 0 {
			path := append(slices.Clone(around), a.constructor)
			key := fmt.Sprint(path)
			c, ok := n.countOf[key]
			if !ok {
				c = len(n.out.counted)
				n.countOf[key], n.out.counted = c, append(n.out.counted, path)
			}
			if a.counts = c; !n.g.families[t.family].common {
				inside = n.begins(path)
			}
		}
		kids := make([]int, len(a.kids))
		for j, kid := range a.kids {
			kids[j] = n.typeIn(kid, inside)
		}
		a.kids = kids
		if a.next >= 0 {
			a.next = n.typeIn(a.next, around)
		}
	}
	n.out.types[i] = t
}
