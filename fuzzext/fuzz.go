package fuzzext

import (
	"fmt"
	"runtime/debug"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// Fuzz is f.Fuzz([Valid](g, prop)), after it has added seeds to the corpus of f:
//
//	func FuzzInsert(f *testing.F) {
//		fuzzext.Fuzz(f, genBST, func(t *fuzzext.T, tree *Tree) { ... })
//	}
//
// The seeds are the [Examples], and up to 24 values that together cover as many pairs
// of choices as they can ([choices.Coverage]). If prop does not assume some values
// ([T.Assume]), or g rejects some, they are chosen from valid ones that a guide finds
// ([rl.Guide]). They depend on nothing but the name of the target, g and prop. So plain
// go test runs the property on something, and the fuzzer begins with values that differ.
//
// To find the seeds, Fuzz runs prop on about a hundred values or, if many are invalid,
// up to 2000, also where the fuzzer is about to start; -fuzzext.print shows them. After
// ten seconds, it chooses from those that it has: if prop is slow, the seeds may be others
// in each run. A value for which prop fails, or does not return within five seconds,
// becomes a seed, so that it is reported like any other.
func Fuzz[V any](f *testing.F, g bigen.Gen[V], prop func(t *T, v V), opts ...Option) {
	f.Helper()
	x := &execution[V]{gen: g, prop: prop, target: callingTarget(), call: callOf("Fuzz"), options: newOptions(opts)}
	if err := x.loadPolicy(); err != nil {
		f.Fatal(err)
	}
	examples := x.exampleTrees(f)
	x.taught = examples
	none := false
	function := x.fuzzFunction(func() {
		for _, t := range examples {
			f.Add(choices.Encode(t))
		}
		chosen := x.chosenSeeds(examples, time.Now().Add(seedsTime))
		for _, b := range chosen {
			f.Add(b)
		}
		none = len(examples)+len(chosen) == 0
	})
	switch {
	case x.broken != "":
		f.Fatalf("fuzzext.Fuzz: %s", x.broken)
	case none:
		f.Log("fuzzext.Fuzz: no value tried is valid, so there are no seeds: give Examples, from which it learns")
	}
	f.Fuzz(function)
}

const (
	chosenSeeds  = 24
	seedsToTry   = 96
	seedsToDraw  = 2000
	seedsPairs   = 1 << 19
	seedsChoices = 200
	seedsTime    = 10 * time.Second
)

// chosenSeeds returns the seeds of a target besides the examples. No run of the property
// begins after the time is up.
func (x *execution[V]) chosenSeeds(examples []choices.Tree, until time.Time) [][]byte {
	c := newSeeding(x, 0, hash.FNV64(x.target.name))
	defer c.end()
	c.most, c.pairs = seedsChoices, seedsPairs
	func() {
		defer func() {
			if r := recover(); r != nil {
				x.broken = fmt.Sprintf("the generator panics: %v\n\n%s", r, debug.Stack())
			}
		}()
		for _, t := range examples {
			if time.Now().After(until) {
				break
			}
			_ = c.had(choices.Replay(t, nil))
		}
		for c.draws < seedsToDraw && len(c.seeds) < seedsToTry && time.Now().Before(until) && c.draw() {
		}
	}()
	return c.choose(chosenSeeds, false)
}
