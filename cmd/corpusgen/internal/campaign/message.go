package campaign

import (
	"regexp"
	"strings"
)

// maxMessage limits a message, in characters.
const maxMessage = 120

// said matches a line that a test logs: FILE.go:LINE: MESSAGE.
var said = regexp.MustCompile(`^\S+\.go:\d+:(.*)$`)

// Message returns what has failed in one line: the first that the test logs, without its
// place, or how the process has ended. It returns the empty string if the log has no such
// line.
func Message(log string) string {
	lines := strings.Split(log, "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		m := said.FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "panic: "), strings.HasPrefix(line, "fuzzing process hung or terminated unexpectedly"):
			return shorten(line)
		case m == nil:
		case strings.TrimSpace(m[1]) != "":
			return shorten(strings.TrimSpace(m[1]))
		default:
			return shorten(assertion(lines[i+1:]))
		}
	}
	return ""
}

// assertion returns what follows Error: in the first line that begins with it, as packages
// of assertions write below an empty line. Otherwise, it returns the first line that is not
// empty.
func assertion(lines []string) string {
	first := ""
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if text, ok := strings.CutPrefix(line, "Error:"); ok {
			return strings.TrimSpace(text)
		}
		if first == "" {
			first = line
		}
	}
	return first
}

func shorten(s string) string {
	r := []rune(s)
	if len(r) <= maxMessage {
		return s
	}
	return string(r[:maxMessage-1]) + "…"
}
