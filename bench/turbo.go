package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bench/targets"
)

// The rows of turbo compare corpusgen fuzz with go test -fuzz on the same targets, and with other
// ways to find bugs. As for test binaries, the CPU time of building does not count.

// turboSoon is how soon corpusgen fuzz should find what others never do.
const turboSoon = 20 * time.Second

// turboRate compares figures of runs of the same CPU time, with a property that does nothing.
func turboRate(finder string, of func(came) float64) measure {
	return func(r run) (o, b figure, err error) {
		command, err := corpusgenFuzz()
		if err != nil {
			return o, b, err
		}
		runs := func(command []string) func() ([]came, error) {
			return func() ([]came, error) {
				f := fuzzing{
					command: command,
					test:    finders[finder],
					target:  targets.Trivial,
					limit:   pick(r, 10*time.Second, 4*time.Second),
				}
				if err := f.warm(); err != nil {
					return nil, err
				}
				name := strings.Join(command, " ")
				return times("turbo "+finder+" by "+name, pick(r, 5, 1), func(int) (came, error) {
					c, err := f.run()
					fmt.Fprintf(os.Stderr, "turbo/%s: %s: %.3g cpu-s, %d values, %v executions, "+
						"%v interesting\n", finder, name, c.cpu.Seconds(), c.values, c.executions, c.entries)
					return c, err
				})
			}
		}
		return both(runs(command), runs([]string{"go", "test"}), func(all []came) figure {
			return medianOf(all, func(c came) figure { return number(of(c)) })
		})
	}
}

func (c came) executionsPer() float64 { return c.executions / c.cpu.Seconds() }
func (c came) valuesPer() float64     { return float64(c.values) / c.cpu.Seconds() }
func (c came) interesting() float64   { return c.entries } // although none is
