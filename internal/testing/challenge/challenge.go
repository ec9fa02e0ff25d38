// Package challenge has properties that fail, with generators and the minimal values
// for which they fail: what a minimizer is measured by.
package challenge

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/mutate"
)

// Seeds is how many random values are minimized of each challenge.
const Seeds = 20

// A Challenge is a property that fails for some values of a generator.
type Challenge struct {
	Name string
	// mean number of property calls that the Shrinking Challenge reports of Hypothesis, or 0
	Published float64

	// Minimize minimizes the first random value that fails.
	Minimize func(seed uint64) (Result, error)

	// Minimal reports whether a value, as package fmt prints it, is minimal.
	Minimal func(value string) bool

	// Simpler returns a value that fails, and is simpler than that of a failing tree by one edit that
	// a reader would try, as package fmt prints it, or "".
	Simpler func(choices.Tree) string
}

// A Result is what became of a value.
type Result struct {
	Start, Value string // as package fmt prints them
	Tree         choices.Tree
	Steps        int
	Calls        int // of the property
	Remakes      int // runs of the generator
}

// maxCalls is how often a property is called for one value.
const maxCalls = 20_000

// of returns a challenge. The values in want are minimal, the first of them is what
// Minimize should find.
func of[V any](
	name string, published float64, g bigen.Gen[V], fails func(V) bool, want ...string,
) Challenge {
	random := func(r *rand.Rand) (V, choices.Tree, error) {
		v, t, err := bigen.Run(g, choices.Random(r))
		for err == nil && !fails(v) {
			v, t, err = bigen.Run(g, choices.Random(r))
		}
		return v, t, err
	}
	return challenge(name, published, g, random, fails, maxCalls, want)
}

// New returns the challenge of a property that the caller has, which has no value that is known to be
// minimal. It starts with the first of 20,000 values, made as Check makes them, that fails, and calls
// the property as often as Check does.
func New[V any](name string, g bigen.Gen[V], fails func(V) bool) Challenge {
	random := func(r *rand.Rand) (V, choices.Tree, error) {
		for i := range mostValues {
			if v, t, err := bigen.Run(g, varied.Source(r, i)); err == nil && fails(v) {
				return v, t, nil
			}
		}
		var none V
		return none, nil, ErrPasses
	}
	return challenge(name, 0, g, random, fails, checkCalls, nil)
}

const (
	mostValues = 20_000
	checkCalls = 2000
)

// ErrPasses says that no value fails that has been tried.
var ErrPasses = errors.New("no value fails")

// from is of for values that fail too rarely to be found at random: they are made.
func from[V any](
	name string, g bigen.Gen[V], made func(r *rand.Rand) V, fails func(V) bool, want ...string,
) Challenge {
	start := func(r *rand.Rand) (V, choices.Tree, error) {
		v := made(r)
		t, err := bigen.Choices(g, v)
		if err == nil && !fails(v) {
			err = fmt.Errorf("%s: %v does not fail", name, v)
		}
		return v, t, err
	}
	return challenge(name, 0, g, start, fails, maxCalls, want)
}

func challenge[V any](
	name string, published float64, g bigen.Gen[V], start func(*rand.Rand) (V, choices.Tree, error),
	fails func(V) bool, calls int, want []string,
) Challenge {
	return Challenge{name, published,
		func(seed uint64) (Result, error) {
			v, t, err := start(rand.New(rand.NewPCG(seed, 0)))
			if err != nil {
				return Result{}, err
			}
			return minimize(g, v, t, fails, calls)
		},
		func(value string) bool {
			for _, w := range want {
				if w == value {
					return true
				}
			}
			return false
		},
		func(t choices.Tree) string { return simpler(g, t, fails) }}
}

func minimize[V any](
	g bigen.Gen[V], v V, t choices.Tree, fails func(V) bool, calls int,
) (res Result, err error) {
	res.Start = fmt.Sprint(v)
	remake := func(t choices.Tree) (V, choices.Tree, error) {
		res.Remakes++
		return bigen.Run(g, choices.Replay(t, nil))
	}
	res.Tree, res.Steps, res.Calls = mutate.Minimize(t, remake, fails, calls)
	v, _, err = bigen.Run(g, choices.Replay(res.Tree, nil))
	if err == nil && !fails(v) {
		err = fmt.Errorf("%s: %v does not fail", res.Tree, v)
	}
	res.Value = fmt.Sprint(v)
	return res, err
}
