package main

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/rltrial"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

// A price is a generator of Espalier and one of rapid, of values of the same kind.
type price struct {
	name  string
	naive bool // the generators know little of what is valid
	most  int  // odds

	// ours and base run fuzzext.Check and rapid.Check on a property that does nothing but call
	// seen, and what assumes that the value is valid. Sizes of rapid grow with the odds, on average.
	ours, base func(t *testing.T, odds int, seen seeing)
}

// A seeing is called with the size of each value, and reports whether the property fails for it.
type seeing func(size int) (fails bool)

// newPrice returns a price. If valid is not nil, the generators are naive.
func newPrice[A any](
	name string, gen bigen.Gen[A], valid func(A) bool, peer func(d *draw) A, most int,
	size func(A) int,
) price {
	return price{name, valid != nil, most, func(t *testing.T, _ int, seen seeing) {
		fuzzext.Check(t, gen, func(t *fuzzext.T, v A) {
			if seen(size(v)) {
				t.FailNow()
			}
			if valid != nil {
				t.Assume(valid(v))
			}
		})
	}, func(t *testing.T, odds int, seen seeing) {
		rapid.Check(t, func(t *rapid.T) {
			v := peer(&draw{t, odds, 1000})
			if valid != nil {
				_ = valid(v) // Skip would cost more, and end the check early
			}
			if seen(size(v)) {
				t.FailNow()
			}
		})
	}}
}

// A draw is a value that rapid makes.
type draw struct {
	*rapid.T
	odds int // of more, in 1000
	left int // parts, since most odds would never let a value end
}

// more reports whether another part follows.
func (d *draw) more() bool {
	d.left--
	return d.left >= 0 && rapid.IntRange(0, 999).Draw(d.T, "more") < d.odds
}

func (d *draw) bool(label string) bool           { return rapid.Bool().Draw(d.T, label) }
func (d *draw) int(label string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(d.T, label) }

// lengths returns bounds for collections of rapid, whose mean length grows with the odds.
func (d *draw) lengths() (lo, hi int) {
	if d.odds <= 10 {
		return 0, d.odds
	}
	return d.odds - 11, -1
}

func priceNamed(name string) *price {
	all := prices()
	return &all[slices.IndexFunc(all, func(p price) bool { return p.name == name })]
}

// priceNames returns a pattern for the subjects, naive or not.
func priceNames(naive bool) string {
	return namesOf(prices(), func(p price) (string, bool) { return p.name, p.naive == naive })
}

// priceOf compares what Checks cost whose property does nothing.
func priceOf(of func(p priced) (ours, base float64)) measure {
	return func(r run) (ours, base figure, err error) {
		p, err := once("price "+r.args[0], func() (priced, error) {
			return asked[priced](order{Do: "price", On: r.args[0], Quick: r.quick},
				fmt.Sprint("-rapid.checks=", priceValues), fmt.Sprint("-fuzzext.checks=", priceValues))
		})
		ours.value, base.value = of(p)
		return ours, base, err
	}
}

// priced has the medians of a subject's measurements: beside rapid, and with -v beside without.
type priced struct{ Beside, Verbose pricedPair }

// pricedPair has CPU nanoseconds for each value, and the mean sizes of the values. rapid's
// generators have odds that make them agree.
type pricedPair struct{ Ours, Base, OurSize, BaseSize float64 }

func (p priced) ns() (ours, base float64)      { return p.Beside.Ours, p.Beside.Base }
func (p priced) size() (ours, base float64)    { return p.Beside.OurSize, p.Beside.BaseSize }
func (p priced) verbose() (ours, base float64) { return p.Verbose.Ours, p.Verbose.Base }

// priceValues is how many valid values one Check makes.
const priceValues = 1000

func priceOrder(o order, t *testing.T) {
	p := priceNamed(o.On)
	r := priced{Beside: p.besideRapid(t, o.Quick)}
	ours, plain := p.pricing(t, "ours", 0), p.pricing(t, "ours", 0)
	r.Verbose.Ours, r.Verbose.Base = inTurn(o.Quick, ours.verbose, plain.cost)
	o.answer(r)
}

// A pricing runs Checks of one kind, and adds up the sizes of the values.
type pricing struct {
	check func(seed int, seen seeing)
	seed  int

	values, size int
	begin        time.Duration // CPU time before the last
}

// pricing returns the price of a Check of ours, or of rapid with some odds.
func (p *price) pricing(t *testing.T, how string, odds int) *pricing {
	check, name := p.ours, "fuzzext"
	if how == "base" {
		check, name = p.base, "rapid"
	}
	r := new(pricing)
	r.check = func(seed int, seen seeing) {
		setFlag(name+".seed", seed)
		t.Run(name, func(t *testing.T) {
			r.begin = rltrial.CPU()
			check(t, odds, seen)
		})
	}
	return r
}

// besideRapid measures fuzzext.Check and rapid.Check.
func (p *price) besideRapid(t *testing.T, quick bool) (r pricedPair) {
	ours, base := p.pricing(t, "ours", 0), p.pricing(t, "base", p.match(t))
	r.Ours, r.Base = inTurn(quick, ours.cost, base.cost)
	r.OurSize, r.BaseSize = ours.mean(0), base.mean(0)
	return r
}

// match returns the odds with which the mean size of rapid's values is nearest to ours.
func (p *price) match(t *testing.T) (at int) {
	checks, best := 5, math.Inf(1)
	size := p.pricing(t, "ours", 0).mean(checks)
	for lo, hi := 0, p.most; lo <= hi; {
		odds := (lo + hi) / 2
		mean := p.pricing(t, "base", odds).mean(checks)
		if off := math.Abs(math.Log(mean / size)); off < best {
			at, best = odds, off
		}
		if mean < size {
			lo = odds + 1
		} else {
			hi = odds - 1
		}
	}
	return at
}

// mean runs some Checks, and returns the mean size of the values of all Checks so far.
func (p *pricing) mean(checks int) float64 {
	for range checks {
		p.run()
	}
	return float64(p.size) / float64(p.values)
}

// run runs a Check, and returns how many values it has made.
func (p *pricing) run() (values int) {
	before := p.values
	p.seed++
	p.check(p.seed, func(size int) bool {
		p.values++
		p.size += size
		return false
	})
	return p.values - before
}

// cost runs some Checks.
func (p *pricing) cost() (c cost) {
	start := rltrial.CPU()
	for range 5 {
		c.parts += p.run()
	}
	c.cpu = rltrial.CPU() - start
	return c
}

// verbose is cost under -v.
func (p *pricing) verbose() cost {
	setFlag("test.v", true)
	defer setFlag("test.v", false)
	return p.cost()
}
