package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/bench/rltrial"
	"github.com/espalier-go/espalier/bench/targets"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/search"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/rl"
)

// tunedRows measure what models that are tuned for the entropy of valid values do for tests, as
// Loaded Dice does: Tjoa and others, "Tuning Random Generators" (OOPSLA 2025), report that they
// find bugs in 3.1 to 7.4 times fewer values.
func tunedRows() []row {
	var rows []row
	for _, s := range seedSubjects() {
		for _, bug := range s.bugs {
			rows = append(rows, row{"tune/bugs/" + bug + " values", "Check", ratioAtMost(1), func(quick bool) (o, b figure, err error) {
				return s.tunedCheck(quick, bug)
			}})
		}
	}
	for _, t := range []rltargets.Target{rltargets.RedBlack(), rltargets.Lambda()} {
		rows = append(rows,
			row{"tune/valid/" + t.Name + " unique", "own weights", ratioAtLeast(1), tunedUnique(t, byModel, rltrial.Random)},
			row{"tune/valid/" + t.Name + " unique", "rl", ratioAtLeast(1), tunedUnique(t, byModel, rltrial.Default)},
			row{"tune/valid/" + t.Name + " unique, half by rl", "rl", ratioAtLeast(1), tunedUnique(t, byBoth, rltrial.Default)},
		)
	}
	return rows
}

// tunedAnswers bounds the values whose entropy is raised: without a bound, they grow.
const tunedAnswers = 100

// tunedCheck looks for a bug by Checks with a tuned model, and without.
func (s seedSubject) tunedCheck(quick bool, bug string) (ours, base figure, err error) {
	seeds, values := 10, 10_000
	if quick {
		seeds, values = 3, 3000
	}
	var tuned, plain []outcome
	err = inScratch(func(dir string) error {
		start := rltrial.CPU()
		m, err := search.ValidEntropy(context.Background(), s.subject, search.EntropyOptions{Limit: tunedAnswers, Seed: 1})
		if err != nil {
			return err
		}
		file := filepath.Join(dir, "model.json")
		if err := m.Save(file); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "tune/bugs/%s: tuned in %.2g CPU s\n", bug, (rltrial.CPU() - start).Seconds())
		for seed := 1; seed <= seeds; seed++ {
			a, err := checkRandom(bug, seed, values, targets.ModelEnv+"="+file)
			if err != nil {
				return err
			}
			b, err := checkRandom(bug, seed, values)
			if err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "tune/bugs/%s: seed %d: tuned %v of %d, own weights %v of %d\n", bug, seed, a.found, a.values, b.found, b.values)
			tuned, plain = append(tuned, a), append(plain, b)
		}
		return nil
	})
	if err != nil {
		return ours, base, err
	}
	return valuesToFind(tuned), valuesToFind(plain), nil
}

// tunedUnique compares how many distinct valid inputs are made. Tuning counts as inputs made.
func tunedUnique(t rltargets.Target, unique func(rltargets.Target, uint64, int) (int, error), p rltrial.Policy) func(quick bool) (ours, base figure, err error) {
	return func(quick bool) (ours, base figure, err error) {
		trials, inputs := 5, 100_000
		if quick {
			trials, inputs = 1, 20_000
		}
		for seed := range uint64(trials) {
			n, err := unique(t, seed, inputs)
			if err != nil {
				return ours, base, err
			}
			ours.value += float64(n) / float64(trials)
			base.value += float64(rltrial.Run(t, p, seed, inputs, nil).Unique) / float64(trials)
		}
		return ours, base, nil
	}
}

// tunedModel returns a model for the valid values of a target, and how many inputs remain.
func tunedModel(t rltargets.Target, seed uint64, inputs int) (m *tune.Model, left int, err error) {
	left = inputs
	start := rltrial.CPU()
	m, err = search.ValidEntropy(context.Background(), t.Subject, search.EntropyOptions{
		Limit: 1000, Seed: seed, Contexts: true, Rounds: inputs / 2000,
		Progress: func(p search.Progress) { left = inputs - p.Values },
	})
	fmt.Fprintf(os.Stderr, "tune/valid/%s: tuned in %.2g CPU s\n", t.Name, (rltrial.CPU() - start).Seconds())
	return m, left, err
}

func byModel(t rltargets.Target, seed uint64, inputs int) (int, error) {
	m, left, err := tunedModel(t, seed, inputs)
	if err != nil {
		return 0, err
	}
	seen, prior, r := map[uint64]bool{}, m.Prior(), rand.New(rand.NewPCG(seed, 3))
	for range left {
		if valid, key, _ := t.Run(choices.RandomBy(r, prior)); valid {
			seen[key] = true
		}
	}
	return len(seen), nil
}

func byBoth(t rltargets.Target, seed uint64, inputs int) (int, error) {
	m, left, err := tunedModel(t, seed, inputs)
	if err != nil {
		return 0, err
	}
	seen, prior, r := map[uint64]bool{}, m.Prior(), rand.New(rand.NewPCG(seed, 3))
	guide := rl.New(r)
	for i := range left {
		src := choices.RandomBy(r, prior)
		if i&1 == 0 {
			src = guide.Begin()
		}
		valid, key, _ := t.Run(src)
		switch {
		case i&1 == 1:
		case valid:
			guide.Valid(key)
		default:
			guide.Invalid()
		}
		if valid {
			seen[key] = true
		}
	}
	return len(seen), nil
}
