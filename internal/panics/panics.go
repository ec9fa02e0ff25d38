// Package panics tells where a panic comes from, while it is recovered. It is apart from its
// consumers because generators, sequences of calls and checks all name that place in their
// messages.
package panics

import (
	"fmt"
	"iter"
	"path/filepath"
	"runtime"
	"strings"
)

// Frames returns the functions that were running when the panic began, the innermost first, without
// functions of the runtime. It must be called in a deferred function, or below one.
func Frames() iter.Seq[runtime.Frame] {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	return func(yield func(runtime.Frame) bool) {
		below := false
		for more := true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			if f.Function == "runtime.gopanic" {
				below = true
			} else if below && !strings.HasPrefix(f.Function, "runtime.") && !yield(f) {
				return
			}
		}
	}
}

// Place returns FILE:LINE of a frame.
func Place(f runtime.Frame) string { return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line) }
