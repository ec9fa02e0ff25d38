// Package detached has a testing.TB that belongs to no test.
package detached

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"testing"
)

// A TB is the testing.TB of runs that belong to no test. It keeps what they report. It lacks the
// methods that fuzzext.T has itself.
type TB struct {
	testing.TB
	name string

	mu     sync.Mutex
	text   bytes.Buffer
	failed bool
}

// New returns the TB of a target with a name.
func New(name string) *TB { return &TB{name: name} }

func (d *TB) Name() string             { return d.name }
func (d *TB) Helper()                  {}
func (d *TB) Failed() bool             { return false } // or the next run would count as failed
func (d *TB) Setenv(string, string)    {}
func (d *TB) Chdir(string)             {}
func (d *TB) Output() io.Writer        { return d }
func (d *TB) Context() context.Context { return context.Background() }

func (d *TB) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(b)
}

func (d *TB) Fail() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failed = true
}

func (d *TB) Error(args ...any) {
	fmt.Fprintln(d, args...)
	d.Fail()
}

// Take returns what has been reported since the last call, and whether there was a failure.
func (d *TB) Take() (text string, failed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	text, failed = d.text.String(), d.failed
	d.text.Reset()
	return text, failed
}
