package engine

import "strings"

// PlaceOf finds the place in the code where a test has failed, as FILE:LINE, in what the
// test says: what testing puts before its first message or, if that tells of a panic,
// where that began. If the process has ended instead, it is the line that says how. It
// is the empty string if there is none of these. Lines may be indented.
func PlaceOf(log string) string {
	lines := strings.Split(log, "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "fuzzing process hung or terminated unexpectedly") {
			return line
		}
		place, message := cutPlace(line)
		if place == "" {
			continue
		}
		if strings.HasPrefix(place, "testing.go:") && strings.HasPrefix(message, " panic: ") {
			return panicPlace(lines[i+1:])
		}
		return place
	}
	return ""
}

// cutPlace cuts a line of the form FILE.go:LINE:MESSAGE. The place is empty if it is
// none.
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

// panicPlace returns the place of the frame that called panic, in a stack: the first
// below that call that is not of the runtime. Each frame has two lines, its function
// and its place.
func panicPlace(stack []string) string {
	panicked := false
	for i := 1; i < len(stack); i++ {
		function, place := strings.TrimSpace(stack[i-1]), strings.TrimSpace(stack[i])
		called := strings.HasPrefix(function, "panic(")
		panicked = panicked || called
		if !panicked || called || !strings.Contains(place, ".go:") ||
			strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "internal/runtime/") {
			continue
		}
		place, _, _ = strings.Cut(place, " +0x")
		return place[strings.LastIndexAny(place, "/\\")+1:]
	}
	return ""
}
