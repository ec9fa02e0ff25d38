package fuzzext

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"testing"
)

// detached is the testing.TB of runs that belong to no test. It keeps what they report. It lacks
// the methods that [T] has itself.
type detached struct {
	testing.TB
	name string

	mu     sync.Mutex
	text   bytes.Buffer
	failed bool
}

func (d *detached) Name() string             { return d.name }
func (d *detached) Helper()                  {}
func (d *detached) Failed() bool             { return false } // or the next run would count as failed
func (d *detached) Setenv(string, string)    {}
func (d *detached) Chdir(string)             {}
func (d *detached) Output() io.Writer        { return d }
func (d *detached) Context() context.Context { return context.Background() }

func (d *detached) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(b)
}

func (d *detached) Fail() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failed = true
}

func (d *detached) Error(args ...any) {
	fmt.Fprintln(d, args...)
	d.Fail()
}

// take returns what has been reported since the last call, and whether there was a failure.
func (d *detached) take() (text string, failed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	text, failed = d.text.String(), d.failed
	d.text.Reset()
	return text, failed
}
