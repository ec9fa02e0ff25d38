package campaign

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"go/parser"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/finding"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/budget"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/gorelease"
)

// An apartRun runs entries of a target as tests, in a process of its own, whose end says what an
// input does.
type apartRun struct {
	f   *fuzzer
	t   *fuzzTarget
	dir string // for entries
	one time.Duration
	// minimizes says that fuzzext minimizes what fails, and saves that in dir, too
	minimizes bool
}

// An apartEnd is the end of a process that ran entries.
type apartEnd struct {
	last   string // the name of the entry that ran last
	value  string // of that entry, as fuzzext has printed it, or ""
	log    string // what the process has printed since it began that entry
	died   bool   // that entry has ended the process
	failed bool   // the process has not ended before its time, but an entry fails
	fails  []failingEntry
	timed  bool   // the time was over
	status string // of the process
	cpu    time.Duration
}

// A failingEntry is an entry that has failed while the process went on.
type failingEntry struct{ name, log string }

// newApart returns a run of entries, each of which may take the CPU time that the engine allows. It
// returns nil if the engine's edits do not allow that.
func (f *fuzzer) newApart(t *fuzzTarget) (*apartRun, error) {
	if f.engine.overlay == "" || !f.engine.runsApart {
		return nil, nil
	}
	r := &apartRun{f: f, t: t, dir: filepath.Join(t.tally.Dir, "apart"),
		one: cmp.Or(f.limitTime, gorelease.Limit(f.Env.GOVERSION))}
	return r, os.MkdirAll(r.dir, 0o777)
}

// startTime is how long a process may take besides an input that hangs.
const startTime = 5 * time.Second

// run runs files as entries, in order, until one ends the process or the time for one is over.
func (r *apartRun) run(files [][]byte) (apartEnd, error) {
	old, err := filepath.Glob(filepath.Join(r.dir, "input*"))
	if err != nil {
		return apartEnd{}, err
	}
	for _, path := range old {
		if err := os.Remove(path); err != nil {
			return apartEnd{}, err
		}
	}
	for i, b := range files {
		path := filepath.Join(r.dir, fmt.Sprintf("input%06d", i))
		if err := os.WriteFile(path, b, 0o666); err != nil {
			return apartEnd{}, err
		}
	}
	most := r.one + startTime
	var out bytes.Buffer
	vars := append(r.f.vars(r.t), engine.CorpusDir+"="+r.dir, engine.CorpusTime+"="+most.String())
	if r.minimizes {
		vars = append(vars, engine.CorpusMinimize+"=1")
	}
	exit := r.t.binary.Run(gotest.Process{
		Args: append([]string{"-test.v", "-test.parallel=1",
			"-test.timeout=" + (2 * budget.ClockFactor * most).String(),
			"-test.run=^" + r.t.name + "$/^input"}, r.f.Args...),
		Vars:      vars,
		Output:    &out,
		Interrupt: r.f.kill,
		Kill:      r.f.kill,
	})
	if err := r.f.kill.Err(); err != nil {
		return apartEnd{}, context.Cause(r.f.kill)
	}
	e := endOf(out.String(), r.t.name)
	e.failed = !e.died && exit.Err != nil
	e.died, e.cpu = e.died && exit.Err != nil, cmp.Or(exit.CPU, exit.Wall)
	if exit.Err != nil {
		e.status = exit.Err.Error()
	}
	return e, nil
}

// entryFailed matches a line of go test -v that says that an entry has failed.
var entryFailed = regexp.MustCompile(`^\s*--- FAIL: ([^/\s]+)/([^/\s]+) \(`)

// began matches a line of go test -v that says that an entry begins or goes on.
var began = regexp.MustCompile(`=== (?:RUN|CONT) +([^/\s]+)/([^/\s]+)\S*$`)

// endOf reads what go test -v has printed of a target.
func endOf(output, target string) (e apartEnd) {
	e.died = true
	var log []string
	logs := map[string]string{} // by entries
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\r\n")
		switch m := began.FindStringSubmatch(line); {
		case m != nil && m[1] == target:
			if e.last != m[2] { // or a part of the same
				logs[e.last] = strings.Join(log, "\n")
				e.last, log = m[2], nil
			}
			e.died = true
			continue
		case !e.died:
			continue // of the orderly end
		case strings.Contains(line, "--- FAIL: "):
			if logs[e.last] == "" {
				logs[e.last] = strings.Join(log, "\n")
			}
			if m := entryFailed.FindStringSubmatch(line); m != nil && m[1] == target {
				e.fails = append(e.fails, failingEntry{m[2], logs[m[2]]})
			}
		case line == "PASS" || line == "FAIL":
			e.died = false
		case strings.HasPrefix(line, engine.TimedOut):
			e.timed = true
		}
		log = append(log, line)
	}
	e.value, log = printedValue(log, target+"/"+e.last+": ")
	e.log = strings.TrimSpace(strings.Join(log, "\n"))
	e.died = e.died && e.last != ""
	return e
}

// printedValue returns the value that fuzzext has printed last, after a prefix, in lines, or "", and
// the other lines.
func printedValue(lines []string, prefix string) (value string, others []string) {
	for i, line := range slices.Backward(lines) {
		first, ok := strings.CutPrefix(line, prefix)
		if !ok {
			continue
		}
		for n := i + 1; n <= len(lines); n++ {
			value = strings.Join(append([]string{first}, lines[i+1:n]...), "\n")
			if _, err := parser.ParseExpr(value); err == nil {
				return value, slices.Delete(slices.Clone(lines), i, n)
			}
		}
		return "", lines
	}
	return "", lines
}

// death returns the last words of a process: from the line that says why it ends, to which the stacks
// belong. What the target has printed before comes after it.
func death(log string) (words string, ok bool) {
	lines := strings.Split(log, "\n")
	stacks := false
	for i, line := range slices.Backward(lines) {
		stacks = stacks || strings.HasPrefix(line, "goroutine ")
		if !stacks || strings.HasPrefix(line, "\t") {
			continue
		}
		if engine.IsSignal(lines[i:]) {
			return withBefore(lines[i:], lines[:i]), true
		}
		for _, mark := range []string{"panic: ", "fatal error: ", engine.ExitCalled} {
			if at := strings.Index(line, mark); at >= 0 && (mark != engine.ExitCalled || line == mark) {
				return withBefore(append([]string{line[at:]}, lines[i+1:]...),
					append(lines[:i:i], line[:at])), true
			}
		}
	}
	return log, false
}

// withBefore returns the last words of a process, and what it has printed before.
func withBefore(words, before []string) string {
	text := strings.Join(words, "\n")
	if printed := strings.TrimSpace(strings.Join(before, "\n")); printed != "" {
		text += finding.PrintedBefore + printed
	}
	return text
}

// failure returns a failure as the end of the process tells it, given the arguments of the target.
func (e apartEnd) failure(f engine.Failure, args []any) engine.Failure {
	words, ok := death(e.log)
	if f.Value = e.value; f.Value != "" {
		f.Note = "The value is not minimized."
	}
	switch {
	case ok || e.failed:
		f.Log = words
	default:
		f.Log = strings.TrimSpace("the process has ended: " + e.status + "\n\n" + e.log)
		f.Class, f.Place = e.status, e.status // what it has printed need not say why
		return f
	}
	if e.timed {
		f.Hangs = true
		function, place := engine.HangPlace(e.log)
		f.Class, f.Place = "hang in "+function, cmp.Or(place, "hang")
		f.Log = "the input has not returned, alone, when its time was over\n" + f.Log
		return f
	}
	f.Place = cmp.Or(engine.PlaceOf(words), e.status)
	if e.value != "" {
		args = nil // the bytes are not what the value consists of
	}
	f = classified(f, args)
	f.Class = cmp.Or(f.Class, e.status)
	return f
}

// classified returns a failure with its class, as its log tells it, given the arguments of the
// target.
func classified(f engine.Failure, args []any) engine.Failure {
	f.Class, f.Words = engine.ClassOf(f.Log, engine.Texts(args)...), engine.ClassOf(f.Log)
	return f
}

// number is a name of a file of an apart run as its index.
func number(name string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(name, "input"))
	if err != nil {
		return -1
	}
	return n
}
