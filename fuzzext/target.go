package fuzzext

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/shell"
)

// A target is the test or fuzz function that has called Check or Valid: name, such as
// FuzzInsert, of the package pkg. It is empty if no test has called.
type target struct{ pkg, name string }

// targetOf returns the test or fuzz function of a stack.
func targetOf(s stack.Calls) target {
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
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	command := "go test "
	switch {
	case os.Getenv(job.Overflow) != "":
		command = job.Program() + " test -overflow "
	case point.Instrumented():
		command = job.Program() + " test "
	}
	if flags := os.Getenv(job.Flags); flags != "" && point.Instrumented() {
		command += flags + " "
	}
	if hangs {
		command += "-timeout 30s "
	}
	if raceDetector {
		command += "-race "
	}
	command += "-run " + shell.Quote(strings.Join(parts, "/"))
	if pkg := t.importPath(); pkg != "" {
		command += " " + pkg
	}
	return command
}

// fuzzing reports whether this process executes inputs for Go's fuzzer.
func fuzzing() bool { return flagValue("test.fuzzworker") == "true" }

func flagValue(name string) string {
	if f := flag.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// packageDir is the directory in which the test binary started, which is the directory of the
// package. A test may change its working directory.
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
