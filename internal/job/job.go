// Package job hands one order from corpusgen to fuzzext inside a test binary.
//
// A generator lives in the user's _test.go file, so only the package's own test binary can
// run it. Corpusgen writes an [Order] to a file outside the user's tree, names that file in
// the environment variable [Env] and runs the test binary on one fuzz target, or on one test
// that calls Check. When that target makes its fuzz function, or the test calls Check, fuzzext
// carries out the order. It writes what it finds to a file beside the order, one line at a
// time, so that little is lost if the property ends the process. Of the user's tree it writes
// failures only, as it does under Go's fuzzer.
package job

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/espalier-go/espalier/internal/safefile"
)

// Env is the environment variable that holds the path of the order's file.
const Env = "ESPALIER_JOB"

// Overflow is the environment variable that is set if packages are checked for overflow.
const Overflow = "ESPALIER_OVERFLOW"

// program names the environment variable with the command that has started a process.
const program = "ESPALIER_PROGRAM"

// SetProgram sets what [Program] returns in the processes that this one starts, too.
func SetProgram(command string) { os.Setenv(program, command) }

// Program returns the command that runs corpusgen, for messages: corpusgen, or go tool corpusgen.
func Program() string { return cmp.Or(os.Getenv(program), "corpusgen") }

// Flags is the environment variable that has flags of corpusgen test for the commands that tests
// print: without them, a schedule is another one.
const Flags = "ESPALIER_FLAGS"

// Brief is the environment variable that is set if only the verdicts of tests matter, to the number
// of values of a Check: failures are not minimized, looked at closer or saved.
const Brief = "ESPALIER_BRIEF"

// BriefChecks returns the number of values of a Check if only verdicts matter, and otherwise 0.
func BriefChecks() int {
	n, _ := strconv.Atoi(os.Getenv(Brief))
	return max(0, n)
}

// An Order asks the fuzz target Target for one of Make, Mutate, Read and Tune, or a test for API.
type Order struct {
	// name of the fuzz function, as in FuzzInsert, or the folder of a test that calls Check
	Target string
	Answer string // path of the file for the answer
	Seed   uint64 // start of the random stream

	Make   *Make   `json:",omitempty"`
	Mutate *Mutate `json:",omitempty"`
	Read   *Read   `json:",omitempty"`
	Tune   *Tune   `json:",omitempty"`
	API    *API    `json:",omitempty"`
}

// Make asks for new corpus entries that differ from each other and from those there are.
type Make struct {
	N     int  // how many entries, at least 1
	Blind bool // the property must not run, not even to see which values are valid
}

// Mutate asks for mutants of the entries of a corpus. The answer has an entry for each mutant that
// is new, and one with the number -1 for each file that is not an entry. A mutant depends on the
// corpus, the seed of the order and its number only. With Random, it depends also on how many of
// the random values before it are valid.
type Mutate struct {
	Corpus    []string      // paths of the entries to mutate
	From, To  int           // the numbers of the mutants are From to To-1
	N         int           // stop at so many new mutants that are valid, or checked; 0 for no limit
	Limit     time.Duration // stop so long after the first value is made; 0 for no limit
	Operators []string      // to choose from; none means all
	Same      string        // which picks can replace each other: "tag" or "family"; "" for family
	Check     bool          // report failures in full, and nothing else
	Random    bool          // try random values and mutants of them, too; then the corpus may be empty
	Known     []string      // the places of failures that are known
	Parents   bool          // say which entry each is a mutant of, and give the trees of both
}

// Read asks for what corpus entries stand for, or for the entries of values in other formats. The
// answer has an entry for each value in a file, and for each that is drawn: those the generator
// makes of random answers, by its own weights. Fewer are drawn if they have more than [MaxDrawn]
// choices in all.
type Read struct {
	Files []string // the paths of the files
	// of the files: "raw", "gofuzz", "headers" or "json"; "" for entries
	Format string `json:",omitempty"`
	Added  bool   // read also the values given to fuzzext.Add, before the files
	Draw   int    // so many values, after the files
	From   int    // begin with this value: those before it have been read
	Run    bool   // run the property, to see which values are valid
	Trees  bool   // give the choices
	Values int    // give the values as Go literals of at most so many bytes
	Code   bool   // give code that keeps the values
	As     string // give the files that keep the values: "corpus", "raw", "json"; "" for none
}

// MaxDrawn is how many choices the values that a Read draws have in all.
const MaxDrawn = 1 << 19

// NoAnswer begins what a process says that cannot write its answer. No value is to blame.
const NoAnswer = "fuzzext: answering corpusgen: "

// Current returns the order of this process, or nil if it has none.
func Current() (*Order, error) {
	path := os.Getenv(Env)
	if path == "" {
		return nil, nil
	}
	o, err := read[Order](path)
	if err == nil && o == nil {
		err = fs.ErrNotExist
	}
	if err == nil {
		err = o.check(path)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the order named by %s: %w", Env, err)
	}
	return o, nil
}

// check returns an error if an order is none of corpusgen's: what it makes written is beside its
// own file at path.
func (o *Order) check(path string) error {
	kinds := 0
	for _, is := range []bool{o.Make != nil, o.Mutate != nil, o.Read != nil, o.Tune != nil,
		o.API != nil} {
		if is {
			kinds++
		}
	}
	if o.Target == "" || kinds > 1 { // a later version may have a kind that is unknown here
		return fmt.Errorf("%s is not an order of corpusgen: unset the variable", path)
	}
	files := []string{o.Answer}
	if o.API != nil {
		files = []string{o.API.Before, o.API.Kept, o.API.Suite}
	}
	for _, file := range files {
		if filepath.Dir(file) != filepath.Dir(path) {
			return fmt.Errorf("%s asks to write to %q, which is not beside it: unset the variable",
				path, file)
		}
	}
	return nil
}

// Write stores the order at path, for a process whose [Env] names path.
func (o *Order) Write(path string) error { return write(path, o) }

// write stores v at path.
func write(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return safefile.Write(path, b)
}

// maxOrder bounds what is read, in bytes. An order lists files; a result has the values of a run.
const maxOrder = 1 << 30

// read reads what write has stored. It returns nil if there is no file.
func read[T any](path string) (*T, error) {
	b, err := safefile.Read(path, maxOrder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	v := new(T)
	return v, json.Unmarshal(b, v)
}
