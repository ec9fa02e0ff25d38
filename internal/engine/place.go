package engine

import "strings"

// ended is what the engine says of a worker process that ends while it runs an input.
const ended = "fuzzing process hung or terminated unexpectedly"

// PlaceOf finds the place where a test has failed in what the test, or the engine, says:
//
//   - FILE:LINE of the first message of the test, or
//   - FILE:LINE of the code that panicked, if that comes first, or
//   - the line of the engine's that says how the process has ended.
//
// It is the empty string if none of these is there.
func PlaceOf(log string) string {
	lines := strings.Split(log, "\n")
	for i, line := range lines {
		if strings.Contains(line, ended) {
			return strings.TrimSpace(line)
		}
		place, message, ok := reported(line)
		if !ok {
			continue
		}
		if strings.HasPrefix(place, "testing.go:") && strings.HasPrefix(message, "panic: ") {
			if origin := panicPlace(lines[i+1:]); origin != "" {
				return origin
			}
		}
		return place
	}
	return ""
}

// reported takes a line that testing has written apart: indented, FILE:LINE, a colon and
// the message.
func reported(line string) (place, message string, ok bool) {
	text := strings.TrimLeft(line, " ")
	file, rest, ok := strings.Cut(text, ".go:")
	if !ok || len(text) == len(line) || strings.ContainsAny(file, " \t") {
		return "", "", false
	}
	number, message, ok := strings.Cut(rest, ": ")
	if !ok || !isNumber(number) {
		return "", "", false
	}
	return file + ".go:" + number, message, true
}

// panicPlace returns the place of the innermost function below the call of panic that is
// not of the runtime. A stack has two lines for each: the function and, indented by a
// tab, its place.
func panicPlace(stack []string) string {
	panicked := false
	for i := 1; i < len(stack); i++ {
		place, ok := strings.CutPrefix(strings.TrimLeft(stack[i], " "), "\t")
		if !ok {
			continue
		}
		function := strings.TrimLeft(stack[i-1], " ")
		if strings.HasPrefix(function, "panic(") {
			panicked = true
			continue
		}
		if !panicked || strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "internal/runtime/") {
			continue
		}
		place, _, _ = strings.Cut(place, " +0x")
		return place[strings.LastIndexAny(place, `/\`)+1:]
	}
	return ""
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
