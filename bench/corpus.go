package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/espalier-go/espalier/bench/targets"
	"github.com/espalier-go/espalier/examples/planted"
)

const plantedBugs = "bst-insert|bst-delete|bst-floor|bst-union|share-merge|cache-stale|ladder|const-int|const-string"

// corpusValues compares the values up to the first that fails: of corpusgen mutate -check on a
// corpus of 50 seeds, which were made without the bug, and of Check on as many random values.
func corpusValues(r run) (o, b figure, err error) {
	mutants, random, err := corpusChecks(r, r.args[0])
	if err != nil {
		return o, b, err
	}
	return medianOf(mutants, outcome.until), medianOf(random, outcome.until), nil
}

// corpusFound counts the runs for the bugs of all rows that find them.
func corpusFound(r run) (o, b figure, err error) {
	for _, bug := range splitNames(plantedBugs) {
		mutants, random, err := corpusChecks(r, bug)
		if err != nil {
			return o, b, err
		}
		o.value += countFound(mutants)
		b.value += countFound(random)
	}
	return o, b, nil
}

func corpusChecks(r run, bug string) (mutants, random []outcome, err error) {
	seeds, values := pick(r, 10, 3), pick(r, 10_000, 3000)
	if mutants, err = times("check mutants "+bug, seeds, func(i int) (outcome, error) { return checkMutants(bug, i+1, values) }); err == nil {
		random, err = times("check random "+bug, seeds, func(i int) (outcome, error) { return checkRandom(bug, i+1, values) })
	}
	return mutants, random, err
}

// inUserTargets runs f with corpusgen and the package targets of a user's module, and removes what it
// leaves there.
func inUserTargets(f func(corpusgen, pkg string) error) error {
	command, err := fuzzCommand()
	if err != nil {
		return err
	}
	user, err := userModule()
	if err != nil {
		return err
	}
	pkg := filepath.Join(user, "targets")
	return errors.Join(f(command[0], pkg), os.RemoveAll(filepath.Join(pkg, "testdata")))
}

// checkMutants seeds a corpus without a bug, plants the bug and checks mutants.
func checkMutants(bug string, seed, values int) (o outcome, err error) {
	err = inUserTargets(func(corpusgen, pkg string) error {
		if err := seedCorpus(corpusgen, pkg, bug, seed); err != nil {
			return err
		}
		return inScratch(func(dir string) error {
			cmd := exec.Command(corpusgen, "mutate", "-check", "-fuzz=^FuzzValid$", "-n="+strconv.Itoa(values), "-seed="+strconv.Itoa(seed))
			cmd.Dir = pkg
			return o.ends(dir, bug, cmd)
		})
	})
	return o, err
}

// seeded is how many entries corpusgen seed makes.
const seeded = 50

func seedCorpus(corpusgen, pkg, bug string, seed int, flags ...string) error {
	cmd := exec.Command(corpusgen, append([]string{"seed", "-fuzz=^FuzzValid$", "-n=" + strconv.Itoa(seeded), "-seed=" + strconv.Itoa(seed)}, flags...)...)
	cmd.Dir = pkg
	cmd.Env = append(os.Environ(), targets.HuntEnv+"="+bug, planted.Env+"=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return nil
}

// checkRandom checks random values, with variables of the environment.
func checkRandom(bug string, seed, values int, vars ...string) (o outcome, err error) {
	binary, err := testBinary("./targets", false)
	if err != nil {
		return o, err
	}
	err = inScratch(func(dir string) error {
		cmd := exec.Command(binary, "-test.run=^TestCheck$", "-fuzzext.checks="+strconv.Itoa(values), "-fuzzext.seed="+strconv.Itoa(seed))
		cmd.Dir, cmd.Env = dir, vars
		return o.ends(dir, bug, cmd)
	})
	return o, err
}
