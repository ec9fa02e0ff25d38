package engine

import "time"

// A Link connects the engine in a worker process with fuzzext, which knows the
// structure of the inputs. It is a variable of internal/fuzz, which fuzzext refers to
// by its symbol. The name of the symbol ends in [Protocol], so a fuzzext with another
// protocol is not connected. Only the goroutines of one execution use it at a time.
type Link struct {
	// Set by the engine, before the target is called for the first time:

	// Counters are the coverage counters of the instrumented code.
	Counters []byte
	// Trace sees the comparisons of the instrumented code.
	Trace *Trace
	// Changed is not 0 if a function that a change touches has run since the target, or
	// fuzzext, last set it to 0. Corpusgen edits such functions.
	Changed *uint32
	// Offer tells the engine that the input b runs from now on. The engine attributes
	// what a dying worker leaves, and the outcome of the execution, to the input that
	// was offered last.
	Offer func(b []byte)
	// KnownClasses returns the classes of failures to pass over, by name. Fuzzext counts the
	// failures that it passes over.
	KnownClasses func() map[string]*KnownClass
	// Driver is nil unless an engine other than Go's makes the inputs.
	Driver *Driver

	// Set by the engine, before each execution:

	// Exploring allows fuzzext to run any inputs in this execution, until Until, and at
	// most Left of them. Otherwise, it must run the input that it is given.
	Exploring bool
	Until     time.Time
	Left      int64
	// Known has the coverage bits that the coordinator knows; see [Round].
	Known []byte

	// Set by fuzzext:

	// Ran is the number of inputs that an exploring execution has run.
	Ran int64
	// Explorer says that fuzzext explores. Without it, the engine mutates the bytes.
	Explorer bool
	// Report returns the statistics of the worker so far.
	Report func() Stats
}

// Protocol changes whenever [Link], or a type that it refers to, changes.
const Protocol = "6"
