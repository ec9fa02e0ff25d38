package stack

import (
	"runtime"
	"strings"
)

// Calls has the functions that were being called at some time. To walk it takes longer than to make
// a value, and is of use only if something fails.
type Calls []uintptr

// Callers returns the stack above its caller.
func Callers() Calls {
	pcs := make(Calls, 16)
	n := runtime.Callers(2, pcs)
	for n == len(pcs) {
		pcs = make(Calls, 8*len(pcs))
		n = runtime.Callers(2, pcs)
	}
	return pcs[:n]
}

// Call returns the innermost call of an exported function of fuzzext.
func (s Calls) Call(function string, genArg int) Call {
	frames := runtime.CallersFrames(s)
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if pkg, name := split(f.Function); pkg+"." == fuzzext &&
			strings.TrimSuffix(name, "[") == function {
			break
		}
	}
	at, _ := frames.Next()
	pkg, within := split(at.Function)
	wrapped := pkg == strings.TrimSuffix(fuzzext, ".")+"/headers"
	if wrapped {
		at, _ = frames.Next()
		_, within = split(at.Function)
	}
	return Call{
		File:      at.File,
		Line:      at.Line,
		Within:    within,
		Function:  function,
		GenArg:    genArg,
		F:         "f",
		Qualifier: "fuzzext.",
		Wrapped:   wrapped,
	}
}

// Test returns the function, and its package, that package testing has called to run a test or a
// fuzz target. They are "" if there is none.
func (s Calls) Test() (pkg, name string) {
	frames := runtime.CallersFrames(s)
	for last := ""; ; {
		f, more := frames.Next()
		if f.Function == "testing.fRunner" || f.Function == "testing.tRunner" {
			return split(last)
		}
		// as in corpusgen's main function
		if !strings.HasPrefix(f.Function, "testing.") && !strings.HasPrefix(f.Function, "reflect.") {
			last = f.Function
		}
		if !more {
			return "", ""
		}
	}
}

// split splits the name of a function as the runtime writes it, without the names of functions
// within it.
func split(function string) (pkg, name string) {
	slash := strings.LastIndexByte(function, '/') + 1
	pkg, name, ok := strings.Cut(function[slash:], ".")
	if !ok {
		return "", ""
	}
	name, _, _ = strings.Cut(name, ".") // without .func1
	return function[:slash] + strings.ReplaceAll(pkg, "%2e", "."), name
}
