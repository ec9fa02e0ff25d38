package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/espalier-go/espalier/bench/targets"
	"github.com/espalier-go/espalier/examples/planted"
)

// corpusRows measure what corpusgen does with corpora.
func corpusRows() []row {
	var rows []row
	for _, bug := range corpusBugs {
		rows = append(rows, row{"corpus/check/" + bug + " values", "Check, as many values", ratioAtMost(1), func(quick bool) (o, b figure, err error) {
			runs, err := corpusChecks(quick, bug)
			if err != nil {
				return o, b, err
			}
			return valuesToFind(runs.mutants), valuesToFind(runs.random), nil
		}})
	}
	return append(rows, row{"corpus/check/found", "Check, as many values", ratioAtLeast(1), func(quick bool) (o, b figure, err error) {
		for _, bug := range corpusBugs {
			runs, err := corpusChecks(quick, bug)
			if err != nil {
				return o, b, err
			}
			o.value += countFound(runs.mutants)
			b.value += countFound(runs.random)
		}
		return o, b, nil
	}})
}

var corpusBugs = []string{"bst-insert", "bst-delete", "bst-floor", "bst-union", "share-merge", "cache-stale", "ladder", "const-int", "const-string"}

// A corpusCheck is the outcomes of several seeds: of corpusgen mutate -check on a corpus of
// 50 seeds, which were made without the bug, and of Check on as many random values.
type corpusCheck struct{ mutants, random []outcome }

var corpusChecked = map[string]corpusCheck{}

func corpusChecks(quick bool, bug string) (c corpusCheck, err error) {
	if c, ok := corpusChecked[bug]; ok {
		return c, nil
	}
	seeds, values := 10, 10_000
	if quick {
		seeds, values = 3, 3000
	}
	for seed := 1; seed <= seeds; seed++ {
		ours, err := checkMutants(bug, seed, values)
		if err != nil {
			return c, err
		}
		theirs, err := checkRandom(bug, seed, values)
		if err != nil {
			return c, err
		}
		fmt.Fprintf(os.Stderr, "corpus/check/%s: seed %d: mutants %v of %d, random values %v of %d\n", bug, seed, ours.found, ours.values, theirs.found, theirs.values)
		c.mutants, c.random = append(c.mutants, ours), append(c.random, theirs)
	}
	corpusChecked[bug] = c
	return c, nil
}

// checkMutants seeds a corpus without a bug, plants the bug and checks mutants.
func checkMutants(bug string, seed, values int) (o outcome, err error) {
	command, err := fuzzCommand()
	if err != nil {
		return o, err
	}
	user, err := userModule()
	if err != nil {
		return o, err
	}
	pkg := filepath.Join(user, "targets")
	defer func() { err = errors.Join(err, os.RemoveAll(filepath.Join(pkg, "testdata"))) }()
	err = inScratch(func(dir string) error {
		tally := filepath.Join(dir, "tally")
		env, err := targets.NewTally(tally)
		if err != nil {
			return err
		}
		run := func(plant string, vars []string, args ...string) (string, error) {
			cmd := exec.Command(command[0], args...)
			cmd.Dir = pkg
			cmd.Env = append(append(os.Environ(), targets.HuntEnv+"="+bug, planted.Env+"="+plant), vars...)
			out, err := cmd.CombinedOutput()
			return string(out), err
		}
		number := strconv.Itoa(seed)
		if out, err := run("", nil, "seed", "-fuzz=^FuzzValid$", "-n=50", "-seed="+number); err != nil {
			return fmt.Errorf("corpusgen seed: %w\n%s", err, out)
		}
		out, failed := run(bug, []string{env}, "mutate", "-check", "-fuzz=^FuzzValid$", "-n="+strconv.Itoa(values), "-seed="+number)
		if o.values, o.found, err = targets.ReadTally(tally); err != nil {
			return err
		}
		if o.found == (failed == nil) {
			return fmt.Errorf("corpusgen mutate -check of %s ended without a failure, or failed without one: %v\n%s", bug, failed, out)
		}
		return nil
	})
	return o, err
}

// checkRandom checks random values, with variables of the environment.
func checkRandom(bug string, seed, values int, vars ...string) (o outcome, err error) {
	binary, err := testBinary("./targets", false)
	if err != nil {
		return o, err
	}
	err = inScratch(func(dir string) error {
		tally := filepath.Join(dir, "tally")
		env, err := targets.NewTally(tally)
		if err != nil {
			return err
		}
		cmd := exec.Command(binary, "-test.run=^TestCheck$", "-fuzzext.checks="+strconv.Itoa(values), "-fuzzext.seed="+strconv.Itoa(seed))
		cmd.Dir = dir
		cmd.Env = append(append(os.Environ(), env, targets.HuntEnv+"="+bug, planted.Env+"="+bug), vars...)
		out, failed := cmd.CombinedOutput()
		if o.values, o.found, err = targets.ReadTally(tally); err != nil {
			return err
		}
		if o.found == (failed == nil) {
			return fmt.Errorf("a Check of %s ended without a failure, or failed without one: %v\n%s", bug, failed, out)
		}
		return nil
	})
	return o, err
}

func countFound(runs []outcome) (n float64) {
	for _, o := range runs {
		if o.found {
			n++
		}
	}
	return n
}

// valuesToFind returns the median number of values up to the first that fails. Runs that
// found none come last.
func valuesToFind(runs []outcome) figure {
	var all []figure
	for _, o := range runs {
		all = append(all, figure{value: float64(o.values), more: !o.found})
	}
	slices.SortFunc(all, figure.compare)
	return all[len(all)/2]
}
