package jsonschema

import (
	"fmt"
	"math"
	"strings"

	"github.com/espalier-go/espalier/bigen"
	"golang.org/x/exp/slices"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

var printer = message.NewPrinter(language.English)

// generator returns the generator of a goal. A run that needs it builds it.
func (g *goal) generator() bigen.Gen[any] {
	g.once.Do(func() {
		g.x.mu.Lock()
		defer g.x.mu.Unlock()
		g.gen = g.build()
	})
	return g.gen
}

func (g *goal) build() bigen.Gen[any] {
	if !g.possible() {
		panic("jsonschema: a goal without values: " + g.reason())
	}
	x := g.x
	weights := make(map[*shape]int)
	for _, p := range g.parts {
		weights[p.shape]++
	}
	var alts []bigen.Alt[any]
	narrow, only := false, bigen.Gen[any]{}
	tags := map[string]int{}
	for _, p := range g.parts {
		gen := p.build()
		if p.check&p.typ != 0 {
			gen = bigen.SuchThat(gen, g.holds)
			narrow = true
		}
		narrow = narrow || p.narrow
		tag := strings.Join(p.labels, " ")
		if weights[p.shape] > 1 || tag == "" {
			tag = strings.TrimSpace(tag + " " + p.tag())
		}
		if tags[tag]++; tags[tag] > 1 {
			tag += fmt.Sprint(" ", tags[tag])
		}
		w := 1 / float64(weights[p.shape])
		if p.check&p.typ != 0 {
			w /= 10 // most of what is made may be rejected
		}
		alt := bigen.Tag(tag, gen).Weight(w)
		if !p.listed && p.typ&(array|object) != 0 && len(g.parts) > 1 {
			kids := float64(max(1, p.branches()))
			alt = alt.WeightBy(func(c *bigen.C) float64 {
				if depth := x.family.Param(c).depth; depth > 0 {
					return w * shrinking(depth) / kids
				}
				return w
			})
		}
		alts, only = append(alts, alt), gen
	}
	if values := g.examples(); len(values) > 0 {
		alts = append(alts, bigen.Tag("example", bigen.OneOf(values...)).Weight(float64(len(weights))/8))
	}
	if narrow {
		alts = append(alts, bigen.Tag("other", bigen.SuchThat(x.within(x.goal(nil)), g.holds)).Weight(0))
	}
	if len(alts) == 1 {
		return only
	}
	return bigen.Pick(alts...)
}

// examples returns the valid ones of the values that schemas give.
func (g *goal) examples() (all []any) {
	for _, p := range g.parts {
		for _, v := range p.shape.examples {
			if !p.listed && typeOf(v)&p.typ != 0 && !containsValue(all, v) && g.holds(v) {
				all = append(all, v)
			}
		}
	}
	return all
}

// branches returns how many parts each value of a part has that may have parts, in turn.
func (p *part) branches() (n int) {
	for _, kid := range p.kids {
		if kid.possible() && slices.ContainsFunc(kid.parts, func(q *part) bool {
			return !q.listed && q.typ&(array|object) != 0
		}) {
			n++
		}
	}
	return max(n, min(p.minItems, n*p.minItems))
}

func (p *part) tag() string {
	if p.listed {
		return "listed"
	}
	return strings.TrimSuffix(p.typ.String(), ", null")
}

// shrinking is how likely values at a depth have parts, beside those at the top.
func shrinking(depth int) float64 { return math.Pow(.7, float64(depth)) }

func (p *part) build() bigen.Gen[any] {
	if p.listed {
		var values []any
		for _, v := range p.given {
			if v.typ&p.typ != 0 {
				values = append(values, v.value)
			}
		}
		return bigen.OneOf(values...)
	}
	switch p.typ {
	case null:
		return bigen.Just[any](nil)
	case boolean:
		return bigen.Any(bigen.Bool())
	case text:
		gen, _, _ := p.textGen()
		return gen
	case array:
		return p.arrayGen()
	case object:
		return p.objectGen()
	}
	gen, _ := p.numberGen(p.typ)
	return gen
}
