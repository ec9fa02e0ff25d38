// Package stack reads the stacks of goroutines: where a run has failed or hangs, which
// goroutines it leaves, and which test calls fuzzext.
package stack

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"golang.org/x/exp/slices"
)

// The methods of package fuzzext that are on the stack of a run, as a stack has them.
const (
	InLoop   = "(*loop).next("  // makes a value, and runs the property
	InRun    = "(*trial).call(" // runs the property
	InBubble = "(*T).inBubble(" // runs the property in a bubble
)

// Places finds the places of failures. It keeps the last, since the runs on one value after another
// mostly fail in one place, and to symbolize a stack takes longer than many a run. The zero Places
// is ready to use.
type Places struct {
	mu           sync.Mutex
	pcs, helpers []uintptr
	panicked     bool
	place        string
}

// Place returns, as FILE:LINE, where the innermost function runs that is neither of package fuzzext
// nor a helper: one that has called Helper from one of these program counters. After a panic, that
// is one of those that were running then, outside of the standard library if there is one.
func (p *Places) Place(helpers []uintptr, panicked bool) string {
	var room [64]uintptr
	pcs := room[:runtime.Callers(2, room[:])]
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.place == "" || panicked != p.panicked ||
		!slices.Equal(pcs, p.pcs) || !slices.Equal(helpers, p.helpers) {
		p.pcs, p.helpers = append(p.pcs[:0], pcs...), append(p.helpers[:0], helpers...)
		p.panicked, p.place = panicked, placeOf(pcs, Functions(helpers), panicked)
	}
	return p.place
}

func placeOf(pcs []uintptr, helpers map[string]bool, panicked bool) string {
	inPanic := panicked
	frames := runtime.CallersFrames(pcs)
	where := "?" // the innermost helper, if all are
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case panicked && f.Function == "runtime.gopanic":
			panicked = false
		case f.Function+"(" == fuzzext+InRun || f.Function+"(" == fuzzext+InBubble:
			return where // below are runs that have ended before
		case !panicked && (helpers[f.Function] || inPanic && standard(f)) && where == "?":
			where = fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		case panicked || helpers[f.Function] || checks(f) || inPanic && standard(f) ||
			strings.HasPrefix(f.Function, fuzzext) || strings.HasPrefix(f.Function, "runtime."):
		default:
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
	}
	return where
}

// checks reports whether a function is of the package that `corpusgen test -overflow` adds to the
// user's module.
func checks(f runtime.Frame) bool { return strings.Contains(f.Function, "/_espalier/overflow.") }

// standard reports whether a function is of the standard library, judging by the path of its
// file. Built with -trimpath, that is PACKAGE/FILE.go, as for the packages of the user's
// module.
func standard(f runtime.Frame) bool {
	slash := strings.LastIndexByte(f.Function, '/') + 1
	pkg, _, _ := strings.Cut(f.Function[slash:], ".")
	pkg = f.Function[:slash] + pkg
	file := filepath.ToSlash(f.File)
	domain, _, _ := strings.Cut(pkg, "/")
	if _, name, _ := strings.Cut(f.Function[slash:], "."); strings.HasPrefix(name, "runtime_") &&
		strings.Contains("/"+file, "/runtime/") {
		return true // the runtime has parts of other packages
	}
	trimmed := strings.HasPrefix(file, pkg+"/") && !strings.Contains(domain, ".") &&
		!strings.HasPrefix(pkg+"/", mainModule()+"/")
	return trimmed || strings.Contains(file, "/src/"+pkg+"/")
}

// mainModule returns the path of the module that is tested.
var mainModule = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Path
	}
	return ""
})

// Functions returns the names of the functions with these program counters.
func Functions(pcs []uintptr) map[string]bool {
	names := map[string]bool{}
	for _, pc := range pcs {
		f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
		names[f.Function] = true
	}
	return names
}

// fuzzext is the prefix of the names of the functions of package fuzzext.
var fuzzext = func() string {
	pc, _, _, _ := runtime.Caller(0)
	module, _, _ := strings.Cut(runtime.FuncForPC(pc).Name(), "/internal/stack.")
	return module + "."
}()
