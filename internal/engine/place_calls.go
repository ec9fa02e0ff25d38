package engine

import "strings"

// A Call is a call in the user's code.
type Call struct {
	Function string // without the path of its package's directory
	Place    string // FILE:LINE
}

// CallsOf returns the calls in the user's code that lead to a failure, innermost first, given what
// the test has printed: those of the goroutine that panics, that calls os.Exit, or that runs when the
// process ends. Functions of the standard library, and of packages that own begins, are left out.
// CallsOf returns nil if the log has no such stack.
func CallsOf(log string, own ...string) (calls []Call) {
	lines := strings.Split(log, "\n")
	library := libraryOf(lines)
	running, panicked := false, false
	for i, line := range lines {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "goroutine "):
			if len(calls) > 0 {
				return calls
			}
			running = strings.Contains(line, " [running")
			continue
		case strings.HasPrefix(line, "panic("):
			if !panicked {
				calls = nil // of what has recovered it
			}
			panicked = true
		case line == "" && len(calls) > 0:
			return calls
		}
		if !running || i+1 == len(lines) || strings.HasPrefix(line, "created by ") {
			continue
		}
		path, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
		if !isPlace(path) || !strings.HasSuffix(line, ")") {
			continue
		}
		function := line[:strings.LastIndexByte(line, '(')]
		if inLibrary(function, path, library) || hasAnyPrefix(function, own) {
			continue
		}
		calls = append(calls, Call{function[strings.LastIndexByte(function, '/')+1:],
			path[strings.LastIndexAny(path, `/\`)+1:]})
	}
	return calls
}

// isPlace reports whether a text is a file of Go code with a number of a line.
func isPlace(text string) bool {
	at := strings.LastIndex(text, ".go:")
	return at >= 0 && strings.Trim(text[at+len(".go:"):], "0123456789") == ""
}

func hasAnyPrefix(text string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}
