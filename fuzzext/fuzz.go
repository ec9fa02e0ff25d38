package fuzzext

import (
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/espalier-go/espalier/internal/budget"
	"github.com/espalier-go/espalier/internal/hash"
)

// Fuzz adds seeds to the corpus of f and calls f.Fuzz([Valid](g, prop)):
//
//	func FuzzInsert(f *testing.F) {
//		fuzzext.Fuzz(f, genBST, func(t *fuzzext.T, tree *Tree) { ... })
//	}
//
// The seeds are the [Examples], and up to 24 valid values that together cover as many pairs of
// choices as they can ([combinations.Coverage]). So plain go test has something to run, and the
// fuzzer begins with values that differ. If prop fails for a value, or does not return within
// five seconds, the value becomes a seed, so that it is reported.
//
// To find the seeds, Fuzz runs prop on about a hundred values, or up to 2000 if many are
// invalid, for at most ten seconds. -fuzzext.print shows them. Unless prop is so slow that the
// time ends the search, the seeds are the same in each process.
func Fuzz[V any](f *testing.F, g bigen.Gen[V], prop func(t *T, v V), opts ...Option) {
	f.Helper()
	runFuzz(f, newSpec("Fuzz", 1, subjectOf(g, prop), opts))
}

// runFuzz is Fuzz, of what it has been given.
func runFuzz(f *testing.F, spec *spec) {
	f.Helper()
	x := newFuzzTarget(spec)
	if err := x.spec.loadPrior(); err != nil {
		f.Fatal(err)
	}
	if err := x.missingEntry(); err != nil {
		f.Fatalf("fuzzext.Fuzz: %v", err)
	}
	var examples [][]byte
	trees, err := x.spec.exampleTrees()
	if err != nil {
		f.Fatal(err)
	}
	for _, t := range trees {
		examples = append(examples, choices.Encode(t))
	}
	none := false
	function := x.function(slices.Concat(added[x.spec.target()], examples), func() {
		chosen := chooseSeeds(x.spec, examples, seedsTime)
		for _, b := range slices.Concat(examples, chosen) {
			f.Add(b)
		}
		none = len(examples)+len(chosen) == 0
	})
	switch {
	case x.spec.fault != "":
		f.Fatalf("fuzzext.Fuzz: %s", x.spec.fault)
	case none:
		f.Log("fuzzext.Fuzz: no value tried is valid, so there are no seeds: give Examples, from which it learns")
	}
	f.Fuzz(function)
}

const (
	chosenSeeds  = 24
	seedsToTry   = 96              // valid values, to choose from
	seedsToDraw  = 2000            // values
	seedsPairs   = 1 << 19         // of choices, looked at for the coverage
	seedsChoices = 200             // of a seed
	seedsTime    = 3 * time.Second // for all of this; see budget
)

// chooseSeeds returns the seeds of a target besides the examples. No run of the property
// begins after the time is up.
func chooseSeeds(x *spec, examples [][]byte, most time.Duration) [][]byte {
	spent := budget.New()
	c, end := x.seeding(0, hash.FNV64(x.target().name))
	defer end()
	c.Most, c.Pairs = seedsChoices, seedsPairs
	func() {
		defer func() {
			if r := recover(); r != nil {
				x.fault = "the generator panics: " + stack.Panic(r, string(debug.Stack()))
			}
		}()
		for _, b := range examples {
			if isOver(&spent, most) {
				break
			}
			c.Exclude(choices.FromBytes(b))
		}
		for c.Draws < seedsToDraw && c.Len() < seedsToTry && !isOver(&spent, most) && c.Draw() {
		}
	}()
	return c.Choose(chosenSeeds, false)
}
