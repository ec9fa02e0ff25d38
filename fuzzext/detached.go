package fuzzext

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"testing"
)

// A detachedTB is the testing.TB of runs that belong to no test. It keeps what they report. It
// lacks the methods that fuzzext.T has itself.
type detachedTB struct {
	testing.TB
	name string

	mu     sync.Mutex
	text   bytes.Buffer
	failed bool
}

// detached returns the TB of a target with a name.
func detached(name string) *detachedTB { return &detachedTB{name: name} }

func (d *detachedTB) Name() string { return d.name }
func (d *detachedTB) Helper()      {}
func (d *detachedTB) Failed() bool {
	return false // or the next run would count as failed
}
func (d *detachedTB) Setenv(string, string)    {}
func (d *detachedTB) Chdir(string)             {}
func (d *detachedTB) Output() io.Writer        { return d }
func (d *detachedTB) Context() context.Context { return context.Background() }

func (d *detachedTB) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(b)
}

func (d *detachedTB) Fail() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failed = true
}

func (d *detachedTB) Error(args ...any) {
	fmt.Fprintln(d, args...)
	d.Fail()
}

// take returns what has been reported since the last call, and whether there was a failure.
func (d *detachedTB) take() (text string, failed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	text, failed = d.text.String(), d.failed
	d.text.Reset()
	return text, failed
}
