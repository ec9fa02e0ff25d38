package stack

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// maxStackLines is how many lines of a stack are shown.
const maxStackLines = 40

// Of returns the stack of the goroutine in which a method of package fuzzext runs on the
// receiver: what is above it, and above another method that it may call. It leaves out
// goroutines of runs that have been abandoned.
func Of(receiver any, method, called string) string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	this, all := "", ""
	for _, g := range strings.Split(string(buf), "\n\n") {
		above, call, ok := strings.Cut(g, "\n"+fuzzext+method)
		if _, left := leftBehind.Load(goroutineID(above)); !ok || left {
			continue
		}
		above, _, _ = strings.Cut(above, "\n"+fuzzext+called)
		lines := strings.Split(above, "\n")
		if len(lines) > maxStackLines {
			lines = append(lines[:maxStackLines], "...")
		}
		above = strings.Join(lines, "\n") + "\n"
		all += above
		if strings.HasPrefix(call, fmt.Sprintf("%p", receiver)) {
			this = above
		}
	}
	return cmp.Or(this, all) // the runtime does not always know the arguments
}

// Above returns the part of a stack that is above methods of package fuzzext. What is below says
// nothing of the user's code, except of runs that have ended before.
func Above(stack string, methods ...string) string {
	part := stack
	for _, method := range methods {
		part, _, _ = strings.Cut(part, "\n"+fuzzext+method)
	}
	const elided = " frames elided..."
	if inner, _, ok := strings.Cut(part, elided); ok {
		part = inner + elided
	}
	return part + "\n"
}

// A Where says where a goroutine is.
type Where struct {
	Function string
	Place    string // FILE:LINE, or ""
}

// Innermost returns the innermost function of a stack that is not of the standard library, or
// else the innermost one.
func Innermost(stack string) (w Where) {
	lines := strings.Split(stack, "\n")
	for i := 1; i+1 < len(lines); i += 2 { // a function, and below it where it is
		name := lines[i]
		if paren := strings.LastIndexByte(name, '('); paren > 0 {
			name = name[:paren]
		}
		file, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
		at := Where{name[strings.LastIndexByte(name, '/')+1:], filepath.Base(file)}
		if colon := strings.LastIndexByte(file, ':'); colon > 0 {
			file = file[:colon]
		}
		if w.Function == "" {
			w = at
		}
		if !standard(runtime.Frame{Function: name, File: file}) {
			return at
		}
	}
	return Where{cmp.Or(w.Function, "a function that is not known"), w.Place}
}

func (w Where) String() string {
	if w.Place == "" {
		return w.Function
	}
	return w.Function + " at " + w.Place
}

// LeaveBehind makes Of leave out the goroutine of a stack: its run has not returned although its
// trial has continued.
func LeaveBehind(stack string) { leftBehind.Store(goroutineID(stack), true) }

var leftBehind sync.Map // identifiers of goroutines

// goroutineID returns the beginning of a stack, as in "goroutine 35".
func goroutineID(stack string) string {
	id, _, _ := strings.Cut(strings.TrimSpace(stack), " [")
	return id
}
