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
	pcs, standard := make([]uintptr, 200), ""
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case f.Function == serve:
			more = false
		case f.Function == "runtime.gopanic": // the one that is found last has been called first
			p.stack, p.place, standard = nil, "", strings.TrimSuffix(f.File, "runtime/panic.go")
		case standard == "" || len(p.stack) == 0 && strings.HasPrefix(f.Function, "runtime."):
		default:
			p.stack = append(p.stack, f)
			if p.place == "" && !strings.HasPrefix(f.File, standard) {
				p.place = fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
			}
		}
	}
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
