package engine

import "strings"

// A frame is a call in a stack.
type frame struct {
	function string // as runtime writes it, without arguments
	place    string // FILE:LINE
	library  bool   // the function belongs to the standard library
}

// HangPlace returns where a target hangs, as the name of a function and FILE:LINE, given what go
// test has printed when its time was over, once or several times: the innermost call that is in all
// the stacks of the goroutine that runs the target, and not in the standard library. What a loop
// calls comes and goes. HangPlace returns empty strings if there is no such call.
func HangPlace(logs ...string) (function, place string) {
	var shared []frame // outermost first
	for i, log := range logs {
		stack := targetStack(log)
		if i == 0 {
			shared = stack
		}
		n := 0
		for n < len(shared) && n < len(stack) && shared[n] == stack[n] {
			n++
		}
		if n < len(shared) && n < len(stack) && shared[n].function == stack[n].function {
			n++ // at two lines of it
		}
		shared = shared[:n]
	}
	for i := len(shared) - 1; i >= 0; i-- {
		if f := shared[i]; !f.library {
			return f.function, f.place
		}
	}
	return "", ""
}

// targetStack returns the stack of the goroutine that runs the function of a fuzz target, or a
// property of fuzzext, outermost first, or none.
func targetStack(log string) []frame {
	lines := strings.Split(log, "\n")
	library := libraryOf(lines)
	for goroutine := range strings.SplitSeq(log, "\n\n") {
		if !strings.Contains(goroutine, "testing.(*F).Fuzz.func1.1(") &&
			!strings.Contains(goroutine, "espalier/fuzzext.subjectOf[") {
			continue
		}
		var stack []frame
		lines := strings.Split(goroutine, "\n")
		for i := 0; i+1 < len(lines); i++ {
			function, place := strings.TrimSpace(lines[i]), strings.TrimSpace(lines[i+1])
			if !strings.Contains(place, ".go:") || strings.HasPrefix(function, "created by ") {
				continue
			}
			path, _, _ := strings.Cut(place, " +0x")
			f := frame{library: inLibrary(function, path, library),
				place: path[strings.LastIndexAny(path, `/\`)+1:]}
			if f.function = function; strings.HasSuffix(function, ")") {
				f.function = function[:strings.LastIndexByte(function, '(')]
			}
			stack = append([]frame{f}, stack...)
			i++
		}
		return stack
	}
	return nil
}
