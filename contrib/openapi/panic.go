package openapi

import (
	"fmt"
	"net/http"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
)

// A panicking is what is known of a panic of the handler.
type panicking struct {
	value any
	stack []runtime.Frame // of the handler, the innermost first
	place string          // the innermost line of code that is not of the standard library
}

// maxFrames is how many lines of a stack a report has at most.
const maxFrames = 20

// serve calls the handler. It returns its panic, or nil. To end a response by a panic with
// http.ErrAbortHandler is allowed.
func (r *run) serve(w http.ResponseWriter, hr *http.Request) (p *panicking) {
	defer func() {
		if err := recover(); err != nil && err != http.ErrAbortHandler {
			p = &panicking{value: err}
			p.trace()
		}
	}()
	r.handler.ServeHTTP(w, hr)
	return nil
}

// trace finds the stack and the place. A function that serve defers calls it.
func (p *panicking) trace() {
	serve := reflect.TypeFor[run]().PkgPath() + ".(*run).serve"
	pcs, begun, root := make([]uintptr, 200), false, ""
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case f.Function == serve:
			more = false
		case f.Function == "runtime.gopanic": // the one that is found last has been called first
			begun, root = true, strings.TrimSuffix(f.File, "runtime/panic.go")
			p.stack, p.place = nil, ""
		case !begun || len(p.stack) == 0 && strings.HasPrefix(f.Function, "runtime."):
		default:
			p.stack = append(p.stack, f)
			if p.place == "" && !isStandard(f.File, root) {
				p.place = fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
			}
		}
	}
}

// isStandard reports whether a file is of the standard library, whose directory root is "" if files
// have import paths for directories, as under -trimpath.
func isStandard(file, root string) bool {
	if root != "" {
		return strings.HasPrefix(file, root)
	}
	first, _, _ := strings.Cut(file, "/")
	return !strings.Contains(first, ".")
}

// panicked fails the sequence for a panic of the handler. Its class has the operation and the place.
func (r *run) panicked(x *Exchange, p *panicking) {
	where := x.Operation
	if p.place != "" {
		where += " at " + p.place
	}
	r.class("panic: " + where)
	var stack strings.Builder
	for i, f := range p.stack {
		if i == maxFrames {
			fmt.Fprintf(&stack, "... %d more\n", len(p.stack)-i)
			break
		}
		fmt.Fprintf(&stack, "%s\n\t%s:%d\n", f.Function, f.File, f.Line)
	}
	r.Fatalf("panic: %v, in %s\n%s\n%s", p.value, where, r.curl(len(r.sent)), stack.String())
}
