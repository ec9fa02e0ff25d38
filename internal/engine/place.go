package engine

import (
	"cmp"
	"strings"
)

// ExitCalled is the line before the stack of a call of os.Exit.
const ExitCalled = "os.Exit was called"

// TimedOut begins the line before the stacks of a process whose time was over, as package testing
// says it.
const TimedOut = "panic: test timed out after "

// IsSignal reports whether Go's runtime says, from the first of some lines on, that a signal has
// ended the process in code of another language, as in "SIGSEGV: segmentation violation".
func IsSignal(lines []string) bool {
	return len(lines) > 1 && strings.HasPrefix(strings.TrimSpace(lines[0]), "SIG") &&
		strings.HasPrefix(strings.TrimSpace(lines[1]), "PC=")
}

// PlaceOf returns the place where a test has failed, as FILE:LINE, given what the test has
// printed, whose lines may be indented. The place is the one that testing puts before the
// first message that [IsLog] does not know as one that only logs or, if the message is about a panic, the place where the panic began in the
// user's code. If the process has ended by a panic or a fatal error, it is the place in the
// user's code where that began, if the log has the stack, or else the line that says how the
// process has ended. If the message says where an operation has overflowed, the place is there.
// PlaceOf returns the empty string if it finds none of these.
func PlaceOf(log string) string {
	lines := strings.Split(log, "\n")
	logged := ""
	for i, line := range lines {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "fuzzing process hung or terminated unexpectedly"):
			return line
		case strings.HasPrefix(line, "panic: "):
			if place := overflowPlace(line[len("panic: "):]); place != "" {
				return place
			}
			return cmp.Or(panicPlace(lines[i+1:]), runningPlace(lines[i+1:]))
		case strings.HasPrefix(line, "fatal error: "):
			return cmp.Or(runningPlace(lines[i+1:]), cgoPlace(lines[i+1:]), line)
		case IsSignal(lines[i:]):
			return cmp.Or(cgoPlace(lines[i+1:]), runningPlace(lines[i+1:]), line)
		case line == ExitCalled:
			return cmp.Or(runningPlace(lines[i+1:]), line)
		}
		place, message := cutPlace(line)
		if place == "" {
			continue
		}
		if strings.HasPrefix(place, "testing.go:") && strings.HasPrefix(message, " panic: ") {
			return panicPlace(lines[i+1:])
		}
		if IsLog(place) {
			logged = cmp.Or(logged, place)
			continue
		}
		return cmp.Or(overflowPlace(strings.TrimSpace(message)), place)
	}
	return logged
}

// cutPlace cuts a line of the form FILE.go:LINE:MESSAGE. The place is empty if the
// line has another form.
func cutPlace(line string) (place, message string) {
	file, rest, ok := strings.Cut(line, ".go:")
	if !ok || strings.ContainsAny(file, " \t") {
		return "", ""
	}
	number, message, ok := strings.Cut(rest, ":")
	if !ok || number == "" || strings.Trim(number, "0123456789") != "" {
		return "", ""
	}
	return file + ".go:" + number, message
}

// overflowPlace returns the place of an operation that a message says has overflowed, or the empty
// string. Tests of corpusgen test -overflow fail so, where the function with the parameter t ends.
func overflowPlace(message string) string {
	rest, ok := strings.CutPrefix(message, "overflow at ")
	if !ok {
		return ""
	}
	place, _, _ := strings.Cut(rest, " in ")
	if file, _ := cutPlace(place + ":"); file != place {
		return ""
	}
	return place
}

// origin returns the part of a stack that begins where its panic began: what is recovered in a
// deferred function, and then passed to panic again, is above that.
func origin(stack []string) []string {
	first, last := -1, 0
	for i, line := range stack {
		switch line = strings.TrimSpace(line); {
		case first >= 0 && strings.HasPrefix(line, "created by "):
			return stack[last:]
		case first < 0 && isPanic(line):
			first, last = i, i
		case first >= 0 && line == strings.TrimSpace(stack[first]): // it has the same value
			last = i
		}
	}
	return stack[last:]
}

func isPanic(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "panic(") }

// panicPlace returns the place of the frame that caused a panic: the first frame below the
// call of panic that is not in the standard library, or else not in the runtime. Each
// frame has two lines, its function and its place.
func panicPlace(stack []string) string {
	stack = origin(stack)
	panicked := false
	var library, std string // where the standard library is; the first place in it
	for i := 1; i < len(stack); i++ {
		function, place := strings.TrimSpace(stack[i-1]), strings.TrimSpace(stack[i])
		if panicked && strings.HasPrefix(function, "created by ") {
			break
		}
		if isPanic(function) {
			if !panicked {
				library, _, _ = strings.Cut(place, "runtime/panic.go:")
			}
			panicked = true
			continue
		}
		if !panicked || !strings.Contains(place, ".go:") ||
			strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "internal/runtime/") {
			continue
		}
		path, _, _ := strings.Cut(place, " +0x")
		short := path[strings.LastIndexAny(path, "/\\")+1:]
		if !inLibrary(function, path, library) {
			return short
		}
		if std == "" {
			std = short
		}
	}
	return std
}

// runningPlace returns the place of the first frame of the goroutine that runs which is not in the
// standard library.
func runningPlace(stack []string) string { return placeIn(stack, " [running") }

// cgoPlace returns the place of the first frame of a goroutine that runs code of another language
// which is not in the standard library.
func cgoPlace(stack []string) string {
	for i, line := range stack {
		if strings.Contains(line, cgoFile) {
			for ; i > 0 && !strings.HasPrefix(stack[i], "goroutine "); i-- {
			}
			return placeIn(stack[i:], " [")
		}
	}
	return ""
}

// cgoFile begins the names of files that cgo generates.
const cgoFile = "_cgo_"

// placeIn returns the place of the first frame, not in the standard library, of the goroutine in
// whose line the state is.
func placeIn(stack []string, state string) string {
	library, running := libraryOf(stack), false
	for i, line := range stack {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "goroutine "):
			if running {
				return ""
			}
			running = strings.Contains(line, state)
		case running && line == "":
			return "" // the stack has ended
		case running && i+1 < len(stack) && strings.Contains(stack[i+1], ".go:"):
			path, _, _ := strings.Cut(strings.TrimSpace(stack[i+1]), " +0x")
			if !inLibrary(line, path, library) && !strings.HasPrefix(line, "runtime.") {
				return path[strings.LastIndexAny(path, "/\\")+1:]
			}
		}
	}
	return ""
}

// RacePlace returns the place of the first of the two accesses in a report of the race detector, in
// the user's code, or the empty string.
func RacePlace(report string) string {
	stack := strings.Split(report, "\n")
	library := libraryOf(stack)
	for i := range len(stack) - 1 {
		path, _, isFrame := strings.Cut(strings.TrimSpace(stack[i+1]), " +0x")
		if function := strings.TrimSpace(stack[i]); isFrame && strings.Contains(path, ".go:") &&
			!inLibrary(function, path, library) && !strings.HasPrefix(function, "runtime.") {
			return path[strings.LastIndexAny(path, "/\\")+1:]
		}
	}
	return ""
}

// libraryOf returns the directory of the standard library, which ends with a slash, if a frame of a
// stack shows it, or else the empty string.
func libraryOf(stack []string) string {
	for _, line := range stack {
		for _, file := range []string{"testing/testing.go:", "testing/fuzz.go:", "runtime/panic.go:",
			"runtime/debug/stack.go:", "runtime/asm_"} {
			if before, _, ok := strings.Cut(strings.TrimSpace(line), file); ok {
				return before
			}
		}
	}
	return ""
}

// inLibrary reports whether a function in the file with that path belongs to the standard
// library, whose directory ends with a slash. The directory is empty if paths are trimmed:
// then a package belongs to the standard library if the first part of its path has no dot. What cgo
// has generated counts as part of it.
func inLibrary(function, path, library string) bool {
	if strings.HasPrefix(path[strings.LastIndexAny(path, `/\`)+1:], cgoFile) {
		return true
	}
	if end := strings.IndexAny(function, "(["); end >= 0 {
		function = function[:end]
	}
	slash := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[slash:], ".")
	pkg := function[:slash] + name
	first, _, _ := strings.Cut(pkg, "/")
	switch {
	case first == "runtime" || first == "internal":
		return true // wherever an overlay has its files
	case library == "" && strings.Contains(first, "."):
		return false
	}
	// package runtime has functions of other packages
	return strings.HasPrefix(path, library+pkg+"/") || strings.HasPrefix(path, library+"runtime/")
}
