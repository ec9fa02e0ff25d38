package caller

import (
	"runtime"
	"strings"
)

// OfTest returns a function that finds the function, and its package, which package testing has
// called to run a test or a fuzz target, among the callers of the skip-th caller. They are "" if there
// is none. To find it takes longer than to make a value, and is of use only if something fails.
func OfTest(skip int) func() (pkg, name string) {
	pcs := make([]uintptr, 16)
	n := runtime.Callers(skip+1, pcs)
	for n == len(pcs) {
		pcs = make([]uintptr, 8*len(pcs))
		n = runtime.Callers(skip+1, pcs)
	}
	return func() (pkg, name string) { return testAmong(pcs[:n]) }
}

func testAmong(callers []uintptr) (pkg, name string) {
	frames := runtime.CallersFrames(callers)
	for last := ""; ; {
		f, more := frames.Next()
		if f.Function == "testing.fRunner" || f.Function == "testing.tRunner" {
			return Split(last)
		}
		if !strings.HasPrefix(f.Function, "testing.") && !strings.HasPrefix(f.Function, "reflect.") { // as in corpusgen's main function
			last = f.Function
		}
		if !more {
			return "", ""
		}
	}
}

// Split splits the name of a function as the runtime writes it, without that of a function within.
func Split(function string) (pkg, name string) {
	slash := strings.LastIndexByte(function, '/') + 1
	pkg, name, ok := strings.Cut(function[slash:], ".")
	if !ok {
		return "", ""
	}
	name, _, _ = strings.Cut(name, ".") // without .func1
	return function[:slash] + strings.ReplaceAll(pkg, "%2e", "."), name
}
