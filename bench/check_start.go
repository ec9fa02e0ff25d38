package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bench/rltrial"
)

// spans compares the CPU microseconds of a span of a Check, in the mean of n Checks of a process.
func spans(r run, span string, n, processes int) (ours, base figure, err error) {
	return beside(fmt.Sprint(span, r.args), processes, "ours", "base",
		func(how string, _ int) (time.Duration, error) {
			return asked[time.Duration](order{Do: span, On: r.args[0], How: how, N: n})
		}, func(d time.Duration) figure { return number(float64(d.Nanoseconds()) / 1000) })
}

// starts is the span from the call of a Check to its first value, in a process that has run many
// Checks, or in one that runs its first.
func starts(r run) (ours, base figure, err error) {
	if r.args[1] == "warm" {
		return spans(r, "start", pick(r, 3000, 1000), pick(r, 9, 3))
	}
	return spans(r, "start", 1, pick(r, 25, 9))
}

// failures is the span from the first value that fails to the end of a Check, which reports the
// minimal one. The property costs next to nothing.
func failures(r run) (ours, base figure, err error) {
	return spans(r, "failing", pick(r, 10, 3), pick(r, 3, 1))
}

// failingSize is the size above which values fail.
const failingSize = 60

// spanOrder answers with the mean time of several Checks.
func spanOrder(o order, t *testing.T) {
	p := priceNamed(o.On)
	odds, checks := p.most/2, "1"
	if o.Do == "failing" {
		odds, checks = p.match(t), endless
	}
	c := p.pricing(t, o.How, odds)
	setFlag("fuzzext.checks", checks)
	setFlag("rapid.checks", checks)
	var spent time.Duration
	for seed := range o.N {
		failed := false
		c.check((seed+1)<<20, func(size int) bool {
			if o.Do == "start" {
				spent += rltrial.CPU() - c.begin
			} else if size > failingSize && !failed {
				c.begin, failed = rltrial.CPU(), true
			}
			return failed && size > failingSize
		})
		if failed {
			spent += rltrial.CPU() - c.begin
		}
	}
	o.answer(spent / time.Duration(o.N))
}
