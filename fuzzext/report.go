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
	simplest, steps, runs, stopped := x.minimize(t, tree, first)
	v, _, err := x.remake(simplest)
	if err != nil {
		panic(fmt.Sprintf("fuzzext: a choice tree that failed cannot be replayed: %v: the generator is not deterministic", err))
	}
	shown := literal.Of(v, x.target.pkg) // before the property can change it
	last := run(t, x.prop, v)
	kept, note := last, ""
	if !last.failed {
		kept, note = first, "flaky: the property failed, but not when it was run on the same value again\n"
	}

	var b strings.Builder
	b.WriteString(kept.log.String())
	if kept.log.Len() > 0 {
		b.WriteString("\n")
	}
	b.WriteString(note)
	what := "minimal failing value"
	switch {
	case note != "":
		what = "failing value"
	case x.shrinks == 0:
		what = "failing value, not minimised"
	case stopped != "":
		what = "failing value, minimised as far as " + stopped + " allowed"
	}
	fmt.Fprintf(&b, "%s, after %s in %s (%s, of %d):\n%s\n",
		what, count(steps, "step"), count(runs, "run"), count(len(simplest), "choice"), len(tree), indent(shown))
	fmt.Fprintf(&b, "its choices:\n%s\n", indent(simplest.String()))
	name := t.Name()
	if fuzzing() {
		path, err := save(x.target.name, choices.Encode(simplest))
		if err != nil {
			fmt.Fprintf(&b, "it could not be saved: %v\n", err)
		} else {
			fmt.Fprintf(&b, "saved as:\n%s\n", indent(filepath.ToSlash(path)))
			name = x.target.name + "/" + filepath.Base(path)
		}
	}
	fmt.Fprintf(&b, "to run it again:\n%s\n", indent(x.target.rerun(name)))
	fmt.Fprint(t.Output(), b.String())
	t.Fail()
}

// minimize returns the simplest tree that fails in the place of the first failure,
// and what has ended the search early, if anything.
func (x *execution[V]) minimize(t *testing.T, tree choices.Tree, first *T) (simplest choices.Tree, steps, runs int, stopped string) {
	deadline := time.Now().Add(minimizeTime)
	simplest, steps, runs = mutate.Minimize(tree,
		func(edited choices.Tree) (v V, made choices.Tree, err error) {
			if time.Now().After(deadline) {
				stopped = minimizeTime.String()
				return v, nil, mutate.ErrStop
			}
			return x.remake(edited)
		},
		func(v V) bool {
			again := run(t, x.prop, v)
			return again.failed && again.where == first.where
		},
		x.shrinks)
	if runs == x.shrinks {
		stopped = count(runs, "run")
	}
	return simplest, steps, runs, stopped
}

// remake makes the value of a tree, which need not be consistent.
func (x *execution[V]) remake(tree choices.Tree) (V, choices.Tree, error) {
	return bigen.Run(x.gen, choices.Replay(tree, nil))
}

// save writes a corpus entry of the target and returns its path.
func save(target string, b []byte) (string, error) {
	path, _, err := corpus.Write(filepath.Join("testdata", "fuzz", target), b)
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
