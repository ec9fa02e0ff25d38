package fuzzext

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/mutate"
)

// minimizeTime is well below what the engine allows an execution: 10 seconds up to
// Go 1.26.
const minimizeTime = 2 * time.Second

// fail minimises a failing value and fails t with the report of the result.
func (x *execution[V]) fail(t *testing.T, tree choices.Tree, first *T) {
	m := x.minimize(t, tree, first)
	v, _, err := x.remake(m.tree)
	if err != nil {
		panic(fmt.Sprintf("fuzzext: a choice tree that failed cannot be replayed: %v: the generator is not deterministic", err))
	}
	shown := literal.Of(v, x.target.pkg) // before the property can change it
	note := ""
	if m.steps == 0 && m.stopped == "" && !run(t, x.prop, v).Failed() {
		note = "flaky: the property failed, but not when it was run on the same value again\n"
	}

	var b strings.Builder
	if log := m.run.logged(); log != "" {
		b.WriteString(log + "\n")
	}
	b.WriteString(note)
	what := "minimal failing value"
	switch {
	case note != "":
		what = "failing value"
	case x.shrinks == 0:
		what = "failing value, not minimised"
	case m.stopped != "":
		what = "failing value, minimised as far as " + m.stopped + " allowed"
	}
	fmt.Fprintf(&b, "%s, after %s in %s (%s, of %d):\n%s\n",
		what, count(m.steps, "step"), count(m.runs, "run"), count(len(m.tree), "choice"), len(tree), indent(shown))
	fmt.Fprintf(&b, "its choices:\n%s\n", indent(m.tree.String()))
	name := t.Name()
	if fuzzing() {
		path, err := x.save(name, choices.Encode(m.tree))
		if err != nil {
			fmt.Fprintf(&b, "it could not be saved: %v\n", err)
		} else {
			fmt.Fprintf(&b, "saved as:\n%s\n", indent(filepath.ToSlash(path)))
			name += "/" + filepath.Base(path)
		}
	}
	fmt.Fprintf(&b, "to run it again:\n%s\n", indent(x.target.rerun(name)))
	fmt.Fprint(t.Output(), b.String())
	t.Fail()
}

// minimized is the result of minimising a failure.
type minimized struct {
	tree        choices.Tree
	run         *T // of its value
	steps, runs int
	stopped     string // what has ended the search early, if anything
}

// minimize looks for the simplest tree that fails in the place of the first
// failure.
func (x *execution[V]) minimize(t *testing.T, tree choices.Tree, first *T) minimized {
	m := minimized{run: first}
	deadline := time.Now().Add(minimizeTime)
	m.tree, m.steps, m.runs = mutate.Minimize(tree,
		func(edited choices.Tree) (v V, made choices.Tree, err error) {
			if time.Now().After(deadline) {
				m.stopped = minimizeTime.String()
				return v, nil, mutate.ErrStop
			}
			defer func() { // a generator that panics must not hide the failure
				if r := recover(); r != nil {
					err = fmt.Errorf("the generator panics: %v", r)
				}
			}()
			return x.remake(edited)
		},
		func(v V) bool {
			again := run(t, x.prop, v)
			if !again.Failed() || again.where != first.where {
				return false
			}
			m.run = again
			return true
		},
		x.shrinks)
	if m.runs == x.shrinks && m.stopped == "" {
		m.stopped = count(m.runs, "run")
	}
	return m
}

// remake makes the value of a tree, which need not be consistent.
func (x *execution[V]) remake(tree choices.Tree) (V, choices.Tree, error) {
	return bigen.Run(x.gen, choices.Replay(tree, nil))
}

// save writes a corpus entry of the target and returns its path in the package.
func (x *execution[V]) save(target string, b []byte) (string, error) {
	path, _, err := corpus.Write(filepath.Join(x.dir, "testdata", "fuzz", target), b)
	if rel, err := filepath.Rel(x.dir, path); err == nil {
		path = rel
	}
	return path, err
}

// rerun returns the command that runs one corpus entry.
func (t target) rerun(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	command := "go test -run '" + strings.Join(parts, "/") + "'"
	if t.pkg != "" {
		command += " " + t.importPath()
	}
	return command
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func indent(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }
