package fuzzext

import (
	"context"
	"io"
	"os"
	"testing"
)

// detached is the testing.TB of runs that belong to no test. It discards what they report. It
// lacks the methods that [T] has itself.
type detached struct {
	testing.TB
	name string
	dir  string // for artifacts
}

func (d *detached) Name() string             { return d.name }
func (d *detached) Helper()                  {}
func (d *detached) Failed() bool             { return false }
func (d *detached) Fail()                    {}
func (d *detached) Error(...any)             {}
func (d *detached) Attr(string, string)      {}
func (d *detached) Setenv(string, string)    {}
func (d *detached) Chdir(string)             {}
func (d *detached) Output() io.Writer        { return io.Discard }
func (d *detached) Context() context.Context { return context.Background() }

// ArtifactDir returns one directory for all runs. It exists until remove is called.
func (d *detached) ArtifactDir() string {
	if d.dir == "" {
		d.dir, _ = os.MkdirTemp("", "fuzzext-*")
	}
	return d.dir
}

func (d *detached) remove() {
	if d.dir != "" {
		os.RemoveAll(d.dir)
	}
}
