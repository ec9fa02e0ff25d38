// Package job hands one order from corpusgen to fuzzext inside a test binary.
//
// A generator lives in the user's _test.go file, so only the package's own test binary can
// run it. Corpusgen writes an [Order] to a file outside the user's tree, names that file in
// the environment variable [Env] and runs `go test` on one fuzz target. When that target
// makes its fuzz function, fuzzext carries out the order and writes an [Answer] beside it.
// The test binary writes nothing else: corpusgen alone writes to testdata.
package job

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/espalier-go/espalier/internal/atomicfile"
)

// Env is the environment variable that holds the path of the order's file.
const Env = "ESPALIER_JOB"

// An Order asks the fuzz target Target for N new corpus entries.
type Order struct {
	Target string // name of the fuzz function, as in FuzzInsert
	Answer string // path of the file to write the answer to
	N      int    // how many entries, at least 1
	Seed   uint64 // start of the random stream
	Blind  bool   // the property must not run, not even to see which values are valid
}

// An Answer is the result of an Order.
type Answer struct {
	Entries [][]byte // the []byte argument of each new entry, in the order made
	Draws   int      // values drawn to find them
	Note    string   // why there are fewer than N, if that is no error
	Error   string   // what went wrong
}

// Current returns the order of this process, or nil if it has none.
func Current() (*Order, error) {
	path := os.Getenv(Env)
	if path == "" {
		return nil, nil
	}
	var o Order
	if err := read(path, &o); err != nil {
		return nil, fmt.Errorf("reading the order named by %s: %w", Env, err)
	}
	return &o, nil
}

// Write stores the order at path, for a process whose [Env] names path.
func (o *Order) Write(path string) error { return write(path, o) }

// Reply stores a as the answer to o.
func (o *Order) Reply(a *Answer) error { return write(o.Answer, a) }

// ReadAnswer returns the answer to o, or nil if there is none.
func (o *Order) ReadAnswer() (*Answer, error) {
	var a Answer
	err := read(o.Answer, &a)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &a, nil
}

func read(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// write leaves no half answer if the test binary is killed.
func write(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, b)
}
