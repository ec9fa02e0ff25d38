package explore

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
)

// A Subject is what an [Explorer] explores: a property, and the sources of the values on which
// it is checked. It runs the property on one value at a time. It calls [Explorer.Begin] just
// before each run, and [Explorer.Finish] right after it.
type Subject interface {
	// Decode returns the source of the value that bytes stand for. The source is valid
	// until the next call of a method.
	Decode(b []byte) choices.Source

	// Make returns the source of a value made from nothing.
	Make(r *rand.Rand) choices.Source

	// Each runs the property on the values that source(0), source(1), ... make, and calls
	// after with the outcome of each: a Valid, Invalid, Rejected or Failed one. It returns
	// when after returns false, or Stopped returns true. A generator that panics, and a
	// run that hangs, also end it. The Subject reports them itself.
	Each(source func(i int) choices.Source, after func(o Outcome) (more bool))

	// Run runs the property on the value of a tree, within Each.
	Run(v any, t choices.Tree) Outcome

	// Stopped reports whether there is no time for another value.
	Stopped() bool

	// Report fails the test with the outcome of the last run, Failed or Hung, to which
	// the tree belongs. It may look for a simpler value that fails.
	Report(o Outcome)
}

// An Outcome is the outcome of a run on one value.
type Outcome struct {
	Result Result
	Known  bool         // the property failed in a known class
	Tree   choices.Tree // the choices of the value, valid until the next run
}

// A Result is how a run ended.
type Result uint8

const (
	Valid    Result = iota
	Invalid         // the property does not assume the value
	Rejected        // the generator made no value: the property did not run
	Failed
	Hung // the run has not returned
)
