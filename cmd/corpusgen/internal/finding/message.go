package finding

import (
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/engine"
)

// maxMessage limits a line of a message, in characters, and maxLines the lines.
const (
	maxMessage = 120
	maxLines   = 3
)

// recovered matches what the runtime says of a panic that package testing has seen.
var recovered = regexp.MustCompile(` \[recovered(, repanicked)?\]$`)

// ProcessEnded begins what the engine says of an input that has ended its process. It does not say
// how, and nobody sees what the process has printed.
const ProcessEnded = "fuzzing process hung or terminated unexpectedly"

// PrintedBefore is between the last words of a process and what it has printed before.
const PrintedBefore = "\n\nbefore that, it printed:\n"

// Calls returns the calls in the user's code that lead to the failure of a log, innermost first.
// Functions of Espalier that call a property say nothing of its failure.
func Calls(log string) []engine.Call {
	const module = "github.com/espalier-go/espalier/"
	return engine.CallsOf(log, module+"fuzzext.", module+"fuzzext/", module+"bigen.", module+"bigen/",
		module+"mutate.", module+"internal/")
}

// said matches a line that a test logs: FILE.go:LINE: MESSAGE.
var said = regexp.MustCompile(`^\S+\.go:\d+:(.*)$`)

// Message returns what has failed in up to three lines: the first that the test logs,
// without their place, or how the process has ended. It returns the empty string if the log
// has no such line.
func Message(log string) string {
	lines := strings.Split(log, "\n")
	for i, full := range lines {
		line := strings.TrimSpace(full)
		m := said.FindStringSubmatch(line)
		switch {
		case line == engine.ExitCalled, engine.IsSignal(lines[i:]):
			return shorten(append([]string{line}, lastPrinted(log)...))
		case strings.HasPrefix(line, "panic: "),
			strings.HasPrefix(line, "the property has not returned after "),
			strings.HasPrefix(line, "fatal error: "),
			strings.HasPrefix(line, "the process has ended: "),
			strings.HasPrefix(line, "the input has "), strings.HasPrefix(line, ProcessEnded):
			return shorten([]string{recovered.ReplaceAllString(line, "")})
		case m == nil, engine.IsLog(strings.TrimSuffix(said.FindString(line), ":"+m[1])):
		case strings.TrimSpace(m[1]) != "":
			return shorten(append([]string{m[1]}, continued(full, lines[i+1:])...))
		default:
			return shorten(assertion(strings.Join(lines[i+1:], "\n")))
		}
	}
	return ""
}

// lastPrinted returns the last line that a target has printed before it has ended the process: what
// it says of the reason.
func lastPrinted(log string) []string {
	_, before, ok := strings.Cut(log, PrintedBefore)
	if !ok {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(before), "\n")
	return lines[len(lines)-1:]
}

// continued returns the lines that belong to the message that begins with first: those
// indented further, up to an empty one or a stack.
func continued(first string, lines []string) []string {
	indent := func(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }
	for i, line := range lines {
		if text := strings.TrimSpace(line); text == "" || strings.HasPrefix(text, "goroutine ") ||
			indent(line) <= indent(first) {
			return lines[:i]
		}
	}
	return lines
}

// labels are what follows the error in the text of a package of assertions.
var labels = regexp.MustCompile(`\n\s*\t(Test|Messages):(?s:.*)`)

// assertion returns what follows Error: as packages of assertions write below an empty line, up to
// their next label. Otherwise, it returns the first line that is not empty.
func assertion(text string) []string {
	if _, labeled, ok := strings.Cut(text, "\tError:"); ok {
		return strings.Split(labels.ReplaceAllString(labeled, ""), "\n")
	}
	return []string{session.FirstLine(text)}
}

// shorten joins the first lines that are not empty.
func shorten(lines []string) string {
	var short []string
	for _, line := range lines {
		r := []rune(unrepeated(strings.TrimSpace(line)))
		switch {
		case len(r) == 0:
		case len(short) == maxLines:
			return strings.Join(short, "\n") + "\n…"
		case len(r) > maxMessage:
			short = append(short, string(r[:maxMessage-1])+"…")
		default:
			short = append(short, string(r))
		}
	}
	return strings.Join(short, "\n")
}

const (
	minRepeated = 32       // bytes of a part that is shortened if it comes twice
	maxCompared = 64 << 10 // bytes of a line in which such parts are looked for
)

// unrepeated shortens the longest part that a long line has twice, such as what is equal in the
// values that a test got and wanted: what differs comes into sight.
func unrepeated(line string) string {
	if len(line) <= maxMessage {
		return line
	}
	line = line[:min(len(line), maxCompared)]
	seen := map[string]int{}
	var first, second, size int
	for i := 0; i+minRepeated <= len(line); {
		part := line[i : i+minRepeated]
		at, ok := seen[part]
		if !ok {
			seen[part] = i
		}
		if !ok || at+minRepeated > i {
			i++
			continue
		}
		n := minRepeated
		for i+n < len(line) && at+n < i && line[at+n] == line[i+n] {
			n++
		}
		if n > size {
			first, second, size = at, i, n
		}
		i += n
	}
	if size == 0 {
		return line
	}
	const left = minRepeated / 4 // at both ends of a part
	short := line[:first+left] + "…" + line[first+size-left:second+left] + "…" + line[second+
		size-left:]
	return strings.ToValidUTF8(short, "")
}
