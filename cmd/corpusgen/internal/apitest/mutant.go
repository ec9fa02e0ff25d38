package apitest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/job"
)

const (
	// maxDeathsByMutant is how many changes of the package may end the process.
	maxDeathsByMutant = 10
	// mutantPatience is how long a sequence may take if the package is changed.
	mutantPatience = time.Second
	// maxTold is how many of the changes that a test notices its comment lists.
	maxTold = 5
)

// choose replaces the regression tests by those that notice small changes of the package. It leaves
// them as they are if none can be built in.
func (g *generation) choose(ctx context.Context) error {
	g.Status("%s: choosing regression tests", g.pkg.Path)
	m, err := g.pkg.Mutants()
	if err != nil {
		return ctx.Err()
	}
	g.changed, g.changes = map[string]string{}, m.Changes
	defer func() { g.changed = nil }()
	for path, text := range m.Sources {
		g.changed[path] = filepath.Join(g.tmp, fmt.Sprintf("changed%d.go", len(g.changed)))
		if err := os.WriteFile(g.changed[path], text, 0o666); err != nil {
			return err
		}
	}
	b, err := g.build(ctx, harnessFile, g.text)
	if err != nil {
		return ctx.Err()
	}
	defer func(b *gotest.Binary) { g.binary = b }(g.binary)
	g.binary = b
	order := *g.order
	order.Restore, order.Patience, order.Time, order.Tests = "", mutantPatience, time.Minute, 2*g.tests
	order.Mutants = &job.Mutants{Number: len(m.Changes), Candidates: g.suite.Candidates}
	for range maxDeathsByMutant {
		suite, _, _, err := g.process(ctx, &order)
		if err != nil || suite != nil {
			if suite != nil && len(suite.Regressions) > 0 {
				g.suite.Regressions = suite.Regressions
			}
			return err
		}
		told := job.ReadTold(order.Before)
		if len(told) == 0 || told[0].Mutant == 0 {
			break
		}
		order.Mutants.Skip = append(order.Mutants.Skip, told[0].Mutant)
	}
	return nil
}

// funcOf returns a regression test with a name that no other has.
func (g *generation) funcOf(t job.Test, taken map[string]int) apigen.Func {
	f := apigen.Func{Name: "TestRegression", Code: t.Code}
	for _, word := range strings.FieldsFunc(t.Op, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		f.Name += strings.ToUpper(word[:1]) + word[1:]
	}
	if taken[f.Name]++; taken[f.Name] > 1 {
		f.Name += fmt.Sprint("_", taken[f.Name])
	}
	var lines []string
	for _, n := range t.Notices[:min(len(t.Notices), maxTold)] {
		lines = append(lines, g.changes[n])
	}
	if len(lines) > 0 {
		f.Comment = f.Name + " fails if, for example,\n" + strings.Join(lines, "\n")
	}
	return f
}
