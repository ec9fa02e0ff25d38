package fuzzext

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/explore"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/internal/shell"
)

const (
	maxValue = 8 << 10 // bytes of a value's literal in a report
	maxTree  = 2 << 10 // and of its tree
)

// A failure is what a report tells.
type failure struct {
	log    string
	notes  string // lines
	what   string // the tree's value is
	tree   choices.Tree
	labels []string
	index  int    // of the value
	stuck  bool   // the property does not return
	where  string // it fails
}

// fail minimises a failing value, which tree makes and on which the property has run
// as first, and fails the test with the report of the result.
func (x *execution[V]) fail(s *trial, tree choices.Tree, first *T) {
	m := minimized{tree: tree, run: first}
	if !first.foreign {
		m = x.minimize(s, tree, first)
	}
	f := failure{index: first.index, tree: m.tree, what: "minimal failing value"}
	if _, _, err := x.remake(m.tree); err != nil {
		f.notes = fmt.Sprintf("the choices of the failing value do not make it again: %v: the generator is not deterministic\n", err)
	} else if m.stopped == "" && !first.foreign && x.passes(s, m.tree) {
		f.notes = "flaky: the property failed, but not each time that it was run on the same value again\n"
	}
	switch {
	case f.notes != "":
		f.what = "failing value"
	case x.shrinks == 0 || first.foreign:
		f.what = "failing value, not minimised"
	case m.stopped != "":
		f.what = "failing value, minimised as far as " + m.stopped + " allowed"
	}
	f.what += fmt.Sprintf(", after %s in %s (%s, of %d)",
		count(m.steps, "step"), count(m.runs, "run"), count(len(m.tree), "choice"), len(tree))
	f.log, f.where = m.run.logged()
	f.labels = m.run.labels()
	x.report(s, f)
}

// passes reports whether one of a few more runs on the value of a tree does not fail.
func (x *execution[V]) passes(s *trial, tree choices.Tree) bool {
	for range 3 {
		v, _, err := x.remake(tree)
		if err != nil {
			return false
		}
		if again := x.run(s, v, s.hangAt, minimizing); again != nil && !again.Failed() {
			return true
		}
	}
	return false
}

// report fails the test with a report.
func (x *execution[V]) report(s *trial, f failure) {
	var b strings.Builder
	part := func(title, body string) { fmt.Fprintf(&b, "%s:\n%s\n", title, indent(body)) }

	if f.log != "" {
		b.WriteString(strings.TrimSuffix(f.log, "\n") + "\n\n")
	}
	b.WriteString(f.notes)
	encoded := choices.Encode(f.tree)
	path, err := x.save(s, encoded)
	if s.exploration != nil {
		s.exploration.link.Offer(encoded)
	}
	value, all := "it cannot be made again", false
	v, _, lost := x.remake(f.tree)
	if lost == nil {
		value, all = literal.Within(maxValue, v, x.target.pkg)
	}
	part(f.what, value)
	if !all && strings.Contains(value, "/* ... */") {
		fmt.Fprintf(&b, "(cut%s)\n", unless(path == "", "; the file has all of it"))
	}
	part("its choices", shorten(f.tree.String()))
	if len(f.labels) > 0 {
		part("its labels", strings.Join(f.labels, ", "))
	}
	name := s.tb.Name()
	switch {
	case err != nil:
		fmt.Fprintf(&b, "it could not be saved: %v\n", err)
	case path != "":
		part("saved as", filepath.ToSlash(path))
		if x.check == nil {
			name += "/" + filepath.Base(path)
		}
	}
	command := x.target.rerun(name, f.stuck)
	if x.check != nil && path == "" {
		command += " " + x.check.flags()
	}
	part("to run it again", command)
	if lost == nil {
		title, code := x.snippet(v, value, all, f.tree)
		if code != "" {
			part(title, code)
		}
	}
	if s.exploration != nil {
		explore.Tell(engine.Failure{
			Target: s.tb.Name(),
			Place:  f.where,
			Log:    f.log,
			Value:  value,
			File:   filepath.ToSlash(path),
			Rerun:  command,
		})
	}
	if x.check != nil && path != "" && f.index >= x.check.given() {
		part("to make the same random values again", x.target.rerun(name, f.stuck)+" "+x.check.flags())
	}
	fmt.Fprint(s.tb.Output(), b.String())
	s.tb.Fail()
}

// save writes a corpus entry of the test and returns its path in the package, or no
// path if the test is one for which nothing is saved.
func (x *execution[V]) save(s *trial, b []byte) (string, error) {
	var dir string
	switch {
	case x.check != nil:
		dir = x.check.dir
	case fuzzing():
		dir = filepath.Join("testdata", "fuzz", s.tb.Name())
	default:
		return "", nil
	}
	path, _, err := corpus.Write(filepath.Join(packageDir, dir), b)
	if rel, err := filepath.Rel(packageDir, path); err == nil {
		path = rel
	}
	return path, err
}

// packageDir is the directory in which the test binary runs. A test may change it.
var packageDir = func() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	return dir
}()

// rerun returns the command that runs one test, or corpus entry.
func (t target) rerun(name string, stuck bool) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	command := "go test "
	if stuck {
		command += "-timeout 30s "
	}
	if raceDetector {
		command += "-race "
	}
	command += "-run " + shell.Quote(strings.Join(parts, "/"))
	if t.pkg != "" {
		command += " " + t.importPath()
	}
	return command
}

// shorten cuts the text of a tree.
func shorten(s string) string {
	if len(s) <= maxTree {
		return s
	}
	end := maxTree
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + fmt.Sprintf(" ... (cut after %d of %d bytes)", end, len(s))
}

func unless(condition bool, s string) string {
	if condition {
		return ""
	}
	return s
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func indent(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }
