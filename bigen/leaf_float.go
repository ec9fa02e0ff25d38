package bigen

import (
	"fmt"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// A FloatOption leaves some floats out of what [Float] makes.
type FloatOption uint8

const (
	NoNaN FloatOption = 1 << iota // no NaN
	NoInf                         // no infinities
)

// Float makes any float of the type F: numbers, subnormal ones too, -0, infinities and NaNs of
// all bit patterns. Options leave some out. Of random floats, a sixth each are
//
//   - integers, most of them small
//   - multiples of 1/10, most of them small
//   - multiples of 1/1000, most of them small
//   - numbers of moderate size with a random mantissa
//   - floats of random bits
//   - edges, such as the infinities, NaN, -0, the largest and the smallest numbers
//
// In the tree, a float is two integers: 0 and n stand for the number n, 1 and n for n/10, 2
// and n for n/1000, and 3 and n for others. Numbers with a short binary fraction come
// first.
func Float[F ~float32 | ~float64](opts ...FloatOption) Gen[F] {
	var without FloatOption
	for _, o := range opts {
		without |= o
	}
	f := formatOf[F]()
	most := f.greatest()
	if without&NoNaN != 0 {
		most = f.inf()
		if without&NoInf != 0 {
			most--
		}
	}
	return Gen[F]{u: untyped{op: newFloatSet(f, ^most, most, without&NoInf != 0, false)}}
}

// FloatRange makes a finite float from lo to hi, both included; -0 counts as less
// than 0. Most random floats are simple numbers or edges, as with [Float]; at
// least a sixth are spread evenly over the range. It panics if lo or hi is NaN, or if
// there is no finite float from lo to hi.
func FloatRange[F ~float32 | ~float64](lo, hi F) Gen[F] {
	if lo != lo || hi != hi {
		panic("bigen.FloatRange: a bound is NaN")
	}
	f := formatOf[F]()
	first, last := max(orderOf(lo), ^(f.inf()-1)), min(orderOf(hi), f.inf()-1)
	if first > last {
		panic(fmt.Sprintf("bigen.FloatRange: no finite float from %v to %v", lo, hi))
	}
	return Gen[F]{u: untyped{op: newFloatSet(f, first, last, false, true)}}
}

// forward asks for a float in one of several ways, and records it as backward would:
// so that there are several ways to draw a float, but one to change or to simplify
// it.
func (g *floatSet) forward(c *C, _, _ int64, p unsafe.Pointer) {
	order := g.lo
	if g.lo != g.hi {
		if c.free() {
			order = g.ask(c)
			g.record(c, order)
		} else {
			order = g.simplest()
		}
	}
	if g.floatFormat == format32 {
		*(*float32)(p) = floatAt[float32](order)
	} else {
		*(*float64)(p) = floatAt[float64](order)
	}
}

func (g *floatSet) backward(c *C, _, _ int64, p unsafe.Pointer) bool {
	var order int64
	if g.floatFormat == format32 {
		order = orderOf(*(*float32)(p))
	} else {
		order = orderOf(*(*float64)(p))
	}
	if g.bring(order) != order {
		return c.explain != nil && c.fail(byValue, "%s", g.whyNot(order))
	}
	if g.lo == g.hi {
		return true
	}
	if !c.free() {
		return order == g.simplest() || c.failTooLarge()
	}
	g.record(c, order)
	c.inexact()
	return true
}

func (g *floatSet) whyNot(order int64) string {
	switch f := g.value(order); {
	case g.ranged:
		return fmt.Sprintf("%s not in [%s,%s]", g.text(order), g.text(g.lo), g.text(g.hi))
	case f != f:
		return "is NaN, which the option NoNaN leaves out"
	}
	return fmt.Sprintf("is %s, which the option NoInf leaves out", g.text(order))
}

// ask returns the place of the float that the source answers.
func (g *floatSet) ask(c *C) int64 {
	form := c.askInt(choices.Int, 0, floatSpecial, false)
	at := c.at
	c.at.slot = hash.SubSlot(at.slot, 0)
	defer func() { c.at = at }()
	if form < floatCode {
		if b := g.decimals[form]; b.lo <= b.hi {
			n := c.askInt(choices.Int, b.lo, b.hi, true)
			return g.bring(g.order(float64(n) / floatScales[form]))
		}
	}
	switch form {
	case floatSpecial:
		return g.bring(g.special(c.askInt(choices.Int, 0, g.lastSpecial(), false)))
	case floatSpread:
		return g.bring(g.spread(c))
	}
	return g.bring(g.fromCode(c.askInt(choices.Int, g.codes.lo, g.codes.hi, false)))
}

// spread asks for one of numbers that lie evenly over the range or, if there is
// none, for one of moderate size.
func (g *floatSet) spread(c *C) int64 {
	const steps = 1 << 53
	if !g.ranged {
		const unit = 1 << 27
		return g.order(float64(c.askInt(choices.Int, -steps, steps, true)) / unit)
	}
	t := float64(c.askInt(choices.Int, 0, steps, false)) / steps
	// The conversions keep processors from fusing the operations.
	return g.order(float64(g.value(g.lo)*(1-t)) + float64(g.value(g.hi)*t))
}

func (g *floatSet) record(c *C, order int64) {
	form, n, b := g.answers(order)
	at := c.at
	c.addInt(choices.Int, form, 0, floatSpecial)
	c.at.slot = hash.SubSlot(at.slot, 0)
	c.addInt(choices.Int, n, b.lo, b.hi)
	c.at = at
}
