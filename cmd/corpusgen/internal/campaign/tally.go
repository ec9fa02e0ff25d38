package campaign

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/livepage"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/safefile"
)

// A Tally adds up what the processes that fuzz a target report, in their directory
// ([engine.RunDir]) and in their output.
type Tally struct {
	Dir  string
	CPU  time.Duration // 0 if it is not known for each turn
	Wall time.Duration

	unknown bool // the CPU time

	past engine.Report // of workers in earlier turns
	now  engine.Report // of workers in this turn

	pastLines, line line
	began           time.Time // when the turn that runs began to fuzz; zero before
	// classes of failures, or variants of them, and entries of the corpus that fail
	known map[string]engine.KnownClass
}

// line is what the engine's progress lines say.
type line struct {
	executions, found int64
	total             int64 // entries in the corpus
}

// Stats returns the sums over all workers so far.
func (t *Tally) Stats() engine.Report { return sum(t.past, t.now) }

// Executions returns how many inputs have run. The engine's count includes those that it
// minimizes. The count of workers may be older.
func (t *Tally) Executions() int64 {
	return max(t.past.Executions+t.now.Executions, t.pastLines.executions+t.line.executions)
}

// Found returns how many entries have been added to the corpus.
func (t *Tally) Found() int64 { return t.pastLines.found + t.line.found }

// Entries returns how many entries the corpus has, 0 if that is unknown.
func (t *Tally) Entries() int64 { return t.line.total }

// Counts returns all that is counted.
func (t *Tally) Counts() livepage.Counts {
	stats := t.Stats()
	wall := t.Wall
	if !t.began.IsZero() {
		wall += time.Since(t.began)
	}
	if stats.Structured {
		// What generators are compiled to in the package counts among its blocks, and most of it is
		// never called: a share would say nothing.
		stats.Blocks = 0
	}
	return livepage.Counts{
		Executions: t.Executions(), Seconds: wall.Seconds(), CPUSeconds: t.CPU.Seconds(),
		Found: t.Found(), Entries: t.Entries(), Covered: stats.Covered, Blocks: stats.Blocks,
	}
}

// Turn returns how many inputs the current turn has executed, as the engine counts them,
// and found.
func (t *Tally) Turn() (executions, found int64) { return t.line.executions, t.line.found }

var (
	progress = regexp.MustCompile(
		`^fuzz: elapsed: .*, execs: (\d+) \(\d+/sec\)(?:, new interesting: (\d+) \(total: (\d+)\))?`)
	baseline = regexp.MustCompile(`^fuzz: elapsed: .*, gathering baseline coverage: (\d+)/`)
)

// Line reads a line of output. It reports whether the line is one of progress.
func (t *Tally) Line(s string) bool {
	told := strings.HasPrefix(s, "fuzz: elapsed: ")
	if told && t.began.IsZero() {
		t.began = time.Now()
	}
	m := progress.FindStringSubmatch(s)
	if m == nil {
		if m = baseline.FindStringSubmatch(s); m != nil { // it may be all that there is time for
			t.line.executions, _ = strconv.ParseInt(m[1], 10, 64)
		}
		return told
	}
	t.line.executions, _ = strconv.ParseInt(m[1], 10, 64)
	if m[2] != "" {
		t.line.found, _ = strconv.ParseInt(m[2], 10, 64)
		t.line.total, _ = strconv.ParseInt(m[3], 10, 64)
	}
	return true
}

// Refresh reads what the workers of this turn have reported so far. The error names a file
// that this program cannot have written.
func (t *Tally) Refresh() error {
	var all engine.Report
	var errs []error
	for _, path := range t.files("worker-*.json") {
		var s engine.Report
		if err := readJSON(path, &s); err != nil {
			errs = append(errs, err)
			continue
		}
		if s.Protocol != engine.Protocol {
			errs = append(errs,
				fmt.Errorf("the test binary uses a fuzzext of another version of this module: "+
					"it speaks protocol %q, not %q", s.Protocol, engine.Protocol))
			continue
		}
		all = sum(all, s)
	}
	t.now = all
	return errors.Join(errs...)
}

// EndTurn reads what the workers have reported until the end of the turn, and makes room
// for the next turn, whose workers may have the same names. A CPU time of 0 is not known.
func (t *Tally) EndTurn(cpu, wall time.Duration) error {
	err := t.Refresh()
	t.past, t.now = sum(t.past, t.now), engine.Report{}
	t.pastLines.executions += t.line.executions
	t.pastLines.found += t.line.found
	t.line.executions, t.line.found = 0, 0
	t.unknown = t.unknown || cpu == 0
	if t.CPU += cpu; t.unknown {
		t.CPU = 0
	}
	t.Wall += wall
	t.began = time.Time{}
	for _, path := range t.files("worker-*.json") {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// Failures returns the failures that have been reported since the last call. Those of a class, or
// of a variant, that was not known before are fresh.
func (t *Tally) Failures() (told, fresh []engine.Failure, err error) {
	var errs []error
	for _, path := range t.files("failure-*.json") {
		var f engine.Failure
		if err := readJSON(path, &f); err != nil {
			errs = append(errs, err)
		} else {
			told = append(told, f)
			if f.Hangs && f.File != "" { // each turn would end with it again
				t.add(engine.KnownClass{Name: filepath.Base(filepath.FromSlash(f.File))})
			}
			if t.Add(f) {
				fresh = append(fresh, f)
			}
		}
		errs = append(errs, os.Remove(path))
	}
	return told, fresh, errors.Join(errs...)
}

// FailedSeed returns the entry that has failed before fuzzing began, or nil if nobody knows it.
func (t *Tally) FailedSeed() []byte {
	path := filepath.Join(t.Dir, engine.FailedSeedFile)
	b, err := os.ReadFile(path)
	if err != nil || os.Remove(path) != nil {
		return nil
	}
	return b
}

// Overrun returns the failure of the entry of that name, if it has exceeded a limit, or nil.
func (t *Tally) Overrun(name string) (f *engine.Failure, err error) {
	var errs []error
	for _, path := range t.files(engine.OverrunPrefix + "*.json") {
		over := &engine.Failure{}
		if err := readJSON(path, over); err != nil {
			errs = append(errs, err)
		} else if over.File == name {
			f = over
		}
		errs = append(errs, os.Remove(path))
	}
	return f, errors.Join(errs...)
}

// Unfinished returns the entries that workers still ran when they were killed.
func (t *Tally) Unfinished() (files [][]byte, err error) {
	var errs []error
	for _, path := range t.files(engine.UnfinishedPrefix + "*") {
		b, err := os.ReadFile(path)
		if err == nil && !strings.HasSuffix(path, ".tmp") {
			files = append(files, b)
		}
		errs = append(errs, err, os.Remove(path))
	}
	return files, errors.Join(errs...)
}

// Knows reports whether the class of f, or its variant, is known, or a failure that has said the same
// to the word.
func (t *Tally) Knows(f engine.Failure) bool {
	for _, c := range t.known {
		if c.Has(nameOf(f), f.Words) {
			return true
		}
	}
	return false
}

// Reported reports whether a worker of this turn or of an earlier one has told what it is.
func (t *Tally) Reported() bool {
	return t.past.Protocol != "" || len(t.files("worker-*.json")) > 0
}

// Repeat counts a further input of a class that is known.
func (t *Tally) Repeat(f engine.Failure) {
	if t.past.Known == nil {
		t.past.Known = map[string]int64{}
	}
	t.past.Known[nameOf(f)]++
}

// Add makes the class of f, or its variant, known. It reports whether it is new.
func (t *Tally) Add(f engine.Failure) bool {
	fresh := !t.Knows(f) && t.add(engine.KnownClass{
		Name: nameOf(f), Words: f.Words, Place: f.Varies, Data: f.Data,
	})
	if f.Larger != "" {
		t.add(engine.KnownClass{Name: f.Larger})
	}
	return fresh
}

func classOf(f engine.Failure) string { return cmp.Or(f.Class, f.Place, f.File) }

// nameOf returns the name by which processes know a failure.
func nameOf(f engine.Failure) string { return cmp.Or(f.Variant, classOf(f)) }

// Again returns, for each of the failures, how many further inputs of its class have been passed
// over.
func (t *Tally) Again(failures []engine.Failure) (n []int64) {
	known := t.Stats().Known
	for _, f := range failures {
		times := known[nameOf(f)]
		for _, v := range f.Variants {
			times += known[nameOf(v)]
		}
		n = append(n, times)
	}
	return n
}

func (t *Tally) add(c engine.KnownClass) bool {
	if _, ok := t.known[c.Name]; ok {
		return false
	}
	if t.known == nil {
		t.known = map[string]engine.KnownClass{}
	}
	t.known[c.Name] = c
	return true
}

// WriteKnown tells the processes of the next turn which failures are known: their classes,
// and the names of entries of the corpus that fail.
func (t *Tally) WriteKnown(entries []string) error {
	for _, e := range entries {
		t.add(engine.KnownClass{Name: e})
	}
	known := slices.SortedFunc(maps.Values(t.known), func(a, b engine.KnownClass) int {
		return strings.Compare(a.Name, b.Name)
	})
	data, err := json.Marshal(known)
	if err != nil {
		return err
	}
	return safefile.Write(filepath.Join(t.Dir, engine.KnownFile), data)
}

func (t *Tally) files(pattern string) []string {
	paths, _ := fs.Glob(os.DirFS(t.Dir), pattern) // reports are optional
	for i, name := range paths {
		paths[i] = filepath.Join(t.Dir, name)
	}
	return paths
}

func readJSON(path string, v any) error {
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return nil
}

// sum adds up the reports of two workers, or groups of them. Operators that have found most
// go first, then those that were tried least.
func sum(a, b engine.Report) engine.Report {
	s := engine.Report{Covered: max(a.Covered, b.Covered), Blocks: max(a.Blocks, b.Blocks)}
	s.Stats = engine.Stats{
		Protocol:   engine.Protocol,
		Structured: a.Structured || b.Structured,
		Executions: a.Executions + b.Executions,
		Valid:      a.Valid + b.Valid,
		Found:      a.Found + b.Found,
		Flaky:      max(a.Flaky, b.Flaky),
		Entries:    a.Entries + b.Entries,
		Changed:    max(a.Changed, b.Changed),
		Known:      map[string]int64{},
	}
	for _, known := range []map[string]int64{a.Known, b.Known} {
		for class, n := range known {
			s.Known[class] += n
		}
	}
	for _, op := range slices.Concat(a.Operators, b.Operators) {
		i := slices.IndexFunc(s.Operators, func(o engine.OperatorStats) bool { return o.Name == op.Name })
		if i < 0 {
			s.Operators = append(s.Operators, op)
			continue
		}
		s.Operators[i].Tried += op.Tried
		s.Operators[i].Found += op.Found
	}
	slices.SortFunc(s.Operators, func(a, b engine.OperatorStats) int {
		return cmp.Or(cmp.Compare(b.Found, a.Found), cmp.Compare(a.Tried, b.Tried),
			cmp.Compare(a.Name, b.Name))
	})
	return s
}
