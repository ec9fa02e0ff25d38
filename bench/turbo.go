package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bench/targets"
	"github.com/espalier-go/espalier/internal/testing/sandbox"
)

// The rows of turbo compare corpusgen fuzz with go test -fuzz on the same targets, and with other
// ways to find bugs. As for test binaries, the CPU time of building does not count,
// except in the rows on overhead.

// turboSoon is how soon corpusgen fuzz should find what others never do.
const turboSoon = 20 * time.Second

// turboHunt compares the times to find a bug.
func turboHunt(ours, base string) measure {
	return func(r run) (o, b figure, err error) {
		return pair(func() (figure, error) { return turboTime(r, r.args[0], ours) }, func() (figure, error) { return best(r, r.args[0], base) })
	}
}

func turboTime(r run, bug, finder string) (figure, error) {
	runs, err := turboHunts(r, bug, finder)
	if err != nil {
		return figure{}, err
	}
	return medianOf(runs, outcome.figure), nil
}

// turboFound measures the share of runs that find a bug, within a time if it is not 0, against
// the share of another finder.
func turboFound(ours string, within time.Duration, base string) measure {
	return func(r run) (o, b figure, err error) {
		runs, err := turboHunts(r, r.args[0], ours)
		if err != nil {
			return o, b, err
		}
		for _, run := range runs {
			if run.found && (within == 0 || run.cpu <= within) {
				o.value += 100 / float64(len(runs))
			}
		}
		alone, err := hunt(r, r.args[0], base)
		b.value = 100 * countFound(alone) / float64(len(alone))
		return o, b, err
	}
}

// foundByOthers counts the runs of the other finders that find a bug, of all.
func foundByOthers(r run) (o, b figure, err error) {
	for _, finder := range []string{"Valid", "raw bytes", "rapid.MakeFuzz", "rapid.Check"} {
		runs, err := hunt(r, r.args[0], finder)
		if err != nil {
			return o, b, err
		}
		o.value += countFound(runs)
		b.value += float64(len(runs))
	}
	return o, b, nil
}

// turboHunts returns the outcomes of several runs that look for a bug, the fastest first.
func turboHunts(r run, bug, finder string) ([]outcome, error) {
	return once("turbo "+bug+" "+finder, func() (runs []outcome, err error) {
		command, err := fuzzCommand()
		if err == nil {
			err = warm(command)
		}
		n, limit := huntRuns(r.quick, bug)
		for len(runs) < n && err == nil {
			var c came
			c, err = fuzzing{command: command, test: finders[finder], target: bug, limit: limit}.run()
			runs = append(runs, c.outcome)
		}
		fastest(fmt.Sprintf("turbo/%s: %s by %s", bug, finder, strings.Join(command, " ")), runs)
		return runs, err
	})
}

// turboRate compares figures of runs of the same CPU time, with a property that does nothing.
func turboRate(finder string, of func(came) float64) measure {
	return func(r run) (o, b figure, err error) {
		command, err := fuzzCommand()
		if err != nil {
			return o, b, err
		}
		runs := func(command []string) func() ([]came, error) {
			return func() ([]came, error) {
				if err := warm(command); err != nil {
					return nil, err
				}
				name := strings.Join(command, " ")
				return times("turbo "+finder+" by "+name, pick(r, 5, 1), func(int) (came, error) {
					c, err := fuzzing{command: command, test: finders[finder], target: targets.Trivial, limit: pick(r, 10*time.Second, 4*time.Second)}.run()
					fmt.Fprintf(os.Stderr, "turbo/%s: %s: %.3g cpu-s, %d values, %v executions, %v interesting\n", finder, name, c.cpu.Seconds(), c.values, c.executions, c.entries)
					return c, err
				})
			}
		}
		return both(runs(command), runs(goTest), func(all []came) figure {
			return medianOf(all, func(c came) figure { return number(of(c)) })
		})
	}
}

func (c came) executionsPer() float64 { return c.executions / c.cpu.Seconds() }
func (c came) valuesPer() float64     { return float64(c.values) / c.cpu.Seconds() }
func (c came) interesting() float64   { return c.entries } // although none is

// turboOverhead measures the cost of a run of one execution, including the build, in turn with go
// test: of the first run, with an empty build cache, or what later runs cost more.
func turboOverhead(first bool) measure {
	return func(r run) (o, b figure, err error) {
		command, err := fuzzCommand()
		if err != nil {
			return o, b, err
		}
		var all [2][]float64
		for range pick(r, 5, 1) {
			for i, command := range [][]string{command, goTest} {
				if !first {
					if err := warm(command); err != nil {
						return o, b, err
					}
				}
				c, err := fuzzing{command: command, test: "FuzzValid", target: targets.Trivial, flags: []string{"-fuzztime=1x"}, limit: time.Hour, fresh: first}.run()
				if err != nil {
					return o, b, err
				}
				all[i] = append(all[i], c.total.Seconds())
			}
		}
		o.value, b.value = median(all[0]), median(all[1])
		if !first {
			o.value -= b.value
		}
		return o, b, nil
	}
}

// turboInterrupted measures the share of interruptions that do no damage: see
// [sandbox.Interruption.Run].
func turboInterrupted(r run) (o, b figure, err error) {
	n := pick(r, 50, 4)
	command, err := fuzzCommand()
	if err == nil {
		err = warm(command)
	}
	if err != nil {
		return o, b, err
	}
	user, err := userModule()
	if err != nil {
		return o, b, err
	}
	err = inScratch(func(dir string) error {
		box, err := sandbox.New(filepath.Join(dir, "box"), false)
		if err != nil {
			return err
		}
		res, err := sandbox.Interruption{
			Sandbox: box,
			Dir:     user,
			Env:     []string{targets.HuntEnv + "=ladder"},
			Command: append(command[:len(command):len(command)], "-run=^$", "-fuzz=^FuzzValid$", "-parallel=1", "./targets"),
		}.Run(n, 1)
		o.value, b.value = 100*float64(res.Good)/float64(n), float64(n)
		fmt.Fprintf(os.Stderr, "turbo/interrupted: %d of %d good, %d resumed, %d entries at the end: %v\n", res.Good, n, res.Resumed, res.Entries, err)
		if res.Resumed == 0 || res.Entries == 0 {
			return errors.New("no run resumed, or none found anything")
		}
		return nil
	})
	return o, b, err
}
