package fuzzext

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
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
// invalid, for at most three seconds of CPU time. -fuzzext.print shows them. Unless prop is so slow
// that the time ends the search, the seeds are the same in each process.
func Fuzz[V any](f *testing.F, g bigen.Gen[V], prop func(t *T, v V), opts ...Option) {
	f.Helper()
	runFuzz(f, newSpec("Fuzz", 1, subjectOf(g, prop), opts))
}

// runFuzz is Fuzz without type parameters.
func runFuzz(f *testing.F, spec *spec) {
	f.Helper()
	x := newFuzzTarget(spec)
	if err := x.spec.loadPrior(); err != nil {
		f.Fatal(err)
	}
	if err := missingEntry(x.spec.target().name); err != nil {
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
	function := x.function(append(slices.Clone(added[x.spec.target()]), examples...), func() {
		chosen := chooseSeeds(x.spec, examples, seedsTime)
		for _, b := range append(slices.Clone(examples), chosen...) {
			f.Add(b)
		}
		none = len(examples)+len(chosen) == 0
	})
	switch {
	case x.spec.fault != "":
		f.Fatalf("fuzzext.Fuzz: %s", x.spec.fault)
	case none:
		f.Log("fuzzext.Fuzz: no value tried is valid, so there are no seeds: give Examples, " +
			"from which it learns")
	}
	f.Fuzz(function)
}
