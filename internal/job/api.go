package job

import (
	"time"
)

// API asks a test of the sequences of an API to generate tests. Its answer is in files of its
// own, so that nothing is lost if what is tested ends the process.
type API struct {
	Seed      uint64
	Time      time.Duration // at most
	Sequences int           // at most; 0 for no limit
	Length    int           // calls of a sequence, at most
	Patience  time.Duration // for one sequence
	Memory    uint64        // bytes of the heap, at most
	Tests     int           // regression tests, at most

	Restore string   // the path of a file with sequences, one a line, that are kept already; "" for none
	Skip    []string // sequences that end the process
	Without []string // operations not to end sequences with
	Only    string   // a sequence to run, instead of generating; "" for none
	Dry     bool     // with Fate: run none of its calls
	Fate    string   // write Only as Go statements, whose last one has this fate, instead of running it

	Before string // the path of the file for the sequence that runs
	Kept   string // the path of the file for the sequences that are kept, one a line
	Suite  string // the path of the file for the [Suite], once all is done
}

// CarryOutAPI carries out an order on a model, if it is one of package callseq/api, which sets it.
var CarryOutAPI = func(model any, o *API) error { return nil }

// A Suite is what comes of an [API]: either the suite of package callseq/api, or Code.
type Suite struct {
	Regressions, Errors, Flaky []Test
	Stats                      struct{ Sequences, Calls, Expected, Invalid, Failed, Kept int }

	Code    string `json:",omitempty"` // of Only, if Fate is set
	Tainted bool   `json:",omitempty"` // with Code: its last call is given nil, or what is not ready
}

// A Test is a test of a [Suite].
type Test struct {
	Test    string // its name, once it has one
	Op      string // of an error: what fails
	Message string // and how
	Place   string `json:",omitempty"` // FILE:LINE
	Found   int    // sequences that fail so
	Code    string // Go statements
}

// Exit statuses of a process that carries out an [API], beside those of tests.
const (
	ExitHang   = 81 // a sequence does not end
	ExitMemory = 82 // a sequence takes too much memory
)

// WriteSuite stores a suite, which has the fields of a [Suite], at path.
func WriteSuite(path string, suite any) error { return write(path, suite) }

// ReadSuite reads a suite. It returns nil if there is no whole one.
func ReadSuite(path string) (*Suite, error) { return read[Suite](path) }
