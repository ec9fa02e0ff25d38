package main

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/rltrial"
)

// starts compares the CPU microseconds from the call of a Check to its first value, of a process
// that has run many Checks, or of one that runs its first.
func starts(r run) (ours, base figure, err error) {
	return both(startsOf(r, "ours"), startsOf(r, "base"), func(all []time.Duration) figure {
		return medianOf(all, func(d time.Duration) figure { return number(float64(d.Nanoseconds()) / 1000) })
	})
}

func startsOf(r run, whose string) func() ([]time.Duration, error) {
	n, processes := 1, pick(r, 25, 9)
	if r.args[1] == "warm" {
		n, processes = pick(r, 3000, 1000), pick(r, 9, 3)
	}
	return func() ([]time.Duration, error) {
		return times(fmt.Sprint("start ", whose, r.args), processes, func(int) (time.Duration, error) {
			return asked[time.Duration](order{Do: "start", On: r.args[0], How: whose, N: n}, "-fuzzext.checks=1", "-rapid.checks=1")
		})
	}
}

// startOrder answers with the mean time of several Checks.
func startOrder(o order, t *testing.T) {
	var spent, start time.Duration
	seen := func(int) { spent += rltrial.CPU() - start }
	for _, p := range prices() {
		if p.name != o.On {
			continue
		}
		for seed := range o.N {
			setFlag("fuzzext.seed", seed+1)
			setFlag("rapid.seed", seed+1)
			t.Run("", func(t *testing.T) {
				if start = rltrial.CPU(); o.How == "ours" {
					p.check(t, seen)
				} else {
					rapid.Check(t, func(t *rapid.T) { seen(p.rapid(&draw{t, p.most / 2, 1000})) })
				}
			})
		}
	}
	o.answer(spent / time.Duration(o.N))
}
