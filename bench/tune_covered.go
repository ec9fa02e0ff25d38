package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/espalier-go/espalier/bench/branches"
	"github.com/espalier-go/espalier/bench/treetargets"
)

// dragenLevels are the levels of tuned values, and how many of each constructor they are to have.
// They were set before the first run.
const dragenLevels = 5

// tunedCovered compares the branches that values tuned to cover them cover with those of others:
// Feldt, Poulding, Finding Test Data with Specific Properties via Metaheuristic Search, section I.
// The model is tuned by one seed, and measured by another.
func tunedCovered(base string) measure { return coveredBy(treetargets.Tuned, base) }

// dragenCovered compares the branches that tuned values cover with those that as many others cover,
// or as many bytes of others: "Branching Processes for QuickCheck Generators", section 8.
func dragenCovered(base string) measure { return coveredBy(treetargets.Uniform, base) }

func coveredBy(ours, base string) measure {
	return func(r run) (_, _ figure, err error) {
		mean := func(how string) func() (figure, error) {
			return func() (figure, error) {
				o := treetargets.Order{Target: r.args[1], How: how, Levels: dragenLevels,
					Rounds: pick(r, 20, 2)}
				if amount := r.args[0]; strings.HasSuffix(amount, " kB") {
					o.Bytes = 1000 * amountOf(amount)
				} else {
					o.Values = amountOf(amount)
				}
				all, err := times(fmt.Sprint("covered ", o), pick(r, 10, 1),
					func(i int) (treetargets.Covered, error) {
						o.Seed = uint64(i) + 1
						c, err := dragenOrder(o)
						fmt.Fprintf(os.Stderr, "tune/dragen/covered: %s, %s, %s, run %d: %+v\n", o.Target, how,
							r.args[0], i+1, c)
						return c, err
					})
				return number(meanOf(all, func(c treetargets.Covered) float64 {
					return float64(c.Branches)
				})), err
			}
		}
		return pair(mean(ours), mean(base))
	}
}

// amountOf returns the number at the beginning of a text.
func amountOf(text string) (n int) {
	_, _ = fmt.Sscan(text, &n)
	return n
}

// dragenOrder carries out an order in another process, in which the program is instrumented.
func dragenOrder(o treetargets.Order) (c treetargets.Covered, err error) {
	binary, err := buildTests("./treetargets", "covered-"+o.Target, nil,
		branches.Flags(treetargets.Named(o.Target).Packages...)...)
	if err != nil {
		return c, err
	}
	return elsewhere[treetargets.Covered](binary, "TestOrder", func(file string) any {
		o.Answer = file
		return o
	})
}
