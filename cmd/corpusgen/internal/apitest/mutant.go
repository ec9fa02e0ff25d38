package apitest

import (
	"context"
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
	// maxDeathsByMutant is how many changes of the package, and candidates for tests, may end the process, until
	// only the changes are made that came before the last.
	maxDeathsByMutant = 10
	// maxChoosing is how long choosing may take, until it is not begun again.
	maxChoosing = 3 * time.Minute
	// mutantPatience is how long a sequence may take if the package is changed.
	mutantPatience = time.Second
	// maxTold is how many of the changes that a test notices its comment lists.
	maxTold = 5
)

// choose replaces the regression tests by those that notice small changes of the package. It leaves
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
	g.changed, g.changes = map[string]string{}, m.Changes
	defer func() { g.changed = nil }()
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
	b, err := g.build(ctx, harnessFile, g.text)
	if err != nil {
		g.changes, g.unchanged = nil, "the package with them does not compile"
		return ctx.Err()
	}
	defer func(b *gotest.Binary) { g.binary = b }(g.binary)
	g.binary = b
	order := *g.order
	order.Restore, order.Patience, order.Time, order.Tests = "", mutantPatience, time.Minute, 2*g.tests
	order.Mutants = &job.Mutants{Number: len(m.Changes), Candidates: g.suite.Candidates}
	deadline, died := time.Now().Add(maxChoosing), 0
	for deaths := 0; !g.interrupted(); deaths++ {
		last := deaths == maxDeathsByMutant || g.late(deadline)
		if last { // do with those that have been tried
			order.Mutants.Until = died
		}
		suite, _, _, err := g.process(ctx, &order)
		if err != nil || suite != nil {
			if suite != nil && len(suite.Regressions) > 0 {
				g.suite.Regressions = suite.Regressions
			}
			return err
		}
		told := job.ReadTold(order.Before)
		if len(told) == 0 || last {
			break
		}
		if m := told[0].Mutant; m >= 0 {
			order.Mutants.Skip, died = append(order.Mutants.Skip, m), m
		} else {
			order.Mutants.Candidates[^m] = nil
		}
	}
	g.changes, g.unchanged = nil, "too many end the process, or take too long"
	return nil
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
		f.Comment = f.Name + " fails if, for example,\n\n\t" + strings.Join(lines, "\n\t") // code, as which gofmt leaves it alone
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
		} else if of = apigen.Title(of); of != apigen.Title(g.pkg.Name) && !strings.HasPrefix(name, "Test"+of) {
			name += of
		}
		name += apigen.Title(call)
	}
	return name
}
