package fuzzext

import (
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// Valid adapts a property of values of g to the fuzz function that [testing.F.Fuzz]
// takes. It must be called in the fuzz target itself, as in
//
//	f.Fuzz(fuzzext.Valid(g, prop))
//
// The fuzz function decodes its bytes by g ([bigen.Decode]) and runs prop on the
// value. If a run fails, in one of the ways in which a test can, by Error, Fatal
// or a panic, the value is minimised: prop is run on simpler values as long as it
// fails in the same place ([mutate.Minimize]), for at most a fifth of the time that
// the engine allows an execution: two seconds, with Go 1.27 twelve. The test then
// fails with the report of the simplest. While fuzzing, that value is also written
// to testdata/fuzz as a corpus entry of its own. That entry stands for the same value
// with 32 and with 64 bits, if the value fits. What the engine saves itself does not if g
// makes every int, uint or uintptr: then the bounds differ.
//
// A run that has not returned after four fifths of that time, eight or 48 seconds,
// fails, and its value is saved as it is; without the fuzzer it fails shortly before
// the deadline of the test. Under go test -v, the values of corpus entries are printed
// before prop runs: so a value whose run ends the process can be seen, too. In the
// fuzzer's processes, the stack of a goroutine has at most 32 MB, so that recursion
// without end is found before the memory is exhausted.
//
// prop must be deterministic and must not keep state from one value to the next. It
// must use the T that it is given. Bytes that g rejects ([bigen.ErrRejected]) and
// inputs that prop finds invalid ([T.Assume]) do not fail.
//
// While fuzzing, Valid switches Go's own minimisation off, unless the command line
// sets -fuzzminimizetime: it works on bytes, and would undo the structure of the
// inputs that are kept.
func Valid[V any](g bigen.Gen[V], prop func(t *T, v V), opts ...Option) func(*testing.T, []byte) {
	x := &execution[V]{gen: g, prop: prop, target: callingTarget(), call: callOf("Valid"), options: newOptions(opts)}
	switch {
	case x.examples != nil:
		panic("fuzzext.Valid: Examples is an option of Check and Fuzz: use fuzzext.Add(f, gen, values...) before f.Fuzz")
	case x.unique != nil:
		panic("fuzzext.Valid: Unique is an option of Check and Fuzz")
	}
	return x.fuzzFunction(nil)
}

// fuzzFunction returns the fuzz function of a target. addSeeds, unless it is nil, is
// called where the seeds of the target matter.
func (x *execution[V]) fuzzFunction(addSeeds func()) func(*testing.T, []byte) {
	if x.target.beingFuzzed() {
		keepStructure()
	}
	if fuzzing() {
		limitStack()
	}
	if err := x.loadPolicy(); err != nil {
		panic(err.Error())
	}
	if x.takeOrder() {
		return func(t *testing.T, _ []byte) { t.Skip("corpusgen runs this target only for its generator") }
	}
	if addSeeds != nil && !fuzzing() {
		addSeeds()
	}
	if x.target.beingFuzzed() && !fuzzing() {
		x.fillCache()
	}
	if engineLink != nil && fuzzing() {
		return newExploration(engineLink, x).fuzz
	}
	return x.fuzz
}

// Add adds values to the seed corpus of f, whose fuzz function must be made by
// [Valid] from the same generator; nothing checks that it is. A value that g does
// not make fails the target with the reason. For a generator of an interface type,
// name the type: Add[Shape](f, g, Square{1}).
func Add[V any](f *testing.F, g bigen.Gen[V], values ...V) {
	f.Helper()
	target := callingTarget()
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

// execution is what one fuzz target, or one call of Check, executes.
type execution[V any] struct {
	options
	gen    bigen.Gen[V]
	prop   func(*T, V)
	target target
	call   call
	ended  time.Time // of the last execution of a fuzz function

	check    *checking      // nil for a fuzz target
	taught   []choices.Tree // examples of a fuzz target
	guidance *guidance[V]   // nil unless some values are invalid
	broken   string         // the key of a value cannot be had
}
