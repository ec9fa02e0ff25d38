package corpora

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/finding"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/safefile"
	"github.com/espalier-go/espalier/mutate"
)

// A mutator is one run of `corpusgen mutate`.
type mutator struct {
	*session.Session
	n       int
	limit   time.Duration
	check   bool
	changes bool
	ops     string // of -ops
	same    string
	found   finding.List
	corpora int // that have been mutated
	checked int // values
}

// Mutate is `corpusgen mutate`.
func Mutate(ctx context.Context, args []string) error {
	m := &mutator{Session: session.New("mutate")}
	m.DefineOutput()
	m.Own.IntVar(&m.n, "n", 0, "")
	m.Own.DurationVar(&m.limit, "time", 0, "")
	m.Own.BoolVar(&m.check, "check", false, "")
	m.DefineCache()
	m.Own.BoolVar(&m.changes, "changes", false, "")
	session.Renamed(m.Own, "diff", "changes")
	m.Own.StringVar(&m.ops, "ops", "", "")
	m.Own.StringVar(&m.same, "same", "family", "")
	m.Own.StringVar(&m.found.Sarif, "sarif", "", "")
	session.DefineForce(m.Own)
	return m.Run(ctx, args, m.checkFlags, m.runAll)
}

// operators returns the names of the operators to choose from; none means all.
func (m *mutator) operators() []string {
	if m.ops == "" {
		return nil
	}
	return strings.Split(m.ops, ",")
}

// checkFlags checks the values of flags.
func (m *mutator) checkFlags() error {
	m.Saved = m.check // mutants that do not fail are not saved failures
	if m.check {
		m.found.Command = "mutate -check"
	}
	if err := m.found.Locate(); err != nil {
		return err
	}
	switch set := m.Given(); {
	case set["n"] && m.n < 1:
		return session.Usagef("-n %d: at least one mutant is needed", m.n)
	case set["time"] && m.limit <= 0:
		return session.Usagef("-time %v: must be positive", m.limit)
	case m.check && m.Dir != "":
		return session.Usagef("-o: with -check, failures are saved where go test finds them")
	case m.check && m.changes:
		return session.Usagef("-changes: with -check, mutants are not printed")
	case m.same != "tag" && m.same != "family":
		return session.Usagef("-same %q: want tag or family", m.same)
	}
	for _, name := range m.operators() {
		if !slices.ContainsFunc(mutate.Operators(),
			func(o mutate.Operator) bool { return o.Name == name }) {
			return session.Usagef("-ops: there is no operator %q", name)
		}
	}
	return nil
}

// runAll mutates the corpora of the targets.
func (m *mutator) runAll(ctx context.Context) error {
	err := m.Each(ctx, m.target)
	// the first step of a CI, in a project that begins
	if err == session.ErrNoTarget && m.check && !m.Given()["fuzz"] {
		m.Note("nothing is checked: %v", err)
		err = nil
	}
	if err == nil && m.corpora == 0 && m.Served > 0 {
		err = session.ErrReported // each target has been named
	}
	for _, pkg := range m.Pkgs {
		if m.check && pkg.Schedules {
			m.Note("%s has tests with schedules, which are left to chance here: corpusgen test "+
				"follows the saved ones, and explores others", pkg.Path)
		}
	}
	if m.checked == 0 {
		m.found.Idle = "nothing was checked"
	}
	return errors.Join(err, m.found.Write())
}

// target mutates the corpus of a target.
func (m *mutator) target(ctx context.Context, t *session.Target) error {
	files, err := t.Files(t.Corpora()...)
	if err != nil {
		return err
	}
	order := &job.Mutate{
		Corpus:    files,
		To:        math.MaxInt,
		Operators: m.operators(),
		Same:      m.same,
		Limit:     m.limit,
		Check:     m.check,
		Random:    m.check && m.ops == "",
		Parents:   m.changes || m.Json != nil,
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
	answer, err := t.Ask(ctx, job.Order{Seed: m.Seed, Mutate: order})
	if errors.Is(err, session.ErrPlain) {
		return err
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
func (m *mutator) report(ctx context.Context, t *session.Target, answer *job.Answer) error {
	valid, found, broken := m.sort(t, answer.Entries)
	paths, old, err := t.Deliver(ctx, valid)
	err = errors.Join(broken, err)
	for i, e := range valid {
		if m.changes && i < len(paths)+old {
			m.printDiff(e)
		}
	}
	for _, e := range found {
		err = errors.Join(err, m.finding(t, e))
	}
	end := answer.End
	switch {
	case end == nil:
		return err
	case end.Parents == 0 && m.check && end.Tried == 0:
		return errors.Join(err, fmt.Errorf("%s: no value was checked: %s", t.Label, end.Note))
	case end.Parents == 0 && end.Tried == 0:
		m.Note("%s: %s", t.Label, end.Note)
		return err
	}
	m.corpora++
	m.checked += end.Checked()
	m.Printf("%s (%s)\n", m.summary(t, end, len(paths), len(found)), m.tried(end, old, len(valid)))
	if end.Note != "" {
		m.Note("%s: %s", t.Label, end.Note)
	}
	if m.check && end.Checked() == 0 {
		err = errors.Join(err, fmt.Errorf("%s: no value was checked: of %d that were tried, "+
			"the generator rejects %d, the property assumes none of %d",
			t.Label, end.Tried, end.Rejected, end.Invalid))
	}
	m.List(paths)
	m.Emit(session.EntriesEvent{Head: t.Head("mutate"), Files: paths, End: end})
	if !m.check && m.n > 0 && len(valid) < m.n && m.limit == 0 && err == nil {
		m.Note("%s: %d of %d mutants: %d tries found no others", t.Label, len(valid), m.n, end.Tried)
	}
	return err
}

// sort tells entries of the corpus and mutants that were left out. It returns the valid mutants,
// those for which the property fails, and the errors of the corpus.
func (m *mutator) sort(
	t *session.Target, entries []job.Entry,
) (valid, found []job.Entry, broken error) {
	for _, e := range entries {
		switch {
		case e.Status == job.Valid:
			valid = append(valid, e)
		case e.Number < 0:
			broken = errors.Join(broken, t.LeftOut(e))
		case e.Status == job.Rejected:
			m.Note("%s: the generator rejects %s: %s", t.Label, origin(e), e.Why)
		default:
			found = append(found, e)
		}
	}
	return valid, found, broken
}

// summary says what has been made, or checked.
func (m *mutator) summary(t *session.Target, end *job.End, written, found int) string {
	failures := session.Count(found, "failure", "failures")
	if m.check {
		return fmt.Sprintf("%s: checked %s, with a corpus of %d: %s",
			t.Label, session.Count(end.Checked(), "value", "values"), end.Parents, failures)
	}
	text := fmt.Sprintf("%s: %s of %s in %s", t.Label, session.Count(written, "mutant", "mutants"),
		session.Count(end.Parents, "value", "values"), t.Place())
	if found > 0 {
		text += ", and " + failures
	}
	return text
}

// tried says how many values were tried in vain.
func (m *mutator) tried(end *job.End, old, valid int) string {
	text := fmt.Sprintf("%d tried, %d not new, %d invalid", end.Tried, end.Old+old,
		end.Invalid+end.Rejected)
	if failing := end.Checked() - valid; !m.check && failing > 0 {
		text += fmt.Sprintf(", %d failing", failing)
	}
	return text
}

// finding reports a mutant for which the property fails.
func (m *mutator) finding(t *session.Target, e job.Entry) (err error) {
	m.Failed = true
	message, _, _ := strings.Cut(e.Why, "\n\n")
	f := finding.Finding{
		Target:  t.Name,
		Package: t.Package.Path,
		Dir:     t.Package.Dir,
		Place:   e.Place,
		Message: message,
		Value:   e.Value,
	}
	if e.Saved == "" && e.Data != nil { // as it is: it has not been minimized
		if f.File, _, err = corpus.Write(t.Seeds, e.Data); err == nil {
			e.Saved = f.File
			e.Why += fmt.Sprintf("\nsaved, not minimized, as:\n    %s\nto run it again:\n    %s",
				f.File, t.Rerun(f.File))
		}
	} else if e.Saved != "" { // relative to the package, where the test binary runs
		f.File = gotest.Short(filepath.Join(t.Package.Dir, filepath.FromSlash(e.Saved)))
		e.Why = strings.Replace(e.Why, "\n    "+e.Saved+"\n", "\n    "+f.File+"\n", 1)
	}
	if e.Saved != "" {
		f.File, f.Rerun = filepath.ToSlash(f.File), t.Rerun(f.File)
	}
	m.Printf("--- FAIL: %s\n    %s, -seed %d: %s\n%s\n", t.Label, origin(e), m.Seed, e.Status,
		session.Indent(e.Why))
	m.Emit(t.EntryEvent("failure", e))
	m.found.Add(m.Output, f)
	return err
}

// origin says where a value comes from.
func origin(e job.Entry) string {
	if e.Drawn {
		return fmt.Sprintf("value %d, random", e.Number)
	}
	return fmt.Sprintf("mutant %d of %s", e.Number, safefile.Quoted(filepath.Base(e.Of)))
}

// printDiff prints what differs between a mutant and its parent.
func (m *mutator) printDiff(e job.Entry) {
	diff := unified(filepath.Base(e.Of), treeLines(choices.Tree(e.Parent)), corpus.Name(e.Data),
		treeLines(choices.Tree(e.Tree)))
	m.Print(m.Log, diff+"\n") // no event has it
}
