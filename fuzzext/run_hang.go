package fuzzext

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

// stackOf returns the stack of the goroutine in which a method of this package runs on the
// receiver: what is above it, and above another method that it may call. It leaves out
// goroutines that have been left behind.
func stackOf(receiver any, method, called string) string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	this, all := "", ""
	for _, g := range strings.Split(string(buf), "\n\n") {
		above, call, ok := strings.Cut(g, "\n"+thisPackage+method)
		if !ok || leftBehind.has(above) {
			continue
		}
		above, _, _ = strings.Cut(above, "\n"+thisPackage+called)
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

// stackAbove returns the part of a stack that is above a method of this package. What is below says
// nothing of the user's code, except of runs that have ended before.
func stackAbove(stack, method string) string {
	part, _, _ := strings.Cut(stack, "\n"+thisPackage+method)
	const elided = " frames elided..."
	if inner, _, ok := strings.Cut(part, elided); ok {
		part = inner + elided
	}
	return part + "\n"
}

// A whereabouts says where a goroutine is.
type whereabouts struct {
	function string
	place    string // FILE:LINE, or ""
}

// whereIn returns the innermost function of a stack that is not of the standard library, or
// else the innermost one.
func whereIn(stack string) (w whereabouts) {
	lines := strings.Split(stack, "\n")
	for i := 1; i+1 < len(lines); i += 2 { // a function, and below it where it is
		name := lines[i]
		if paren := strings.LastIndexByte(name, '('); paren > 0 {
			name = name[:paren]
		}
		file, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
		at := whereabouts{name[strings.LastIndexByte(name, '/')+1:], filepath.Base(file)}
		if colon := strings.LastIndexByte(file, ':'); colon > 0 {
			file = file[:colon]
		}
		if w.function == "" {
			w = at
		}
		if !standard(runtime.Frame{Function: name, File: file}) {
			return at
		}
	}
	return whereabouts{cmp.Or(w.function, "a function that is not known"), w.place}
}

func (w whereabouts) String() string {
	if w.place == "" {
		return w.function
	}
	return w.function + " at " + w.place
}

// leftBehind knows the goroutines whose runs have not returned although their trials have
// continued.
var leftBehind goroutines

type goroutines struct {
	mu  sync.Mutex
	ids map[string]bool
}

// add adds the goroutine of a stack.
func (g *goroutines) add(stack string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ids == nil {
		g.ids = map[string]bool{}
	}
	g.ids[goroutineID(stack)] = true
}

func (g *goroutines) has(stack string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.ids[goroutineID(stack)]
}

// goroutineID returns the beginning of a stack, as in "goroutine 35".
func goroutineID(stack string) string {
	id, _, _ := strings.Cut(strings.TrimSpace(stack), " [")
	return id
}
