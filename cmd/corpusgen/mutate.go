package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/treediff"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/mutate"
)

var _ = register(&command{
	name:    "mutate",
	summary: "add mutants of a target's corpus, or check the property on them",
	usage: `usage: corpusgen mutate [flags] [packages]

Mutate edits the choices that make the values of a target's corpus, and runs the
generator on the edited choices. So each mutant is close to a value of the
corpus, and valid for the generator. Mutate adds N mutants to the corpus, as
files in testdata/fuzz/FuzzXxx. It writes only values that are new, and that the
property assumes (T.Assume). Those on which the property fails are reported, one
of each place, and written as well. Seed makes a corpus to begin with.

With -check, mutate runs the property on values, writes none of them, and fails
if the property fails. The failing value is minimized, reported and saved in
testdata/fuzz/FuzzXxx, as under go test -fuzz, one of each place. It needs no
engine, no instrumentation and no cache, so it suits each change in CI. Of each
four values, one is a mutant of the corpus, one is a mutant of a random value,
which may get parts of the corpus, and two are random: mutants alone stay near
the corpus. If hardly any random value is new and valid, or with -ops, all are
mutants of the corpus. Tests that call fuzzext.Check take part if values have
failed in them: these are the corpus, in testdata/fuzzext/TestXxx.

The same corpus, S and code give the same values. So a run repeats.

For example:

	corpusgen mutate -n 50 ./...
	corpusgen mutate -check -time 30s ./...

The flags are:

	-n N
		add N mutants per target, or check N values (default 100, with
		-check 10000, with -time no limit)
	-time t
		take at most the time t, such as 30s, per target
	-check
		check the property on mutants and random values
	-ops names
		edit by these operators, separated by commas (default all):
		` + operatorNames() + `
	-same tag|family|FILE
		which parts of a value can replace each other: those made by
		alternatives of the same tag; by the same list of alternatives
		(default); or by tags that stand in the same line of FILE,
		separated by blanks
	-cache
		mutate also the entries in the engine's cache
	-diff
		print the choices of each mutant as a diff against its parent's
	-seed S
		start the random stream at S (default 1)
	-o dir
		write to dir/FuzzXxx instead of testdata/fuzz/FuzzXxx. If there
		are several packages, to dir/IMPORTPATH/FuzzXxx
	-v
		print the name of each new file
` + sarifUsage + sessionUsage + `
A target without a corpus is named and left out. The exit status is 1 if no
target has one, if something went wrong with a target, or if the property failed
on a mutant.
`,
	run: runMutate,
})

func operatorNames() string {
	var names []string
	for _, op := range mutate.Operators() {
		names = append(names, op.Name)
	}
	half := len(names) / 2
	return strings.Join(names[:half], ", ") + ",\n\t\t" + strings.Join(names[half:], ", ")
}

// A mutator is one run of `corpusgen mutate`.
type mutator struct {
	*session
	n     int
	limit time.Duration
	check bool
	cache bool
	diff  bool
	ops   []string
	same  string
	alike map[string]int // tags to classes
	findings
	corpora int // that have been mutated
}

func runMutate(ctx context.Context, args []string) error {
	m := &mutator{}
	var ops string
	s, err := newSession(ctx, "mutate", args, func(s *session) {
		s.defineOutput()
		s.Own.IntVar(&m.n, "n", 0, "")
		s.Own.DurationVar(&m.limit, "time", 0, "")
		s.Own.BoolVar(&m.check, "check", false, "")
		s.Own.BoolVar(&m.cache, "cache", false, "")
		s.Own.BoolVar(&m.diff, "diff", false, "")
		s.Own.StringVar(&ops, "ops", "", "")
		s.Own.StringVar(&m.same, "same", "family", "")
		s.Own.StringVar(&m.sarif, "sarif", "", "")
		m.session = s
	}, func(s *session) error {
		s.saved = m.check // mutants that do not fail are no saved failures
		return m.parse(ops)
	})
	if err != nil {
		return err
	}
	defer s.close()
	if err = s.each(ctx, m.target); err == nil && m.corpora == 0 && s.served > 0 {
		err = errReported // each target has been named
	}
	return errors.Join(err, m.write())
}

// parse checks the values of flags.
func (m *mutator) parse(ops string) (err error) {
	set := m.Given()
	if err := m.locate(); err != nil {
		return err
	}
	switch {
	case set["n"] && m.n < 1:
		return usageError{fmt.Sprintf("-n %d: at least one mutant is needed", m.n)}
	case set["time"] && m.limit <= 0:
		return usageError{fmt.Sprintf("-time %v: must be positive", m.limit)}
	case m.check && m.dir != "":
		return usageError{"-o: with -check, failures are saved where go test finds them"}
	case m.check && m.diff:
		return usageError{"-diff: with -check, mutants are not printed"}
	}
	if ops != "" {
		m.ops = strings.Split(ops, ",")
	}
	for _, op := range m.ops {
		if !slices.ContainsFunc(mutate.Operators(), func(o mutate.Operator) bool { return o.Name == op }) {
			return usageError{fmt.Sprintf("-ops: there is no operator %q", op)}
		}
	}
	if m.same != "tag" && m.same != "family" {
		m.alike, err = readClasses(m.same)
	}
	return err
}

// readClasses reads a file that has tags in its lines, separated by blanks. It returns the
// numbers of their lines.
func readClasses(path string) (map[string]int, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, usageError{fmt.Sprintf("-same: want tag, family or a file: %v", err)}
	}
	classes := map[string]int{}
	for i, line := range strings.Split(string(b), "\n") {
		for _, tag := range strings.Fields(line) {
			if other, ok := classes[tag]; ok {
				return nil, usageError{fmt.Sprintf("-same: %s:%d: the tag %s stands in line %d already", path, i+1, tag, other)}
			}
			classes[tag] = i + 1
		}
	}
	if len(classes) == 0 {
		return nil, usageError{fmt.Sprintf("-same: %s names no tags", path)}
	}
	return classes, nil
}

// target mutates the corpus of a target.
func (m *mutator) target(ctx context.Context, t *userTarget) error {
	dirs := []string{t.seeds}
	if m.cache {
		dirs = append(dirs, t.cache())
	}
	for _, dir := range dirs {
		if err := corpus.Check(dir); err != nil {
			return fmt.Errorf("%s: %w", t.label, err)
		}
	}
	files, unreadable := t.files(dirs...)
	order := &job.Mutate{
		Corpus:    files,
		To:        math.MaxInt,
		Operators: m.ops,
		Same:      m.same,
		Classes:   m.alike,
		Check:     m.check,
		Random:    m.check && m.ops == nil,
		Parents:   m.diff || m.json != nil,
	}
	if m.limit > 0 {
		order.Until = time.Now().Add(m.limit)
	}
	switch {
	case m.n > 0:
		order.N = m.n
	case m.limit > 0:
	case m.check:
		order.N = 10_000
	default:
		order.N = 100
	}
	if order.N > 0 {
		order.To = patience * order.N
	}
	answer, err := t.ask(ctx, job.Order{Seed: m.seed, Mutate: order})
	if errors.Is(err, errPlain) {
		return err
	}
	if unreadable != nil {
		err = errors.Join(fmt.Errorf("%s: an entry is left out:\n%w", t.label, unreadable), err)
	}
	answer.Entries = uniqueEntries(answer.Entries)
	return errors.Join(err, m.report(ctx, t, answer))
}

// patience is how many mutants are tried for each that is ordered.
const patience = 100

// uniqueEntries leaves out entries that another process has made again.
func uniqueEntries(entries []job.Entry) []job.Entry {
	seen := map[string]bool{}
	return slices.DeleteFunc(entries, func(e job.Entry) bool {
		again := e.Data != nil && seen[string(e.Data)]
		seen[string(e.Data)] = true
		return again
	})
}

// report writes and prints what a target has answered.
func (m *mutator) report(ctx context.Context, t *userTarget, answer *job.Answer) error {
	var valid, found []job.Entry
	for _, e := range answer.Entries {
		switch e.Status {
		case job.Valid:
			valid = append(valid, e)
		case job.Rejected:
			m.note("%s: the generator rejects %s: %s", t.label, origin(e), e.Why)
		default:
			found = append(found, e)
		}
	}
	paths, old, err := t.deliver(ctx, valid)
	for i, e := range valid {
		if m.diff && i < len(paths)+old {
			m.printDiff(e)
		}
	}
	for _, e := range found {
		if more := m.finding(t, e); more != nil {
			err = errors.Join(err, more)
		}
	}
	end := answer.End
	switch {
	case end == nil:
		return err
	case end.Parents == 0:
		m.note("%s: %s", t.label, end.Note)
		return err
	}
	m.corpora++
	text := fmt.Sprintf("%s: %s of %s in %s", t.label, count(len(paths), "mutant", "mutants"), count(end.Parents, "value", "values"), t.place())
	if m.check {
		text = fmt.Sprintf("%s: checked %s, with a corpus of %d: %s", t.label, count(end.Checked(), "value", "values"),
			end.Parents, count(len(found), "failure", "failures"))
	}
	if !m.check && len(found) > 0 {
		text += fmt.Sprintf(", and %s", count(len(found), "failure", "failures"))
	}
	tried := fmt.Sprintf("%d tried, %d not new, %d invalid", end.Tried, end.Old+old, end.Invalid+end.Rejected)
	if failing := end.Checked() - len(valid); !m.check && failing > 0 {
		tried += fmt.Sprintf(", %d failing", failing)
	}
	m.printf("%s (%s)\n", text, tried)
	if end.Note != "" {
		m.note("%s: %s", t.label, end.Note)
	}
	if m.v {
		for _, path := range paths {
			m.printf("\t%s\n", filepath.Base(path))
		}
	}
	m.emit(entriesEvent{t.event("mutate"), paths, end})
	if !m.check && m.n > 0 && len(valid) < m.n && m.limit == 0 && err == nil {
		m.note("%s: %d of %d mutants: %d tries found no others", t.label, len(valid), m.n, end.Tried)
	}
	return err
}

// finding reports a mutant for which the property fails.
func (m *mutator) finding(t *userTarget, e job.Entry) (err error) {
	m.failed = true
	if e.Saved == "" && e.Data != nil { // as it is: it has not been minimized
		var path string
		if path, _, err = corpus.Write(t.seeds, e.Data); err == nil {
			e.Why += fmt.Sprintf("\nsaved, not minimized, as:\n    %s\nto run it again:\n    %s", path, t.rerun(path))
			e.Saved = path
		}
	} else if e.Saved != "" { // relative to the package, where the test binary runs
		short := gotest.Short(filepath.Join(t.pkg.Dir, filepath.FromSlash(e.Saved)))
		e.Why = strings.Replace(e.Why, "\n    "+e.Saved+"\n", "\n    "+short+"\n", 1)
	}
	m.printf("--- FAIL: %s\n    %s, -seed %d: %s\n%s\n", t.label, origin(e), m.seed, e.Status, indent(e.Why))
	m.emit(t.entryEvent("failure", e))
	m.add(m.output, findingIn(t, e))
	return err
}

// origin says where a value comes from.
func origin(e job.Entry) string {
	if e.Drawn {
		return fmt.Sprintf("value %d, random", e.Number)
	}
	return fmt.Sprintf("mutant %d of %s", e.Number, filepath.Base(e.Of))
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}

// printDiff prints what differs between a mutant and its parent.
func (m *mutator) printDiff(e job.Entry) {
	m.printf("%s\n", treediff.Unified(filepath.Base(e.Of), choices.Tree(e.Parent), corpus.Name(e.Data), choices.Tree(e.Tree)))
}
