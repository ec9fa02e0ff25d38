package bigen

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
)

// given says how an alternative depends on the parameter of a [Family]. Its functions may be nil.
type given struct {
	holds  func(*C) bool
	weight func(*C) float64
	times  func(*C) int
}

// give returns the alternative with what change makes of its copy of given.
func (a untypedAlt) give(change func(*given)) untypedAlt {
	g := given{}
	if a.given != nil {
		g = *a.given
	}
	change(&g)
	a.given = &g
	return a
}

// If returns the alternative for the parameters of a [Family] for which a condition holds, such as
// one of [Family.Is]. For others, the [Pick] does not have it. If there are several conditions, all
// must hold. They must depend on the parameter alone, and on [Nth]. For each parameter, the first
// alternative that is left must not recurse. If none is left, a run panics, forward or backward.
func (a Alt[A]) If(holds func(c *C) bool) Alt[A] {
	return Alt[A]{a.give(func(g *given) {
		if before := g.holds; before != nil {
			g.holds = func(c *C) bool { return before(c) && holds(c) }
			return
		}
		g.holds = holds
	})}
}

// WeightBy is [Alt.Weight] with a weight that depends on the parameter of a [Family], and on [Nth].
// A run panics if the weight is negative, NaN or above 1e100.
func (a Alt[A]) WeightBy(weight func(c *C) float64) Alt[A] {
	return Alt[A]{a.give(func(g *given) { g.weight = weight })}
}

// Each offers the alternative n(c) times with one tag, such as once for each variable in scope, and
// not at all if that is below 1. A condition of [Alt.If] and a weight of [Alt.WeightBy] count for
// each of them: there, and in what the alternative makes, [Nth] says which one it is.
//
//	bigen.Tag("variable", bigen.Struct(func(c *bigen.C, e *Expr) {
//		e.Name = exprs.Param(c).variables[bigen.Nth(c)]
//	})).Each(func(c *bigen.C) int { return len(exprs.Param(c).variables) })
func (a Alt[A]) Each(n func(c *C) int) Alt[A] {
	return Alt[A]{a.give(func(g *given) { g.times = n })}
}

// Nth returns which of the alternatives of the innermost [Alt.Each] the run is within, from 0. It
// is 0 outside of an Each. A generator of a [Family] begins outside.
func Nth(c *C) int { return c.nth }

// A guardedPick is a pick whose alternatives depend on the parameter of a [Family].
type guardedPick struct {
	all     []untypedAlt
	alts    []choices.Alt // of all, with their weights
	typ     reflect.Type
	vary    []int           // those of all that have an If or an Each
	repeats bool            // some have an Each
	holds   []func(*C) bool // otherwise: the conditions of vary
	offers  offers
}

// An offer is the alternatives for some parameters.
type offer struct {
	alts  []choices.Alt
	set   *choices.AltSet // of alts, or nil
	which []int           // of all
	first []int           // in which: the first of the i-th of all
	ops   []op
	weigh bool // some weights depend on the parameter
}

// offers keeps the offers of a pick. Each has a number, in which an If takes a bit, and an Each
// timesBits.
type offers struct {
	bits  int
	few   []atomic.Pointer[offer] // by number, if there are up to 1<<fewBits
	many  sync.Map                // otherwise
	count atomic.Int32            // of many
}

const (
	timesBits = 4
	fewBits   = 8
	maxOffers = 1 << 12
)

func (o *offers) get(number uint64, build func() *offer) *offer {
	if o.few != nil {
		made := build()
		o.few[number].Store(made)
		return made
	}
	if kept, ok := o.many.Load(number); ok {
		return kept.(*offer)
	}
	made := build()
	if o.count.Add(1) <= maxOffers {
		o.many.Store(number, made)
	}
	return made
}

func newGuardedPick(all []untypedAlt, typ reflect.Type) *guardedPick {
	g := &guardedPick{all: append([]untypedAlt(nil), all...), typ: typ}
	for i := range all {
		g.alts = append(g.alts, NewAlt(all[i].tag, all[i].weight))
		switch d := all[i].given; {
		case d == nil:
		case d.times != nil:
			g.vary, g.repeats = append(g.vary, i), true
			g.offers.bits += timesBits
		case d.holds != nil:
			g.vary = append(g.vary, i)
			g.offers.bits++
		}
	}
	if g.offers.bits <= fewBits {
		g.offers.few = make([]atomic.Pointer[offer], 1<<g.offers.bits)
	}
	for _, i := range g.vary {
		g.holds = append(g.holds, g.all[i].given.holds)
	}
	return g
}

// times returns how often the pick offers the i-th of all.
func (g *guardedPick) times(c *C, i int) (n int) {
	d := g.all[i].given
	switch {
	case d == nil:
		return 1
	case d.times == nil:
		if d.holds == nil || d.holds(c) {
			n = 1
		}
		return n
	case d.holds == nil:
		return max(0, d.times(c))
	}
	outer := c.nth
	for c.nth = range d.times(c) {
		if d.holds(c) {
			n++
		}
	}
	c.nth = outer
	return n
}

// offered returns the alternatives that the pick offers where the run stands.
func (g *guardedPick) offered(c *C) *offer {
	if g.repeats || g.offers.few == nil {
		return g.offeredOfMany(c)
	}
	number := 0
	for _, holds := range g.holds {
		if number <<= 1; holds(c) {
			number |= 1
		}
	}
	if o := g.offers.few[number].Load(); o != nil {
		return o
	}
	return g.offers.get(uint64(number), func() *offer { return g.newOffer(c, true) })
}

// offeredOfMany is offered where an alternative has an Each, or many have an If.
func (g *guardedPick) offeredOfMany(c *C) *offer {
	number, known := uint64(0), g.offers.bits <= 64
	for _, i := range g.vary {
		d := g.all[i].given
		if d.times == nil {
			number <<= 1
			if d.holds(c) {
				number |= 1
			}
			continue
		}
		n := g.times(c, i)
		known = known && n < 1<<timesBits
		number = number<<timesBits | uint64(n)
	}
	if !known {
		return g.newOffer(c, false)
	}
	if g.offers.few != nil {
		if o := g.offers.few[number].Load(); o != nil {
			return o
		}
	}
	return g.offers.get(number, func() *offer { return g.newOffer(c, true) })
}

// newOffer returns the alternatives that the pick offers where the run stands. If they are kept,
// they are a set.
func (g *guardedPick) newOffer(c *C, kept bool) *offer {
	o := &offer{}
	var alts []choices.Alt
	for i := range g.all {
		a := &g.all[i]
		o.first = append(o.first, len(alts))
		for range g.times(c, i) {
			alts, o.ops = append(alts, g.alts[i]), append(o.ops, a.op)
			o.which = append(o.which, i)
			o.weigh = o.weigh || a.given != nil && a.given.weight != nil
		}
	}
	if len(alts) == 0 {
		what := ""
		if n := len(c.params); n > 0 {
			what = ": " + show(c.params[n-1].of.value(&c.params[n-1].args))
		}
		panic(fmt.Sprintf("bigen: %s, of a %v: no alternative has a condition that holds for "+
			"this parameter%s", g.tagList(), g.typ, what))
	}
	if o.alts = alts; kept {
		o.set = choices.NewAltSet(alts)
	}
	return o
}

// weights returns the alternatives of an offer with their weights, in a buffer of the run if these
// depend on the parameter.
func (g *guardedPick) weights(c *C, o *offer) []choices.Alt {
	if !o.weigh {
		return o.alts
	}
	alts := append(c.weighed[:0], o.alts...)
	for n, i := range o.which {
		if d := g.all[i].given; d != nil && d.weight != nil {
			outer := c.nth
			c.nth = g.nth(c, o, n)
			alts[n].Weight = checkWeight(d.weight(c), alts[n].Tag)
			c.nth = outer
		}
	}
	c.weighed = alts
	return alts
}

// nth returns what [Nth] is within the n-th alternative of an offer.
func (g *guardedPick) nth(c *C, o *offer, n int) (at int) {
	i := o.which[n]
	d, left := g.all[i].given, n-o.first[i]
	switch {
	case d == nil || d.times == nil:
		return c.nth
	case d.holds == nil:
		return left
	}
	outer := c.nth
	for c.nth = 0; ; c.nth++ {
		if d.holds(c) {
			if left--; left < 0 {
				break
			}
		}
	}
	at, c.nth = c.nth, outer
	return at
}

func (g *guardedPick) forward(c *C, _, _ int64, u unsafe.Pointer) {
	o := g.offered(c)
	if o.set != nil && len(o.ops) == 1 {
		if _, ok := o.ops[0].(nilOp); ok {
			c.pickLeaf(o.set)
			*(*unsafe.Pointer)(u) = nil
			return
		}
	}
	alts := o.alts
	if o.weigh {
		alts = g.weights(c, o)
	}
	n := c.ask(alts, o.set)
	if !g.repeats {
		c.below(o.ops[n], u)
		return
	}
	outer := c.nth
	c.nth = g.nth(c, o, n)
	c.below(o.ops[n], u)
	c.nth = outer
}

func (g *guardedPick) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	o := g.offered(c)
	offer := func() []choices.Alt { return g.weights(c, o) }
	var nth func(n int) int
	if g.repeats {
		nth = func(n int) int { return g.nth(c, o, n) }
	}
	return backwardPick(c, o.ops, u, g.typ, offer, nth)
}

func (g *guardedPick) tags() []choices.Alt { return g.alts }

func (g *guardedPick) tagList() string {
	var tags []string
	for _, a := range g.alts {
		tags = append(tags, a.Tag)
	}
	return tagList(tags...)
}
