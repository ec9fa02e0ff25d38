package fuzzext

import (
	"reflect"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/rl"
)

// An Option changes how [Valid], [Fuzz] and [Check] work.
type Option func(*options)

type options struct {
	shrinks    int
	variants   int
	anyFailure bool
	examples   any // a []V, or nil
	unique     any // a func(V) uint64, or nil

	policyFile string        // of WithPolicy
	policy     *rl.Policy    // in it, or nil
	prior      choices.Prior // by it, or nil
}

func newOptions(opts []Option) options {
	o := options{shrinks: 2000, variants: 16}
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// Shrinks bounds the number of runs of the property that minimise a failure; 0
// switches minimisation off. The default is 2000.
func Shrinks(n int) Option { return func(o *options) { o.shrinks = max(0, n) } }

// Variants sets on how many variants of each input [Valid] runs the property, besides
// the input's own value; 0 switches them off. The default is 16. While fuzzing, there
// are as many of them as together take the time that everything else takes. corpusgen fuzz
// decides by itself.
func Variants(n int) Option { return func(o *options) { o.variants = max(0, n) } }

// AnyFailure lets minimisation accept any failure for the one that was found. Without
// it a simpler value counts only if it fails in the same place: at the same line
// that calls Error or the like, or panics. That keeps two bugs apart, but one that
// shows at many places may come out larger than it need be.
func AnyFailure() Option { return func(o *options) { o.anyFailure = true } }

// Examples makes [Check] run the property on these values first, and learn from those
// that are valid if it is guided; to [Fuzz] they are seeds. The generator must make
// them: a value that it does not make fails the test with the reason. For a generator
// of an interface type, name the type: Examples[Shape](Square{1}). Where [Valid] is
// called, seeds are given to [Add] instead.
func Examples[V any](values ...V) Option {
	return func(o *options) {
		old, ok := o.examples.([]V)
		if !ok && o.examples != nil {
			panic("fuzzext.Examples: of one Check, all must have the same type")
		}
		o.examples = append(old, values...)
	}
}

// exampleTrees returns the choices of the examples, and fails the test if they, or what
// values are to be unique by, do not fit the generator.
func (x *execution[V]) exampleTrees(tb testing.TB) (trees []choices.Tree) {
	tb.Helper()
	if _, ok := x.unique.(func(V) uint64); x.unique != nil && !ok {
		tb.Fatalf("fuzzext.%s: Unique has a %T, but the generator makes %v", x.call.function, x.unique, reflect.TypeFor[V]())
	}
	values, ok := x.examples.([]V)
	if x.examples != nil && !ok {
		tb.Fatalf("fuzzext.%s: Examples has values of type %T, but the generator makes %T: name the type, as in Examples[int64](1)", x.call.function, x.examples, values)
	}
	for i, v := range values {
		t, err := bigen.Choices(x.gen, v)
		if err != nil {
			tb.Fatalf("fuzzext.%s: example %d of %d: %v", x.call.function, i+1, len(values), err)
		}
		trees = append(trees, t)
	}
	return trees
}
