package fuzzext

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/espalier-go/espalier/fuzzext/internal/caller"
)

// A target is the test or fuzz function that has called Check or Valid: name, such as
// FuzzInsert, of the package pkg. It is empty if no test has called.
type target struct{ pkg, name string }

// targetOf returns the test or fuzz function of a stack.
func targetOf(s caller.Stack) target {
	pkg, name := s.Test()
	return target{pkg, name}
}

// importPath returns the path by which go test knows the package.
func (t target) importPath() string { return strings.TrimSuffix(t.pkg, "_test") }

// beingFuzzed reports whether this process runs Go's fuzzer on the target, or is about to.
func (t target) beingFuzzed() bool {
	pattern := flagValue("test.fuzz")
	if pattern == "" || t.name == "" {
		return false
	}
	ok, err := regexp.MatchString(pattern, t.name)
	return err == nil && ok
}

// rerun returns the command that runs one test, or one corpus entry, again. A run that hangs
// gets a time limit.
func (t target) rerun(name string, hangs bool) string {
	return caller.Rerun(t.importPath(), name, hangs)
}

// fuzzing reports whether this process executes inputs for Go's fuzzer.
func fuzzing() bool { return flagValue("test.fuzzworker") == "true" }

// disableMinimization switches the engine's minimization off, unless the user has set its
// time. It removes bytes from inputs, and so destroys their structure.
func disableMinimization() {
	const name = "test.fuzzminimizetime"
	set := false
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	if !set && flag.Lookup(name) != nil {
		_ = flag.Set(name, "0s") // if that fails, minimization only costs time
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

// packageDir is the directory in which the test binary started: that of the package. A test
// may change its working directory.
var packageDir = func() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	return dir
}()

// inPackage returns a file's path, which is relative to the directory of the package.
func inPackage(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(packageDir, file)
}
