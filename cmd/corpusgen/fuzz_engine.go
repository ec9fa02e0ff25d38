package main

import "context"

// A fuzzEngine is what makes the engine in test binaries what it is.
type fuzzEngine struct {
	tags  []string // for building
	flags []string // for go test -c
	vars  []string // for the environment of go test -c
	// It can pass over failures that are known, so that a target that has failed
	// can be taken up again.
	passesOver bool
}

// newFuzzEngine prepares the engine that the options of f ask for.
func newFuzzEngine(ctx context.Context, f *fuzzer) (*fuzzEngine, error) {
	e := &fuzzEngine{vars: []string{"GOTMPDIR=" + f.dir}}
	if f.stock {
		return e, nil
	}
	for _, name := range []string{"toolexec", "overlay"} {
		if value, ok := f.flags.Lookup(name); ok {
			return nil, usageError{"-" + name + "=" + value + ": corpusgen fuzz uses this flag itself, unless -stock is set"}
		}
	}
	e.passesOver = f.overlay != "off"
	return e, nil
}
