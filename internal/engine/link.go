package engine

import "time"

// A Link connects the engine in a worker process with fuzzext, which knows the
// structure of the inputs. It is a variable of internal/fuzz that fuzzext refers to by
// its symbol, whose name ends in [Protocol]: a fuzzext that speaks another
// one is not connected. All is called by the goroutines of one execution only.
type Link struct {
	// Set by the engine, before the target is called for the first time:

	// Counters are the coverage counters of the instrumented code.
	Counters []byte
	// Trace is told of comparisons.
	Trace *Trace
	// Offer tells the engine that what happens from now on is due to the input b. What
	// a worker that dies leaves behind, and what the execution ends with, are
	// attributed to the input that was offered last.
	Offer func(b []byte)
	// KnownPlaces returns the places of failures to pass over, with counts of how often
	// that has been done, which are to be kept up.
	KnownPlaces func() map[string]int64

	// Set by the engine, before each execution:

	// Exploring says that fuzzext may run as many inputs as it likes in this execution,
	// until Until, at most Left. Otherwise, it must run the one that it is given.
	Exploring bool
	Until     time.Time
	Left      int64
	// Known has the coverage bits that the coordinator knows; see [Round].
	Known []byte

	// Set by fuzzext:

	// Ran is how many inputs the execution has run, if it has explored.
	Ran int64
	// Explorer says that fuzzext explores. Without it, the engine mutates the bytes.
	Explorer bool
	// Report returns what is to be told about the worker so far.
	Report func() Stats
}

// Protocol changes whenever [Link], or a type that it refers to, changes.
const Protocol = "1"
