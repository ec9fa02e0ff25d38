package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/espalier-go/espalier/bench/targets"
	"github.com/espalier-go/espalier/internal/testing/sandbox"
)

// turboOverhead measures the cost of a run of one execution, including the build: of the
// first run, with an empty build cache, and of later runs. With -quick, the first run takes
// as long.
func turboOverhead() []row {
	return []row{
		{"turbo/overhead/first cpu-s", "go test", oursAtMost(90), func(quick bool) (o, b figure, err error) {
			return overheads(quick, true)
		}},
		{"turbo/overhead/later more cpu-s", "go test", oursAtMost(2), func(quick bool) (o, b figure, err error) {
			o, b, err = overheads(quick, false)
			o.value -= b.value
			return o, b, err
		}},
	}
}

// overheads returns the medians of our cost and that of go test, measured in turn.
func overheads(quick, first bool) (o, b figure, err error) {
	command, err := fuzzCommand()
	if err != nil {
		return o, b, err
	}
	n := 5
	if quick {
		n = 1
	}
	var all [2][]float64
	for range n {
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
	return figure{value: median(all[0])}, figure{value: median(all[1])}, nil
}

// turboInterrupted counts the interruptions that do no damage: see
// [sandbox.Interruption.Run].
func turboInterrupted() row {
	return row{"turbo/interrupted/good %", "interruptions", oursAtLeast(100), func(quick bool) (o, b figure, err error) {
		n := 50
		if quick {
			n = 4
		}
		command, err := fuzzCommand()
		if err != nil {
			return o, b, err
		}
		if err := warm(command); err != nil {
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
			fmt.Fprintf(os.Stderr, "turbo/interrupted: %d of %d good, %d resumed, %d entries at the end\n", res.Good, n, res.Resumed, res.Entries)
			if err != nil {
				fmt.Fprintln(os.Stderr, "turbo/interrupted:", err)
			}
			if res.Resumed == 0 || res.Entries == 0 {
				return errors.New("no run resumed, or none found anything")
			}
			return nil
		})
		return o, b, err
	}}
}
