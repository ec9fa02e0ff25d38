package point

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// header returns the first line of the stack of the calling goroutine, as far as it identifies
// the goroutine.
func header() string {
	var b [32]byte
	text, _, _ := strings.Cut(string(b[:runtime.Stack(b[:], false)]), "[")
	return text
}

// pageBits is the number of bits of an address within a page. No two goroutines have stacks in
// the same page.
const pageBits = 11

// calls reports whether g is the calling goroutine. A header takes a microsecond, so it is compared
// once for each page of the stack.
//
//go:norace
func (g *goroutine) calls() bool {
	var here byte
	page := uintptr(unsafe.Pointer(&here)) >> pageBits
	known := &g.pages[page%uintptr(len(g.pages))]
	if *known != page {
		if own := header(); own == g.header || own == g.pulled {
			*known = page
		}
	}
	return *known == page
}

// meets ends the run, and the calling goroutine, which the run does not know, so that its
// operations would have no turns. It returns nil to a goroutine outside the bubble, and to deferred
// functions. What a package starts when it is initialized, such as a loop that cleans up each
// minute, does not end the run. To an iterator of iter.Pull, it returns the goroutine that runs, which has called the
// iterator.
//
//go:norace
func (r *run) meets() *goroutine {
	b := make([]byte, 1<<16)
	stack := string(b[:runtime.Stack(b, false)])
	first, stack, _ := strings.Cut(stack, "\n")
	_, creator, _ := strings.Cut(stack, "\ncreated by ")
	creator, _, _ = strings.Cut(creator, "\n")
	creator, by, _ := strings.Cut(creator, " in goroutine ")
	r.mu.Lock()
	defer r.mu.Unlock()
	switch g := r.current; {
	case creator == "" || strings.HasPrefix(creator, "runtime."): // it calls finalizers and cleanups
		return nil
	case by == "1" && !strings.Contains(first, ", synctest bubble "): // it initializes packages
		return nil
	case strings.HasPrefix(creator, "iter.Pull") && g != nil:
		g.pulled, _, _ = strings.Cut(first, "[")
		return g
	}
	known := r.foreign != ""
	if !known {
		show() // package fmt has pools, whose synchronization counts
		r.ending, r.foreign = Foreign, stranger(creator, strings.Contains(stack, "/point.Child.Run("))
		hide()
	}
	if !known && strings.Contains(first, ", synctest bubble ") {
		runtime.Goexit()
	}
	return nil
}

// stranger says what is wrong with the calling goroutine, which a function started, or an
// instrumented go statement before the run.
func stranger(creator string, early bool) string {
	var e Event
	runtime.Callers(2, e.pcs[:])
	place, function := e.Place()
	text := fmt.Sprintf("a goroutine that %s has started runs %s, at %s, and corpusgen test "+
		"cannot give it turns: ", creator, function, place)
	path, domain := packageOf(creator)
	switch {
	case early:
		return text + "it is older than the run: start it in the property"
	case domain:
		return text + fmt.Sprintf("add -instrument '%s/...'", path)
	}
	return text +
		fmt.Sprintf("package %s is of the standard library, which cannot have points: call the "+
			"function in a goroutine that the test starts", path)
}

// packageOf returns the path of the package of a function, and whether it begins with a domain.
// Paths of the standard library do not.
func packageOf(function string) (path string, domain bool) {
	path = function[:strings.LastIndexByte(function, '/')+1]
	name, _, _ := strings.Cut(function[len(path):], ".")
	path += strings.ReplaceAll(name, "%2e", ".")
	root, _, _ := strings.Cut(path, "/")
	return path, strings.Contains(root, ".")
}
