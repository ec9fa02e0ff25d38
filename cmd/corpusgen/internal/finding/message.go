package finding

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/job"
)

// A size limits a text: its lines, and the characters of each.
type size struct{ lines, chars int }

var (
	brief = size{3, 120}
	whole = size{40, 400}
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
// without their place, or how the process has ended. Further lines keep their indentation
// below the first. It returns the empty string if the log has no such line.
func Message(log string) string {
	message, _ := messageOf(log)
	return shorten(message, brief)
}

// Whole returns what [Message] begins with, in up to 40 lines that may be long.
func Whole(log string) string {
	message, _ := messageOf(log)
	return shorten(message, whole)
}

// Logged returns what the test logs besides the message, with the places.
func Logged(log string) string {
	log, _, _ = strings.Cut(log, job.MinimalValue)
	_, at := messageOf(log)
	lines := strings.Split(log, "\n")
	var logged []string
	for i, full := range lines {
		line := strings.TrimSpace(full)
		if m := said.FindStringSubmatch(line); m == nil || i == at || stackBelow(lines[i+1:]) {
			continue
		}
		logged = append(logged, line)
		for _, more := range continued(full, lines[i+1:]) {
			logged = append(logged, "    "+more)
		}
	}
	return shorten(logged, whole)
}

// reported bounds what a report says of how a value fails.
var reported = size{80, 400}

// Report returns what the log of a value that fails says of how, besides the message and what the test
// logs: the calls of a sequence, the schedule of goroutines.
func Report(log string) string {
	_, at := messageOf(log)
	log, _, _ = strings.Cut(log, job.MinimalValue)
	lines := strings.Split(log, "\n")
	var rest []string
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		switch {
		case strings.HasPrefix(line, "--- FAIL: "), strings.HasPrefix(line, "=== "):
		case strings.HasPrefix(line, "goroutine ") && strings.HasSuffix(line, "]:"): // a stack
			return undented(rest)
		case i == at || said.MatchString(line):
			if !strings.HasPrefix(line, "panic: ") && !stackBelow(lines[i+1:]) {
				i += len(continued(lines[i], lines[i+1:]))
			}
		default:
			rest = append(rest, lines[i])
		}
	}
	return undented(rest)
}

// undented returns lines without the spaces that all begin with, and empty ones around them.
func undented(lines []string) string {
	indent := -1
	for _, line := range lines {
		if text := strings.TrimLeft(line, " "); text != "" && (indent < 0 || len(line)-len(text) < indent) {
			indent = len(line) - len(text)
		}
	}
	if len(lines) > reported.lines {
		lines = append(lines[:reported.lines:reported.lines], strings.Repeat(" ", max(0, indent))+"…")
	}
	var b strings.Builder
	for _, line := range lines {
		line = strings.TrimRightFunc(line[min(max(0, indent), len(line)):], unicode.IsSpace)
		if r := []rune(line); len(r) > reported.chars {
			line = string(r[:reported.chars-1]) + "…"
		}
		b.WriteString(line + "\n")
	}
	return strings.Trim(b.String(), "\n")
}

// messageOf returns the message of a log, and the line at which it begins.
func messageOf(log string) (message []string, at int) {
	lines := strings.Split(log, "\n")
	for i, full := range lines {
		line := strings.TrimSpace(full)
		m := said.FindStringSubmatch(line)
		switch {
		case line == engine.ExitCalled, engine.IsSignal(lines[i:]):
			return append([]string{line}, lastPrinted(log)...), i
		case strings.HasPrefix(line, "panic: "),
			strings.HasPrefix(line, "the property has not returned after "),
			strings.HasPrefix(line, "fatal error: "),
			strings.HasPrefix(line, "the process has ended: "),
			strings.HasPrefix(line, "the input has "), strings.HasPrefix(line, ProcessEnded):
			return []string{recovered.ReplaceAllString(line, "")}, i
		case m == nil, engine.IsLog(strings.TrimSuffix(said.FindString(line), ":"+m[1])):
		case strings.TrimSpace(m[1]) != "":
			return append([]string{strings.TrimSpace(m[1])}, continued(full, lines[i+1:])...), i
		default:
			return assertion(strings.Join(lines[i+1:], "\n")), i
		}
	}
	return nil, -1
}

// stackBelow reports whether a stack is next: the line above says why a test has panicked.
func stackBelow(lines []string) bool {
	return len(lines) > 0 && strings.HasPrefix(strings.TrimSpace(lines[0]), "goroutine ")
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
// indented further, up to a stack, without the four spaces of package testing.
func continued(first string, lines []string) (more []string) {
	indent := strings.Repeat(" ", len(first)-len(strings.TrimLeft(first, " ")))
	for _, line := range lines {
		below, deeper := strings.CutPrefix(line, indent)
		if !deeper || !strings.HasPrefix(below, " ") && !strings.HasPrefix(below, "\t") ||
			strings.HasPrefix(strings.TrimSpace(line), "goroutine ") {
			break
		}
		more = append(more, strings.TrimPrefix(below, "    "))
	}
	return more
}

// labels are what follows the error in the text of a package of assertions.
var labels = regexp.MustCompile(`\n\s*\t(Test|Messages):(?s:.*)`)

// aligned is what packages of assertions begin further lines of an error with.
var aligned = regexp.MustCompile(`^ *\t *\t`)

// assertion returns what follows Error: and Messages: as packages of assertions write below an empty
// line, up to their next label. Otherwise, it returns the first line that is not empty.
func assertion(text string) []string {
	_, labeled, ok := strings.Cut(text, "\tError:")
	if !ok {
		return []string{session.FirstLine(text)}
	}
	lines := unaligned(labels.ReplaceAllString(labeled, ""))
	if _, said, ok := strings.Cut(labeled, "\tMessages:"); ok {
		lines = append(lines, unaligned(said)...)
	}
	return lines
}

// unaligned returns the lines of what follows a label.
func unaligned(text string) (lines []string) {
	for i, line := range strings.Split(text, "\n") {
		at := aligned.FindString(line)
		switch {
		case i == 0:
			lines = append(lines, strings.TrimSpace(line))
		case at == "":
			return lines
		default:
			lines = append(lines, line[len(at):])
		}
	}
	return lines
}

// shorten joins the first lines that are not empty, without spaces at their ends.
func shorten(lines []string, most size) string {
	var short []string
	for _, line := range lines {
		r := []rune(unrepeated(strings.TrimRightFunc(line, unicode.IsSpace), most.chars))
		switch {
		case len(r) == 0:
		case len(short) == most.lines:
			return strings.Join(short, "\n") + "\n…"
		case len(r) > most.chars:
			short = append(short, string(r[:most.chars-1])+"…")
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

// unrepeated shortens the longest part that a line of more than most bytes has twice, such as what
// is equal in the values that a test got and wanted: what differs comes into sight.
func unrepeated(line string, most int) string {
	if len(line) <= most {
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
