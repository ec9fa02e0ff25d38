package api

import (
	"cmp"
	"time"

	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/job"
)

// Options say how [API.Generate] makes sequences. The zero value is usable.
type Options struct {
	Seed uint64 // of all choices

	// Generation ends after Time on the clock, after so many Sequences have run, or when Stop,
	// which is called every 64 sequences, reports true. If none is set, it ends after two minutes.
	Time      time.Duration
	Sequences int
	Stop      func() bool

	Length int // calls of a sequence, at most; 0 is 100

	// Undirected turns off feedback, which shows what feedback is worth: all sequences are
	// extended, even those that fail, each as likely as the others, by any value.
	Undirected bool

	// Before is called before each call that may be the first of its sequence to end the process:
	// before the last one, and before those after an edit. It is given the calls up to it, and an
	// entry, by which a later run of the same API can restore or skip these. Kept is called after each
	// sequence that is kept to be extended, and after the first of each class of errors. Neither
	// must keep the entry.
	Before, Kept func(calls callseq.Calls, entry []byte)

	// Hung is called from another goroutine, once, if a sequence runs for longer than Patience,
	// 10 s if that is 0. It should end the process. If it is nil, Generate panics there.
	Hung     func(calls callseq.Calls)
	Patience time.Duration

	Restore  [][]byte // sequences kept by an earlier run, in order
	Stats    Stats    // of that run: they do not count again, and choices are other ones
	Skip     [][]byte // sequences never to run, as they end the process
	Confined bool     // call what [Op.Writes] too: the system lets the process change no file of the user

	Without []string // operations that no new call is of, as they end the process too often
	Never   []string // operations that no sequence has, as sequences with them end it later

	MaxRegressions int // tests in the suite, at most; 0 is 500, below 0 is none

	harness  string         // the variable of the API; "" is calls
	link     *engine.Link   // tells what the package does, if that is instrumented; or nil
	full     func()         // ends the process, as sequences have left too much memory, or files; nil for no limit
	space    func() uint64  // bytes on the disk
	tried    func(job.Told) // is told what is known of a mistake, or of a candidate
	mistakes *job.Mistakes  // choose regression tests that notice them, in place of generating
}

// A Suite is what [API.Generate] has made.
type Suite struct {
	Regressions []Test // sequences that reach new states, and what they return now
	Errors      []Test // minimal sequences, one for each class of errors; some may fail by chance only
	Stats       Stats

	// Candidates are the entries of sequences for regression tests: corpusgen api chooses
	// the ones that notice changes of the package.
	Candidates [][]byte `json:",omitempty"`

	// Tries is, for each change of the package, how many sequences have run with it to find a test.
	// Found are the changes that one has told apart, also if it is too long for a test.
	Tries, Found []int `json:",omitempty"`
}

// A Test is a sequence as a test.
type Test struct {
	Calls callseq.Calls `json:"-"`

	// Code is Go statements that fail a test t if the calls return something else than they do
	// now, or as they fail now. Those of a contract of [Holds] run the calls by the harness.
	Code string

	// Of an error:
	Op      string   // the operation that fails, or the contract, as in Set.Equal is not symmetric
	Message string   // what is wrong
	Class   string   // errors of one class have the same
	Place   string   // FILE:LINE of the panic, if it is one, or of [Holds]
	Found   int      // sequences that have failed so
	Writes  bool     // it calls what [Op.Writes]
	Steps   []string // its calls, as Go statements
	Doubt   string   // why it may be a mistake of the caller, as when only odd numbers lead to it; or ""

	// Of a regression test: what to call it, in place of Op, if another one is called so.
	Titles []string `json:",omitempty"`

	Notices []int // of a regression test that corpusgen api has chosen: the mistakes that fail it

	statements int // of a regression test
}

// Stats counts what [API.Generate] has done.
type Stats struct {
	Sequences int // that have run
	Calls     int // in them
	Expected  int // sequences whose last call is [Expected]
	Invalid   int // or [Invalid]
	Failed    int // sequences with an error
	Kept      int // sequences kept to be extended
}

// withDefaults returns the options with defaults for what is not set.
func (o Options) withDefaults() Options {
	o.Length = cmp.Or(o.Length, 100)
	o.MaxRegressions = cmp.Or(o.MaxRegressions, 500)
	o.harness = cmp.Or(o.harness, "calls")
	o.Patience = cmp.Or(o.Patience, 10*time.Second)
	if o.space == nil {
		o.space = freeDisk
	}
	if o.Time == 0 && o.Sequences == 0 && o.Stop == nil {
		o.Time = 2 * time.Minute
	}
	return o
}
