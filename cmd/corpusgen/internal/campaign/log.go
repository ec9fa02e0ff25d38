package campaign

import (
	"bytes"
	"cmp"
	"path"
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/shell"
)

// A Log is a writer that reads the output of a test binary that fuzzes for what
// the engine tells about a failure.
type Log struct {
	Line  func(string) // is given each line, without its end; from a failure on, see [Log.Release]
	Seed  string       // the corpus entry that failed before fuzzing, as FuzzX/name, or ""
	Test  string       // the command that runs tests
	Unfit bool         // a worker has ended before it fuzzed

	partial []byte
	held    []string // lines that [Log.Line] is not given, since they tell of a failure
	failing bool
	over    bool     // a failure has been told
	passed  bool     // the last line says so, which has been held back, too
	failure []string // lines
	file    string   // that the failing input was written to
}

// maxFailure limits what is kept of the text of a failure, in lines.
const maxFailure = 1000

// Write never fails.
func (l *Log) Write(p []byte) (int, error) {
	l.partial = append(l.partial, p...)
	for {
		line, rest, ok := bytes.Cut(l.partial, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		l.read(strings.TrimSuffix(string(line), "\r"))
		l.partial = rest
	}
}

// Close reads what has no end of line.
func (l *Log) Close() {
	if len(l.partial) > 0 {
		l.read(string(l.partial))
		l.partial = nil
	}
}

func (l *Log) read(line string) {
	l.failing = l.failing || strings.HasPrefix(line, "--- FAIL: ")
	if l.over && strings.HasPrefix(line, "fuzz: elapsed: ") {
		l.Release(false) // another test has failed, or has printed that
	}
	l.over = l.over || l.failing
	if l.passed {
		l.pass("PASS")
	}
	if l.passed = line == "PASS"; !l.passed {
		l.pass(line)
	}
	trimmed := strings.TrimSpace(line)
	if file, ok := strings.CutPrefix(trimmed, "Failing input written to "); ok {
		l.file = strings.ReplaceAll(file, `\`, "/")
		l.failing = false
	} else if seed, ok := strings.CutPrefix(trimmed, "failure while testing seed corpus entry: "); ok {
		l.Seed = seed
	}
	l.Unfit = l.Unfit || strings.HasPrefix(trimmed, "fuzzing process terminated without fuzzing")
	if l.failing && len(l.failure) < maxFailure {
		l.failure = append(l.failure, line)
	}
}

// pass gives a line to [Log.Line], or holds it back.
func (l *Log) pass(line string) {
	if l.over {
		l.held = append(l.held, line)
	} else {
		l.Line(line)
	}
}

// Release gives [Log.Line] what has been held back, or drops it: what is told elsewhere.
func (l *Log) Release(drop bool) {
	held := l.held
	if l.passed {
		held = append(held, "PASS")
	}
	l.held, l.over, l.failing, l.passed = nil, false, false, false
	if !drop {
		for _, line := range held {
			l.Line(line)
		}
	}
}

// Failure returns the failure of a target that the engine has told about, with
// what can be known from its output and from the report of fuzzext in it. The
// failure of a seed has no file.
func (l *Log) Failure(pkg, target string) (engine.Failure, bool) {
	log := strings.Join(l.failure, "\n")
	f := engine.Failure{
		Target: target,
		Class:  engine.ClassOf(log),
		Place:  engine.PlaceOf(log),
		Log:    strings.TrimRight(log, " \n"),
		File:   l.file,
	}
	if f.File == "" && l.Seed == "" {
		return f, false
	}
	f.Value = section(l.failure, job.MinimalValue+", ")
	if file := section(l.failure, job.SavedAs+":"); file != "" {
		f.File = file
	}
	name := path.Base(cmp.Or(f.File, l.Seed))
	f.Rerun = rerun(l.Test, pkg, target, name)
	return f, true
}

// rerun returns the command that runs an entry of a target again.
func rerun(test, pkg, target, name string) string {
	return test + " -run " + shell.Quote("^"+target+"$/^"+regexp.QuoteMeta(name)+"$") + " " + pkg
}

// Expired reports whether the engine has told of nothing but the end of its time. Up to Go
// 1.26, it sometimes takes that for a failure: https://go.dev/issue/75804.
func (l *Log) Expired() bool {
	var said []string
	for _, line := range l.failure {
		if line = strings.TrimSpace(line); line != "" && line != "FAIL" {
			said = append(said, line)
		}
	}
	return l.file == "" && l.Seed == "" && len(said) == 2 &&
		strings.HasPrefix(said[0], "--- FAIL: Fuzz") && said[1] == "context deadline exceeded"
}

// Raw returns the file of the failing input if the report of fuzzext names that of a minimal value
// instead, or "".
func (l *Log) Raw() string {
	if saved := section(l.failure, job.SavedAs+":"); saved != "" && saved != l.file {
		return l.file
	}
	return ""
}

// Entries returns the names of the corpus entries that have failed.
func (l *Log) Entries() []string {
	var names []string
	for _, file := range []string{l.file, l.Seed} {
		if file != "" {
			names = append(names, path.Base(file))
		}
	}
	return names
}

// section returns the lines below a header, without the four spaces by which they
// are indented.
func section(lines []string, header string) string {
	var found []string
	for i, line := range lines {
		text := strings.TrimLeft(line, " ")
		if !strings.HasPrefix(text, header) {
			continue
		}
		indent := line[:len(line)-len(text)] + "    "
		for _, line := range lines[i+1:] {
			text, ok := strings.CutPrefix(line, indent)
			if !ok {
				break
			}
			found = append(found, text)
		}
		break
	}
	return strings.Join(found, "\n")
}
