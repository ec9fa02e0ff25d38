package fuzzext

import (
	"reflect"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/tally"
	"github.com/espalier-go/espalier/rl"
)

// An Option changes how [Valid], [Fuzz] and [Check] work.
type Option func(*options)

type options struct {
	checks     int    // of Checks, or 0
	seed       uint64 // of Seed, or 0
	shrinks    int
	variants   int
	anyFailure bool
	noLeaks    bool
	examples   examples
	unique     uniqueKey
	required   []tally.Share

	policyFile string     // of WithPolicy
	policy     *rl.Policy // in it, or nil
	twoModels  bool
	modelFile  string // of WithModel
	loadModel  func(file string) (model, error)
	model      model         // in it, or nil
	prior      choices.Prior // by one of them, or nil
}

func newOptions(opts []Option) options {
	o := options{shrinks: 2000, variants: 16}
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// Shrinks sets how many runs of the property may minimize a failure. The default is 2000; 0
// switches minimization off.
func Shrinks(n int) Option { return func(o *options) { o.shrinks = max(0, n) } }

// Variants sets how many variants of each input [Valid] runs the property on, besides the
// input's own value. The default is 16; 0 switches variants off. While fuzzing, variants take
// at most as much time as everything else. corpusgen fuzz ignores this option.
func Variants(n int) Option { return func(o *options) { o.variants = max(0, n) } }

// AnyFailure makes minimization accept a simpler value that fails in any place. Without it, a
// simpler value must fail in the same place: at the same line that calls Error or the like, or
// that panics. That keeps two bugs apart. If one bug shows in many places, its value may be
// larger than necessary.
func AnyFailure() Option { return func(o *options) { o.anyFailure = true } }

// Examples makes [Check] run the property on these values first. A guided Check learns from
// the valid ones. For [Fuzz], they are seeds. A target of [Valid] has [Add] instead. If the
// generator does not make a value, the test fails with the reason. If it makes an interface
// type, name the type: Examples[Shape](Square{1}).
func Examples[V any](values ...V) Option {
	return withExamples(examples{reflect.TypeFor[V](), boxed(values)})
}

// examples are values of a type; nil without any.
type examples struct {
	typ    reflect.Type
	values []any
}

func withExamples(e examples) Option {
	return func(o *options) {
		if old := o.examples; old.typ != nil && old.typ != e.typ {
			panic("fuzzext.Examples: all examples must have the same type")
		}
		o.examples = examples{e.typ, append(o.examples.values, e.values...)}
	}
}
