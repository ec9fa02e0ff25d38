package fuzzext

import (
	"flag"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
)

// target is the test or fuzz function that called Check or Valid, as FuzzInsert of
// package pkg. It is empty if that was called outside one.
type target struct{ pkg, name string }

// callingTarget finds the function that testing has called to run a test or fuzz target.
func callingTarget() target {
	pcs := make([]uintptr, 1024)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	last := ""
	for {
		f, more := frames.Next()
		if f.Function == "testing.fRunner" || f.Function == "testing.tRunner" {
			return parseTarget(last)
		}
		last = f.Function
		if !more {
			return target{}
		}
	}
}

// parseTarget splits the name of a function as the runtime writes it.
func parseTarget(function string) target {
	slash := strings.LastIndexByte(function, '/') + 1
	pkg, name, ok := strings.Cut(function[slash:], ".")
	if !ok {
		return target{}
	}
	name, _, _ = strings.Cut(name, ".") // without .func1
	return target{function[:slash] + strings.ReplaceAll(pkg, "%2e", "."), name}
}

// importPath returns what `go test` knows the package by.
func (t target) importPath() string { return strings.TrimSuffix(t.pkg, "_test") }

// beingFuzzed reports whether this process runs, or is about to run, Go's fuzzer
// on the target.
func (t target) beingFuzzed() bool {
	pattern := flagValue("test.fuzz")
	if pattern == "" || t.name == "" {
		return false
	}
	ok, err := regexp.MatchString(pattern, t.name)
	return err == nil && ok
}

// fuzzing reports whether this process executes inputs for Go's fuzzer.
func fuzzing() bool { return flagValue("test.fuzzworker") == "true" }

// keepStructure switches the engine's minimisation off, unless the user has set
// its time.
func keepStructure() {
	const name = "test.fuzzminimizetime"
	set := false
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	if !set && flag.Lookup(name) != nil {
		_ = flag.Set(name, "0s") // where it cannot be had, minimisation only costs time
	}
}

// maxStack is how large the stack of a goroutine becomes in a process that fuzzes. A stack
// overflow of 128 MB, with the copies while the stack grows and the report of the runtime,
// takes 0.8 s of CPU time, one of 32 MB 0.2 s. The engine forgets an input whose run has not
// ended when the time for fuzzing is up.
const maxStack = 32 << 20

// limitStack makes infinite recursion end the process before the system does so for lack
// of memory: the engine saves no input then.
func limitStack() {
	if old := debug.SetMaxStack(maxStack); old < maxStack {
		debug.SetMaxStack(old)
	}
}

func flagValue(name string) string {
	if f := flag.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}
