package fuzzext

import (
	"cmp"
	"fmt"
	"reflect"
	"time"

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
	timeout    time.Duration // of a run; 0 without the option
	anyFailure bool
	noLeaks    func(propFunc) propFunc  // of NoLeaks, or nil
	around     func(*subject, *options) // of Bubble or Schedules: what each run takes place in; or nil
	schedules  bool                     // each run follows a schedule
	examples   examples
	unique     uniqueKey
	required   []tally.Share

	policyFile  string     // of WithPolicy
	policy      *rl.Policy // in it, or nil
	twoModels   bool
	modelFile   string // of WithModel
	modelLoader func(file string) (model, error)
	model       model         // in it, or nil
	prior       choices.Prior // by one of them, or nil
}

func newOptions(opts []Option) options {
	o := options{shrinks: 2000, variants: 64}
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// Shrinks sets how many runs of the property may minimize a failure. The default is 2000; 0
// switches minimization off.
func Shrinks(n int) Option { return func(o *options) { o.shrinks = max(0, n) } }

// Variants sets how many variants of each input [Valid] runs the property on, besides the input's
// own value. The default is 64; 0 switches variants off. While fuzzing, they take at most twice as
// long as the value, and six times as long as the engine. corpusgen fuzz ignores this option.
func Variants(n int) Option { return func(o *options) { o.variants = max(0, n) } }

// Timeout makes a run of the property fail once it has used the CPU time d, or ten times as much of
// the clock: in [Check], in [Valid], under each fuzzer, and where corpusgen runs a property.
// Without it, a run fails shortly before the test or the engine ends. While fuzzing, a run also
// fails after four fifths of the engine's own limit. CPU time counts for the whole process, with
// parallel tests. The flag -fuzzext.timeout overrides it. Timeout panics unless d is positive.
func Timeout(d time.Duration) Option {
	if d <= 0 {
		panic(fmt.Sprintf("fuzzext.Timeout(%v): want more than 0", d))
	}
	return func(o *options) { o.timeout = d }
}

// runLimit returns the limit of a run, or 0.
func (o *options) runLimit() time.Duration { return cmp.Or(flags.run, o.timeout) }

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

// Unique sets the key that distinguishes valid values: a value is new if its key is. It is xi
// of RLCheck (Reddy et al., ICSE 2020), definition 3.3. A guided [Check] or [Fuzz] prefers
// choices that have led to values with rare keys. A key may be a structural feature or a
// label. If only the run of the property knows the key, use [T.Key]. Two keys are equal if
// their Go literals are. Without this option, the key is the shape of the value: its
// alternatives, without integers and texts.
//
//	fuzzext.Unique(func(t *Tree) int { return t.Depth() })
//
// key must depend on its argument alone. It is called only for values that the property has
// found valid, each time with a value made again.
func Unique[V, K any](key func(v V) K) Option {
	return withUnique(uniqueKey{reflect.TypeFor[V](), func(v any) uint64 {
		value, _ := v.(V) // nil is a value of an interface type
		return keyHash(key(value))
	}})
}

// A uniqueKey returns a hash of what distinguishes a value of a type from others.
type uniqueKey struct {
	typ reflect.Type
	key func(v any) uint64 // nil without the option
}

func withUnique(u uniqueKey) Option { return func(o *options) { o.unique = u } }

// Checks makes [Check] run its property on n valid random values instead of 1000 to 2000, however
// long that takes. With -short, it is a tenth of them, at least one. The flag -fuzzext.checks
// overrides it. Checks panics unless n is at least 1.
func Checks(n int) Option {
	if n < 1 {
		panic(fmt.Sprintf("fuzzext.Checks(%d): want at least 1", n))
	}
	return func(o *options) { o.checks = n }
}

// Seed makes the random values of [Check] the same in each run, for a test that must not vary.
// The flag -fuzzext.seed overrides it. Zero selects different values in each run, as without
// Seed.
func Seed(seed uint64) Option {
	return func(o *options) { o.seed = seed }
}

// Require makes [Check] fail if less than a share of the valid values has a label of
// [T.Label]:
//
//	fuzzext.Check(t, genTree, inserts, fuzzext.Require("deep", 0.2))
//
// So a property cannot pass because hardly any value is of the kind that matters. The values
// of a Check come in cycles, or with guidance. Once these have passed, the property runs on
// further values, each drawn independently, by the generator's weights, or by the policy of
// [WithPolicy] or the model of [WithModel]. If one of them fails, the test fails, too.
//
// The test is the one of QuickCheck's checkCoverage. It looks after 100, 200, 400, ... valid
// draws. It ends when it is certain that the share is less than the required one, which fails
// the test, or that it is at least 9/10 of that. Certain means wrong in at most one of
// 1,000,000,000 tests. A share that is still in doubt after 102,400 valid draws, 204,800 draws
// or 10 seconds passes, and -v says so. With -short, these limits are a tenth.
//
// share is from 0.001 to 1; otherwise Require panics. There may be several Requires, each with
// a label of its own. Only Check and [Sequence] in a test look at shares. Fuzz targets and
// corpusgen fuzz do not.
func Require(label string, share float64) Option {
	if !(share >= leastShare && share <= 1) {
		panic(fmt.Sprintf("fuzzext.Require(%q, %v): want a share from %v to 1", label, share, leastShare))
	}
	return func(o *options) {
		o.required = append(o.required, tally.Share{Label: label, Least: share})
	}
}

// leastShare is one that can be told from nothing.
const leastShare = 0.001

// A model is what the file of WithModel holds.
type model interface{ Prior() choices.Prior }
