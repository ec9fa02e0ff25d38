package main

import (
	"context"

	"github.com/espalier-go/espalier/internal/gotest"
)

// A fuzzEngine is what makes the engine in test binaries what it is.
type fuzzEngine struct {
	tags  []string // for go test -c
	flags []string // for go test -c, after those of the user
	vars  []string // for the environment of go test -c
	// It can pass over failures that are known, so that a target that has failed
	// can be taken up again.
	passesOver bool
}

// newFuzzEngine prepares the engine that the options of f ask for, for targets in
// pkgs.
func newFuzzEngine(ctx context.Context, f *fuzzer, pkgs []gotest.Package) (*fuzzEngine, error) {
	e := &fuzzEngine{
		flags: []string{"-fuzz=."},
		vars:  []string{"GOTMPDIR=" + f.dir},
	}
	if f.stock || f.overlay == "off" {
		return e, nil
	}
	if value, ok := f.flags.Lookup("overlay"); ok {
		return nil, usageError{"GOFLAGS=-overlay=" + value + ": corpusgen fuzz uses an overlay of its own, unless -stock or -overlay=off is set"}
	}
	e.passesOver = true
	return e, nil
}
