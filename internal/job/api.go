package job

import (
	"encoding/json"
	"os"
	"strings"
	"time"

	"github.com/espalier-go/espalier/internal/engine"
)

// API asks a test of the sequences of an API to generate tests. Its answer is in files of its
// own, so that nothing is lost if what is tested ends the process.
type API struct {
	Seed      uint64
	Time      time.Duration // at most
	Sequences int           // at most; 0 for no limit
	Length    int           // calls of a sequence, at most
	Patience  time.Duration // for one sequence
	Tests     int           // regression tests, at most
	Harness   string        // the variable that holds the API

	// the path of a file with a [Told] a line: sequences that are kept already; "" for none
	Restore  string
	Stats    Stats    // of the processes so far, in which these have run
	Skip     [][]byte // sequences that end the process
	Confined bool     // the process can change no file of the user

	Without []string // operations not to end sequences with
	Never   []string // operations of no sequence

	// Entry is a sequence that ends the process, in place of generating. If Fate is set, it is
	// written as Go statements, whose last one has this fate. Else it is minimized: Ends says which
	// of the sequences that are tried have ended a process as it does. The next one runs.
	Entry []byte
	Ends  []bool
	Fate  string
	Dry   bool // with Fate: run none of the calls

	// with Fate: the method or function that has started the goroutine which panics; or ""
	Started string

	Mistakes *Mistakes // or nil: choose regression tests by them, in place of generating

	Before string // the path of the file for the [Told] that runs
	Kept   string // the path of the file for those that are kept or, of Entry, have ended; one a line
	Suite  string // the path of the file for the [Suite], once all is done
}

// Mistakes are small changes of the package under test, which are built in, from number 1 on.
type Mistakes struct {
	Number int   // one more than the greatest
	Skip   []int // those that end the process
	Until  int   // the first one that is not tried; 0 to try all

	Away    bool          // tell what candidates do elsewhere, in place of choosing from them
	Hunt    bool          // seek a test for each, in place of choosing from candidates
	Closing time.Duration // CPU time for shortening tests, after the time of the order

	Candidates [][]byte // the sequences from which tests are chosen
	Known      []Told   // by earlier processes: those that are Tried
}

// Stats are the statistics of package callseq/api.
type Stats struct{ Sequences, Calls, Expected, Invalid, Failed, Kept int }

// A Told is a sequence.
type Told struct {
	Ops   []string // of its calls
	Entry []byte   // what makes it
	Stats Stats    // so far

	// the change of the package that is made; or ^i if a test is made of the candidate i
	Mistake int  `json:",omitempty"`
	Warned  bool `json:",omitempty"` // it is announced that the last call may end the process
	Fails   bool `json:",omitempty"` // it is the first error of a class

	// In place of a sequence: what the candidates do under the mistake, once that is known. For ^i, Entry
	// makes what the candidate i has become, or is empty if that is nothing. In a hunt, Entry makes
	// the sequence that tells the mistake apart, or is empty after so many Tries. If it is Away, Noticed
	// has the results of the candidate that differ where the time is another one. If it is not Tried, it
	// cannot run there.
	Tried   bool     `json:",omitempty"`
	Away    bool     `json:",omitempty"`
	Noticed []Notice `json:",omitempty"`
	Tries   int      `json:",omitempty"`
}

// A Notice is that a candidate fails if a mistake is made: a result of a call differs, or the call
// panics, which is the result -1.
type Notice struct{ Candidate, Call, Result int }

// ReadTold reads the sequences that a file has whole, one a line. There is none if there is no
// file.
func ReadTold(path string) (all []Told) {
	text, _ := os.ReadFile(path)
	for line := range strings.Lines(string(text)) {
		var t Told
		if !strings.HasSuffix(line, "\n") || json.Unmarshal([]byte(line), &t) != nil {
			break
		}
		all = append(all, t)
	}
	return all
}

// CarryOutAPI carries out an order on a model, if it is one of package callseq/api, which sets it.
// The link, if it is not nil, tells what instrumented code does.
var CarryOutAPI = func(model any, o *API, link *engine.Link) error { return nil }

// A Suite is what comes of an [API]: either the suite of package callseq/api, or Code, or nothing.
type Suite struct {
	Regressions, Errors []Test
	Stats               Stats
	Candidates          [][]byte // sequences for regression tests
	Tries               []int    // of a hunt: by mistake, the sequences that have run with it
	Found               []int    // of a hunt: the mistakes that one has told apart

	// of Entry, if Fate is set, which is the only error: its last call is given nil, or what is not
	// ready, or itself, or may panic, or what has started a goroutine may
	Tainted bool `json:",omitempty"`
}

// A Test is a test of a [Suite].
type Test struct {
	Test    string // its name, once it has one
	Op      string // of an error: what fails
	Message string // and how
	Place   string `json:",omitempty"` // FILE:LINE
	Why     string `json:",omitempty"` // of an error: it is believed to be one
	// the test of an error with the same cause, which comes before
	Like   string `json:",omitempty"`
	Doubt  string `json:",omitempty"` // why it may be a mistake of the caller
	Found  int    // sequences that fail so
	Writes bool   `json:",omitempty"` // it may write or remove files
	// of a regression test: its name, in place of Op, if another one has that
	Titles  []string `json:",omitempty"`
	Notices []int    `json:",omitempty"` // of a regression test: the mistakes that fail it
	Code    string   // Go statements
	Steps   []string `json:",omitempty"` // of an error: the calls
}

// Exit statuses of a process that carries out an [API], beside the statuses of tests.
const (
	ExitHang   = 81 // a sequence does not end
	ExitMemory = 82 // a sequence takes too much memory
	ExitFull   = 83 // earlier sequences have left too much memory: another process resumes
)

// WriteSuite stores a suite, which has the fields of a [Suite], at path.
func WriteSuite(path string, suite any) error { return write(path, suite) }

// ReadSuite reads a suite. It returns nil if there is no whole one.
func ReadSuite(path string) (*Suite, error) { return read[Suite](path) }
