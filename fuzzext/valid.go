package fuzzext

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/mutate"
)

// Valid returns the fuzz function of a property of the values of g, for [testing.F.Fuzz]. Call
// it in the fuzz target itself:
//
//	f.Fuzz(fuzzext.Valid(g, prop))
//
// The fuzz function decodes its bytes by g ([bigen.Decode]) and runs prop on the value. If
// prop fails, by Error, Fatal or a panic, the fuzz function minimizes the value at once. The
// test fails with the report of the simplest value that fails in the same place. While
// fuzzing, Valid also saves that value in testdata/fuzz. Bytes that g rejects
// ([bigen.ErrRejected]) and values that prop does not assume ([T.Assume]) do not fail.
//
// go test -run FuzzInsert/FILE, as the report prints it, runs prop on the value of a file in
// testdata/fuzz. If that fails, it has run once, as a debugger needs it: it is not minimized.
//
// prop must use the T that it receives, should be deterministic, and must not keep state from
// one value to the next. If a run does not return, Valid reports it shortly before the engine,
// or the time limit of go test, ends the process. In the fuzzer's processes, the stack of a
// goroutine has at most 32 MB, so that infinite recursion shows.
func Valid[V any](g bigen.Gen[V], prop func(t *T, v V), opts ...Option) func(*testing.T, []byte) {
	return runValid(newSpec("Valid", 0, subjectOf(g, prop), opts))
}

// runValid is Valid without type parameters.
func runValid(spec *spec) func(*testing.T, []byte) {
	x := newFuzzTarget(spec)
	if flags.observe != "" {
		runBegan() // before there are workers
	}
	switch {
	case x.spec.examples.typ != nil:
		panic("fuzzext.Valid: Examples is an option of Check and Fuzz: use fuzzext.Add(f, gen, " +
			"values...) before f.Fuzz")
	case x.spec.unique.key != nil:
		panic("fuzzext.Valid: Unique is an option of Check and Fuzz")
	}
	if err := missingEntry(x.spec.target().name); err != nil {
		panic("fuzzext.Valid: " + err.Error())
	}
	return x.function(added[x.spec.target()], nil)
}

// Add adds values to the seed corpus of f. The fuzz function of f must come from [Valid] with
// the same generator; nothing checks that. If g does not make a value, the target fails with
// the reason. If g makes an interface type, name the type: Add[Shape](f, g, Square{1}).
func Add[V any](f *testing.F, g bigen.Gen[V], values ...V) {
	f.Helper()
	addSeeds(f, bigen.Any(g), boxed(values))
}

func addSeeds(f *testing.F, g bigen.Gen[any], values []any) {
	f.Helper()
	target := targetOf(stack.Callers())
	for i, v := range values {
		b, err := bigen.Encode(g, v)
		if err != nil {
			f.Fatalf("fuzzext.Add: value %d of %d: %v", i+1, len(values), err)
		}
		f.Add(b)
		added[target] = append(added[target], b)
	}
}

// added holds the values given to Add, from which corpusgen's seeds are learned. Fuzz
// targets run one after the other.
var added = map[target][][]byte{}

// A fuzzTarget is what a fuzz function executes.
type fuzzTarget struct {
	spec  *spec
	home  home
	ended time.Time // when the last execution ended
}

func newFuzzTarget(x *spec) *fuzzTarget {
	return &fuzzTarget{spec: x, home: targetHome(x.target, x.call)}
}

// function returns the fuzz function of a target that has some seeds already. It calls
// addSeeds, unless that is nil, in a process in which the other seeds matter.
func (x *fuzzTarget) function(seeds [][]byte, addSeeds func()) func(*testing.T, []byte) {
	if x.spec.target().beingFuzzed() {
		disableMinimization()
	}
	if fuzzing() {
		limitStack()
	}
	if err := x.spec.loadPrior(); err != nil {
		panic(err.Error())
	}
	if orders.ofTarget(x.spec, seeds) {
		return func(t *testing.T, _ []byte) {
			t.Skip("corpusgen runs this target only for its generator")
		}
	}
	if addSeeds != nil && !fuzzing() &&
		selectsSeeds(flagValue("test.run"), x.spec.target().name, 10*chosenSeeds) {
		addSeeds()
	}
	if engineLink != nil && engineLink.Driver != nil {
		return newExploration(engineLink, x.spec, x.home).exploreInput
	}
	if x.spec.target().beingFuzzed() && !fuzzing() {
		fillCache(x.spec)
	}
	if engineLink != nil && fuzzing() {
		return newExploration(engineLink, x.spec, x.home).exploreInput
	}
	return x.fuzz
}

// fuzz is the fuzz function: it runs the property on the value that b stands for, and on the
// variants of that value.
//
// The engine keeps an input for the code that it reaches until the fuzz function returns.
// Variants would blur that: mutations of b do not reach what a variant reaches. So while
// fuzzing, variants run in a cleanup, which the engine does not watch. There they cost little
// and find what chance finds, while the engine follows the value itself.
//
// If -run selects an entry, a value that fails runs once: see [trial.reportFailure]. The variants
// of one that passes run, too, since the engine also saves an input if one of its variants ended
// the process.
func (x *fuzzTarget) fuzz(t *testing.T, b []byte) {
	if x.spec.prior != nil && !fuzzing() { // executions may be parallel, a prior serves only one
		own := *x.spec
		own.prior = x.spec.newPrior()
		x = newFuzzTarget(&own)
	}
	if err := errBubble(t); err != nil {
		t.Fatal(err)
	}
	tr := newTrial(x.spec, x.home, t)
	tr.logs = (testing.Verbose() || flags.print) && !fuzzing() && !runsAlone()
	tr.alone = !fuzzing() && !minimizesAlone() && selectsEntry(flagValue("test.run"), t.Name())
	base, tree, ok := x.runValue(tr, b)
	ran := time.Now()
	if !fuzzing() {
		tr.alone = false
		ok = ok && x.runVariants(tr, b, tree, noLimit)
		tr.end()
		if ok {
			skipInvalid(t, base)
		}
		return
	}
	t.Cleanup(func() {
		defer tr.end()
		if ok {
			now, value := time.Now(), ran.Sub(tr.start)
			x.runVariants(tr, b, tree,
				now.Add(valueShare*value+engineShare*(now.Sub(x.beganAt(tr.start))-value)))
		}
		x.ended = time.Now()
	})
}

// How many times as long as the value of an input, and as the engine with it, its variants take at
// most while fuzzing. If the property takes long, the engine gets more inputs for it.
const (
	valueShare  = 2
	engineShare = 6
)

// beganAt returns when an execution has begun whose fuzz function was called at a time: the
// engine's own part, before that, counts. What this takes beyond a millisecond, the engine
// spends waiting.
func (x *fuzzTarget) beganAt(called time.Time) time.Time {
	if earliest := called.Add(-time.Millisecond); x.ended.Before(earliest) {
		return earliest
	}
	return x.ended
}

// noLimit is the time of a limit that there is not.
var noLimit time.Time

// runValue runs the property on the value that b stands for. It returns the run and the
// choices of the value, or nil if the generator has rejected it; and false if it has failed
// the test.
func (x *fuzzTarget) runValue(tr *trial, b []byte) (*T, choices.Tree, bool) {
	last, ok := x.runAll(tr, func(int) choices.Source { return x.spec.decode(b) },
		repeatsOf(tr.tb.Name()), noLimit)
	return last, tr.tree, ok
}

// runVariants runs the property on the variants of the value that b and tree stand for. It
// begins none after the time until, except the first. It returns false if it has failed the
// test.
func (x *fuzzTarget) runVariants(tr *trial, b []byte, tree choices.Tree, until time.Time) bool {
	if x.spec.variants == 0 {
		return true
	}
	tr.logs = false
	_, ok := x.runAll(tr, variantsOf(&x.spec.options, b, tree), x.spec.variants, until)
	return ok
}

// runAll runs the property on n values, until one fails or the time is up. It returns the
// last run, which is nil if the generator has rejected the value, and false if it has failed
// the test.
func (x *fuzzTarget) runAll(
	tr *trial, source func(i int) choices.Source, n int, until time.Time,
) (last *T, ok bool) {
	var memory choices.Tree
	if !tr.eachReported(x.spec.makerOf(&memory, source), func(i int, t *T) (more bool) {
		if last != nil {
			tr.recycle(last)
		}
		last = t
		return !(t != nil && t.Failed()) && i+1 < n && (until.IsZero() || time.Now().Before(until))
	}) {
		return nil, false
	}
	if last == nil || !last.Failed() {
		return last, true
	}
	tr.reportFailure(tr.tree, last)
	return last, false
}

// variantsOf returns the sources of the variants of an input: half are mutants of its value, half
// are values made from nothing. They are a function of the input alone, so that the input
// reproduces the failure of any of them.
func variantsOf(o *options, b []byte, tree choices.Tree) func(i int) choices.Source {
	seed, m := hash.FNV64(b), &mutate.Mutator{Reuse: true}
	return func(i int) choices.Source {
		r := rand.New(rand.NewPCG(seed, uint64(i+1)))
		if i%2 == 0 {
			if edited, ok := m.Havoc(tree, r); ok {
				return choices.Replay(edited, r)
			}
		}
		return o.randomSource(r)
	}
}
