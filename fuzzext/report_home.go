package fuzzext

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/espalier-go/espalier/fuzzext/internal/tally"
	"github.com/espalier-go/espalier/internal/engine"
)

// maxValue is how many bytes the literal of a value has at most in a report, or where the user asks
// for values.
const maxValue = 8 << 10

// A home says where the failures of a test are saved, how they run again, and which code
// keeps them. A fuzz target and a Check have different homes.
type home struct {
	// dir returns the directory for failures of a test, relative to the directory of the
	// package, or "" if they are not saved.
	dir func(test string) string

	// beside saves a failure elsewhere; nil if there is only dir.
	beside func(b []byte) (path string, err error)

	// maxLog bounds what a report has of the property's own log; 0 for no bound.
	maxLog int

	// rerun returns the command that runs a test again on a failure that is saved as a
	// file, unless that is "".
	rerun func(test, file string, hangs bool) string

	// repeat returns the command that makes the random values of a test again; nil if it
	// makes none.
	repeat func(test string, hangs bool) string

	// before returns how many random values have run before the i-th value of the test. It
	// reports false unless that has been made at random itself.
	before func(i int) (ran int, random bool)

	// snippet returns code that makes the test run on a value always, and says where to
	// put it. There is no code for a value that cannot be written down.
	snippet func(v writtenValue) (title, code string)
}

// save saves bytes that stand for a failing value, unless failures are not saved, and returns the
// path of the file. mark is the end of its name.
func (h *home) save(test string, b []byte, mark string) (path string, err error) {
	if h.beside != nil {
		return h.beside(b)
	}
	path, _, err = saveEntry(h.dir(test), b, mark)
	return path, err
}

// A writtenValue is a value as code can have it.
type writtenValue struct {
	literal  string // of Go, or a name for it
	exact    bool   // the literal makes the value, and the generator reads it back
	typeArgs string // of a generic function that takes the value
	bytes    []byte // stand for the value
}

// above is the name for the literal of the value that is shown above the code.
const above = "v"

// title returns the title of code, which says what the name means that it has.
func (v *writtenValue) title(s string) string {
	if v.exact && v.literal == above {
		s += " (" + above + " is the value above)"
	}
	return s
}

// checkHome returns the home of a Check. It saves failures itself, in a directory of the
// test, and runs them first the next time.
func checkHome(
	target func() target, call func() stack.Call, directory string, n *tally.Tally,
) home {
	repeat := func(test string, hangs bool) string {
		return target().rerun(test, hangs) + " " + n.RepeatFlags(flags.keep)
	}
	return home{
		dir: func(string) string { return directory },
		rerun: func(test, file string, hangs bool) string {
			if file == "" {
				return repeat(test, hangs)
			}
			return target().rerun(test+"/"+filepath.Base(file), hangs)
		},
		repeat: repeat,
		before: n.Ran,
		snippet: func(v writtenValue) (title, code string) {
			if !v.exact || isFront(call()) {
				return "", ""
			}
			return v.title("or always, by an option of " + call().Function), call().
				Read(packageDir).Qualifier + "Examples" + v.typeArgs + "(" + v.literal + ")"
		},
	}
}

// isFront reports whether Sequence is called by a function such as the Check and the Fuzz of a package
// for services, which tests call: its options are not the user's to give.
func isFront(c stack.Call) bool {
	return c.Function == stack.Sequence && !strings.HasSuffix(c.File, "_test.go")
}

// targetHome returns the home of a fuzz target. Go's fuzzer runs what is saved as a corpus
// entry.
func targetHome(target func() target, call func() stack.Call) home {
	h := home{
		dir: func(test string) string {
			switch {
			case minimizesAlone():
				return os.Getenv(engine.CorpusDir)
			case !fuzzing():
				return ""
			}
			return filepath.Join("testdata", "fuzz", test)
		},
		rerun: func(test, file string, hangs bool) string {
			if file != "" {
				test += "/" + filepath.Base(file)
			}
			return target().rerun(test, hangs)
		},
		snippet: func(v writtenValue) (title, code string) {
			before := "Fuzz"
			if call().Function == stack.Sequence && !isFront(call()) {
				before = stack.Sequence
			}
			title = "or always, by a line before the call of " + before
			if c := call().Read(packageDir); c.Gen != "" {
				title = v.title(title)
			}
			return title, seedLine(call().Read(packageDir), v)
		},
	}
	if engineLink != nil && engineLink.Driver != nil {
		h.beside = engineLink.Driver.Save
		h.maxLog = maxValue // a log of libFuzzer has the reports of many failures
		h.rerun = func(_, file string, _ bool) string { return engineLink.Driver.Rerun(file) }
	}
	return h
}

// maxSeed is how many bytes a line of code has at most that adds them as a seed.
const maxSeed = 2 << 10

// seedLine returns a line that makes a value a seed of the target that has the call.
func seedLine(c stack.Call, v writtenValue) string {
	switch {
	case v.exact && c.Gen != "":
		return c.Qualifier + "Add" + v.typeArgs + "(" + c.F + ", " + c.Gen + ", " + v.literal + ")"
	case len(v.bytes) <= maxSeed:
		return fmt.Sprintf("%s.Add([]byte(%q))", c.F, v.bytes)
	}
	return ""
}

// orderHome is the home of failures found on an order. They are saved as failures found by fuzzing
// are.
func orderHome(target func() target, call func() stack.Call) home {
	h := targetHome(target, call)
	h.dir = func(test string) string { return filepath.Join("testdata", "fuzz", test) }
	return h
}

// checkOrderHome is orderHome for a test that calls Check.
func checkOrderHome(t func() target, call func() stack.Call, test string) home {
	h := checkHome(t, call, checkDir(test), nil)
	h.rerun = func(_, file string, hangs bool) string {
		name := test
		if file != "" {
			name += "/" + filepath.Base(file)
		}
		return t().rerun(name, hangs)
	}
	h.repeat = nil
	return h
}
