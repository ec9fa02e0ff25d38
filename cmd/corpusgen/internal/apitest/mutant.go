package apitest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/confine"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/job"
)

const (
	// maxDeathsByMutant is how many changes of the package, and candidates for tests, may end the
	// process, until only the changes are made that came before the last.
	maxDeathsByMutant = 10
	// maxChoosing stops a process that chooses tests, on a machine that stands still.
	maxChoosing = 10 * time.Minute
	// mutantPatience is how long a sequence may take if the package is changed.
	mutantPatience = time.Second
	// maxTold is how many of the changes that a test notices its comment lists.
	maxTold = 5
)

// choose replaces the regression tests by tests that notice small changes of the package. It leaves
// them as they are if none can be built in.
func (g *generation) choose(ctx context.Context) error {
	if g.hasty = g.interrupted(); g.hasty {
		g.unchanged = "the run was interrupted"
		return nil
	}
	g.Status("%s: choosing regression tests", g.pkg.Path)
	m, err := g.pkg.Mutants(confine.Check() == nil)
	if err != nil {
		g.unchanged = err.Error()
		return ctx.Err()
	}
	defer func() { g.changed = nil }()
	if err := g.writeChanges(m); err != nil {
		return err
	}
	b, err := g.build(ctx, harnessFile, g.text)
	if err != nil {
		g.unchanged = "the package with them does not compile"
		return ctx.Err()
	}
	defer func(b *gotest.Binary) { g.binary = b }(g.binary)
	g.binary = b
	suite, err := g.selected(ctx, len(m.Changes))
	if suite != nil {
		g.changes = m.Changes
		if len(suite.Regressions) > 0 {
			g.suite.Regressions = suite.Regressions
		}
	}
	return err
}

// writeChanges writes the files of the package with small changes built in.
func (g *generation) writeChanges(m *apigen.Mutants) error {
	g.changed = map[string]string{}
	for path, text := range m.Sources {
		for to, from := range g.replaced {
			if from == path {
				path = to
			}
		}
		g.changed[path] = filepath.Join(g.tmp, fmt.Sprintf("changed%d.go", len(g.changed)))
		if err := os.WriteFile(g.changed[path], text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// selected chooses tests by a number of changes of the package. If a change ends the process, the
// next one goes without. The suite is nil if that is not enough.
func (g *generation) selected(ctx context.Context, number int) (*job.Suite, error) {
	order, died := *g.order, 0
	order.Restore, order.Patience, order.Time, order.Tests = "", mutantPatience, maxChoosing, 2*g.tests
	order.Mutants = &job.Mutants{Number: number, Candidates: g.suite.Candidates}
	g.unchanged = "too many end the process"
	for deaths := 0; deaths <= maxDeathsByMutant && !g.interrupted(); deaths++ {
		if deaths == maxDeathsByMutant { // the changes that have been tried will do
			order.Mutants.Until = died
		}
		suite, _, exit, err := g.process(ctx, &order)
		if suite != nil || err != nil {
			return suite, err
		}
		told := job.ReadTold(order.Before)
		if errors.Is(exit, errOvertime) {
			g.unchanged = "the machine had no time for them"
			break
		}
		if len(told) == 0 {
			break
		}
		if m := told[0].Mutant; m >= 0 {
			order.Mutants.Skip, died = append(order.Mutants.Skip, m), m
		} else {
			order.Mutants.Candidates[^m] = nil
		}
	}
	return nil, nil
}

// funcOf returns a regression test with a name that no other has: of what it calls.
func (g *generation) funcOf(t job.Test, taken map[string]bool) apigen.Func {
	name := g.nameOf(t.Op)
	f := apigen.Func{Name: name, Code: t.Code}
	for _, title := range t.Titles {
		if taken[f.Name] {
			f.Name = g.nameOf(title)
		}
	}
	for n := 2; taken[f.Name]; n++ {
		f.Name = fmt.Sprint(name, "_", n)
	}
	taken[f.Name] = true
	var lines []string
	for _, n := range t.Notices[:min(len(t.Notices), maxTold)] {
		lines = append(lines, g.changes[n])
	}
	if len(lines) > 0 {
		// A tab makes these code, which gofmt leaves alone.
		f.Comment = f.Name + " fails if, for example,\n\n\t" + strings.Join(lines, "\n\t")
	}
	return f
}

// nameOf returns the name of a test of what it calls.
func (g *generation) nameOf(title string) string {
	name := "Test"
	for i, op := range strings.Split(title, " then ") {
		of, call, isMethod := strings.Cut(op, ".")
		if i > 0 {
			name += "Then"
		}
		if !isMethod {
			call = op
		} else if of = apigen.Title(of); of != apigen.Title(g.pkg.Name) &&
			!strings.HasPrefix(name, "Test"+of) {
			name += of
		}
		name += apigen.Title(call)
	}
	return name
}
