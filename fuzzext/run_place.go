package fuzzext

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// placeOf returns, as FILE:LINE, where the innermost function runs that is neither of this
// package nor a helper. After a panic, that is one of those that were running then, outside
// of the standard library if there is one.
func placeOf(helpers map[string]bool, panicked bool) string {
	inPanic := panicked
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	where := "?" // the innermost helper, if all are
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case panicked && f.Function == "runtime.gopanic":
			panicked = false
		case f.Function == thisPackage+"(*runner).call":
			return where // below are runs that have ended before
		case !panicked && (helpers[f.Function] || inPanic && standard(f)) && where == "?":
			where = fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		case panicked || helpers[f.Function] || inPanic && standard(f) || strings.HasPrefix(f.Function, thisPackage) || strings.HasPrefix(f.Function, "runtime."):
		default:
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
	}
	return where
}

// standard reports whether a function is of the standard library, judging by the path of its
// file. Built with -trimpath, that is PACKAGE/FILE.go, as for the packages of the user's
// module.
func standard(f runtime.Frame) bool {
	slash := strings.LastIndexByte(f.Function, '/') + 1
	pkg, _, _ := strings.Cut(f.Function[slash:], ".")
	pkg = f.Function[:slash] + pkg
	file := filepath.ToSlash(f.File)
	domain, _, _ := strings.Cut(pkg, "/")
	trimmed := strings.HasPrefix(file, pkg+"/") && !strings.Contains(domain, ".") && !strings.HasPrefix(pkg+"/", mainModule()+"/")
	return trimmed || strings.Contains(file, "/src/"+pkg+"/")
}

// mainModule returns the path of the module that is tested.
var mainModule = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Path
	}
	return ""
})

// functionNames returns the names of the functions with these program counters.
func functionNames(pcs []uintptr) map[string]bool {
	names := map[string]bool{}
	for _, pc := range pcs {
		f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
		names[f.Function] = true
	}
	return names
}

// thisPackage is the prefix of the names of this package's functions.
var thisPackage = func() string {
	pc, _, _, _ := runtime.Caller(0)
	name := runtime.FuncForPC(pc).Name()
	slash := strings.LastIndexByte(name, '/')
	return name[:slash+strings.IndexByte(name[slash:], '.')+1]
}()
