package stats

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/finding"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/shell"
)

// A Failure is what is wrong with entries that fail in one place.
type Failure struct {
	Place   Link
	Status  job.Status
	Why     string
	Message string // what Why says in at most three lines, or ""
	Calls   []engine.Call
	Value   string // the shortest, as Go code, if it is known
	Entries []FailingEntry
}

// A FailingEntry is an entry with the command that runs it again.
type FailingEntry struct {
	File    Link
	Command string // or ""
}

// A Link is a text that leads to a part of the page or to a file, or nowhere if URL is empty.
type Link struct{ Text, URL string }

// fail groups the problems of a target by where they are. The page will be in dir.
func (shown *Section) fail(t *session.Target, dir string) {
	for _, p := range shown.Survey.Problems {
		f := shown.failureOf(p)
		if p.Value != "" && (f.Value == "" || len(p.Value) < len(f.Value)) {
			f.Why, f.Value = p.Why, p.Value
		}
		e := FailingEntry{File: Link{Text: p.Name}}
		if p.File != "" {
			e.File.URL = relative(dir, p.File)
		}
		if session.IsFailure(p.Status) {
			e.Command = again(t, p)
		}
		f.Entries = append(f.Entries, e)
	}
	root, _ := os.Getwd() // without it, no place is found
	for i := range shown.Failures {
		f := &shown.Failures[i]
		shown.locate(&f.Place, t, root, dir)
		if session.IsFailure(f.Status) {
			f.Message, f.Calls = finding.Message(f.Why), finding.Calls(f.Why)
		}
	}
}

// failureOf returns the failure with the place of a problem or, without a place, with its reason.
func (shown *Section) failureOf(p Problem) *Failure {
	place := ""
	if session.IsFailure(p.Status) {
		place = cmp.Or(strings.TrimPrefix(p.Place, "panic at "), engine.PlaceOf(p.Why))
	}
	i := slices.IndexFunc(shown.Failures, func(f Failure) bool {
		return f.Status == p.Status && f.Place.Text == place && (place != "" || f.Why == p.Why)
	})
	if i < 0 {
		i = len(shown.Failures)
		f := Failure{Place: Link{Text: place}, Status: p.Status, Why: p.Why, Value: p.Value}
		shown.Failures = append(shown.Failures, f)
	}
	return &shown.Failures[i]
}

// locate leads from a place to the line of the file, if it finds that below root.
func (shown *Section) locate(place *Link, t *session.Target, root, dir string) {
	if place.Text == "" {
		return
	}
	f := finding.Finding{Target: t.Name, Dir: t.Package.Dir, Place: place.Text}
	at := f.Location(root)
	if at.Path == "" {
		return
	}
	path := filepath.FromSlash(at.Path)
	place.Text = fmt.Sprintf("%s:%d", at.Path, at.Line)
	place.URL = cmp.Or(shown.line(path, at.Line), relative(dir, path))
}

// again returns the command that runs an entry again. Go test does not run what is in the cache.
func again(t *session.Target, p Problem) string {
	command := t.Rerun(p.Name)
	switch {
	case p.File == "" || !t.Session.Cached || filepath.Dir(p.File) != filepath.Clean(t.Cache()):
		return command
	case t.IsTest():
		return ""
	}
	seeds := filepath.ToSlash(t.Seeds)
	return shell.Command("mkdir", "-p", seeds) + " && " +
		shell.Command("cp", filepath.ToSlash(p.File), seeds) + " && " + command
}

// line returns the address of a line of the code on the page, or "" if it is not there.
func (shown *Section) line(path string, line int) string {
	for i, f := range shown.Files {
		if f.Path == path && line >= 1 && line <= len(f.Lines) {
			return fmt.Sprintf("#%s", shown.LineID(i, line))
		}
	}
	return ""
}

// relative returns the address of a file for a page in dir, or "" if there is none.
func relative(dir, path string) string {
	abs, err := filepath.Abs(path)
	if err == nil {
		abs, err = filepath.Rel(dir, abs)
	}
	if err != nil {
		return ""
	}
	return (&url.URL{Path: "./" + filepath.ToSlash(abs)}).String()
}

// plainProblems returns the entries of a target without fuzzext that fail, as go test names them.
func plainProblems(t *session.Target, output string) (problems []Problem) {
	why := ""
	for line := range strings.Lines(output) { // what a test logs, and then its name
		head, ok := strings.CutPrefix(line, "--- FAIL: "+t.Name+"/")
		if !ok {
			why += line
			continue
		}
		name, _, _ := strings.Cut(head, " (")
		problems = append(problems, plainProblem(t, name, job.Failing, why))
		why = ""
	}
	return problems
}

// plainProblem returns an entry of a target without fuzzext as a problem.
func plainProblem(t *session.Target, name string, status job.Status, why string) Problem {
	p := Problem{Name: name, Status: status, Why: why}
	for _, dir := range t.Corpora() {
		path := filepath.Join(dir, name)
		if text, err := os.ReadFile(path); err == nil {
			p.File, p.Value = path, plainValue(text)
		}
	}
	return p
}

// plainValue returns the arguments that the file of an entry holds, as Go code.
func plainValue(file []byte) string {
	_, value, _ := strings.Cut(string(file), "\n")
	return strings.TrimSpace(value)
}
