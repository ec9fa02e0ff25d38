package predict

import (
	"encoding/json"
	"math"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/internal/exact"
)

// AnyHeight stands for all heights in [Grammar.Exact].
var AnyHeight = [2]int{0, math.MaxInt}

// ErrNone is the error of [Grammar.Exact] if there are no values of the sizes and heights.
var ErrNone = exact.ErrNone

// Exact returns a model that makes values whose size is from sizes[0] to sizes[1] and whose height
// is from heights[0] to heights[1], by counting all of them. Like Size and Height of package tune,
// it counts the picks that take one of the tags. Without tags, it counts the picks that take an
// alternative other than the first of several, or the only one.
//
// All existing pairs of sizes and heights are equally likely, whatever the weights. As far as their
// picks go, all values of the same size and height are equally likely, too, or, with [AnyHeight],
// all values of the same size. The time that Exact takes grows with the square of the greatest
// size, and with the greatest height. The error says that no alternative has one of the tags, or
// why the values cannot be counted.
func (g *Grammar) Exact(sizes, heights [2]int, tags ...string) (*tune.Model, error) {
	if err := g.checkTags(tags...); err != nil {
		return nil, err
	}
	l := exact.Language{Sizes: sizes}
	if heights != AnyHeight {
		l.Heights = &heights
	}
	for i := range g.types {
		l.Types = append(l.Types, g.exactType(i, heights != AnyHeight, tags))
	}
	data, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	m := tune.New()
	file := map[string]any{
		"format":  "espalier model",
		"version": 2,
		"kind":    "exact",
		"model":   json.RawMessage(data),
	}
	if data, err = json.Marshal(file); err != nil {
		return nil, err
	}
	return m, m.UnmarshalJSON(data)
}

// exactType returns a type of the language. A type whose pick has one alternative has no rules: the
// rules of others have its parts.
func (g *Grammar) exactType(i int, height bool, tags []string) (out exact.Type) {
	t := &g.types[i]
	if i > 0 && len(t.alts) < 2 {
		return out
	}
	for n := range t.alts {
		r := exact.Rule{Absent: t.alts[n].absent}
		if !r.Absent {
			g.expand(&r, t, n, 0, height, tags)
		}
		out.Rules = append(out.Rules, r)
	}
	if i > 0 {
		out.Tags = g.families[t.family].tags
	}
	return out
}

// expand adds what follows an alternative to a rule, with forced picks replaced by what follows
// them.
func (g *Grammar) expand(r *exact.Rule, t *typ, n, depth int, heights bool, tags []string) {
	a, inside := &t.alts[n], depth
	counts := n > 0 || len(t.alts) == 1
	if len(tags) > 0 && a.constructor >= 0 {
		counts = slices.Contains(tags, g.constructors[a.constructor].Tag)
	}
	if a.constructor >= 0 && counts {
		r.Size++
		if heights {
			inside++
			r.Height = max(r.Height, inside)
		}
	}
	add := func(kid, depth int) {
		if k := &g.types[kid]; len(k.alts) == 1 {
			g.expand(r, k, 0, depth, heights, tags)
		} else {
			r.Parts = append(r.Parts, [2]int{kid, depth})
		}
	}
	for _, k := range a.kids {
		add(k, inside)
	}
	if a.next >= 0 {
		add(a.next, depth)
	}
}
