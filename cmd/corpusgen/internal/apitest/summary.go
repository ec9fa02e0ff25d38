package apitest

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
)

// summary prints what has come of the run.
func (g *generation) summary(errs []job.Test, regressions int) {
	g.Status("")
	s, coverage := g.suite.Stats, ""
	if g.covered > 0 {
		coverage = fmt.Sprintf("; %.1f%% of the statements", g.covered)
	}
	g.line("%s: %s, %d kept, %d invalid, %d refused%s", g.pkg.Path,
		session.Count(s.Sequences, "sequence", "sequences"), s.Kept, s.Invalid, s.Expected, coverage)
	g.printErrors(errs)
	g.printDoubts()
	g.printDeaths()
	unnoticed := g.printRegressions(regressions)
	if w := g.harness.Writers; len(w) > 0 {
		g.line("regression tests do not call what may write files or start programs: %s",
			session.Names(w, g.v))
	}
	g.Emit(suiteEvent{
		session.NewHead("summary", g.pkg.Path, ""),
		s.Sequences, s.Calls, s.Kept, s.Invalid, s.Expected, s.Failed, g.covered,
		errs, g.doubtful, g.excuses, regressions, g.flaky,
		len(g.mistakes), len(g.noticed), unnoticed,
	})
}

// line prints a line of the summary.
func (g *generation) line(format string, args ...any) {
	g.Print(g.Text, fmt.Sprintf(format+"\n", args...))
}

// indented returns lines of code below a line of the summary.
func indented(code string) string { return "\t" + strings.ReplaceAll(code, "\n", "\n\t") }

// printErrors prints a line for each error, and how many causes they have.
func (g *generation) printErrors(errs []job.Test) {
	causes := 0
	for i := range errs {
		e := &errs[i]
		e.Steps = nil
		if e.Like == "" {
			causes++
		}
		g.line("%s", describe(e))
		if g.v {
			g.line("\t// %s\n%s", e.Why, indented(e.Code))
		}
	}
	of := ""
	if causes < len(errs) {
		of = " of " + session.Count(causes, "cause", "causes")
	}
	if len(errs) > 0 {
		g.line("%s%s in %s", session.Count(len(errs), "error", "errors"), of, g.shortPath(errorFile))
	}
}

// shortPath names a file that the run writes.
func (g *generation) shortPath(file string) string {
	return gotest.Short(filepath.Join(g.dir, file))
}

// printDoubts prints the errors that may be mistakes of the caller.
func (g *generation) printDoubts() {
	for i := range g.doubtful {
		if e := &g.doubtful[i]; g.v {
			g.line("%s\n\t// This may be a mistake of the caller: %s.\n%s",
				describe(e), e.Doubt, indented(e.Code))
		}
	}
	switch n := len(g.doubtful); {
	case g.v || n == 0:
	case n == 1:
		g.line("1 doubtful error may be a mistake of the caller: -v prints it")
	default:
		g.line("%d doubtful errors may be mistakes of the caller: -v prints them", n)
	}
	if ops := g.endless(); ops != "" {
		g.line("%s may not end in %s, either: make the operation refuse what has no end, "+
			"or leave it out by -skip", g.harness.Test, ops)
	}
}

// endless returns the operations that a doubtful error says do not end.
func (g *generation) endless() string {
	var ops []string
	for i := range g.doubtful {
		op := callee(g.doubtful[i].Op)
		if endless(g.doubtful[i]) && !slices.Contains(ops, op) {
			ops = append(ops, op)
		}
	}
	return strings.Join(ops, ", ")
}

// printDeaths prints what has ended the process and is not an error, and what was called no more.
func (g *generation) printDeaths() {
	for _, e := range g.excuses {
		if g.v {
			g.line("not an error: %s: %s: %s", listOf(e.Ops), e.Message, e.Why)
		} else {
			g.line("%s, in %s: not an error: -v says why", e.Message, listOf(e.Ops[:1]))
		}
	}
	if g.order == nil || !g.v {
		return
	}
	if len(g.order.Without) > 0 {
		g.line("these ended the process, and later sequences did not end with them: %s",
			listOf(g.order.Without))
	}
	if len(g.order.Never) > 0 {
		g.line("these led to that, and were not called again: %s", listOf(g.order.Never))
	}
}

// listOf returns some operations, each once.
func listOf(ops []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(ops))), ", ")
}

// maxUnnoticed is how many mistakes that no test notices -v prints.
const maxUnnoticed = 10

// printRegressions prints how many regression tests there are, and what they notice. It returns the
// mistakes that none of them notices.
func (g *generation) printRegressions(tests int) (unnoticed []string) {
	for _, n := range slices.Sorted(maps.Keys(g.mistakes)) {
		if !g.noticed[n] {
			unnoticed = append(unnoticed, describeMistake(g.mistakes[n]))
		}
	}
	if n := len(unnoticed); n > 0 && tests > 0 && g.v {
		for _, what := range unnoticed[:min(n, maxUnnoticed)] {
			g.line("no regression test fails if %s", what)
		}
		if n > maxUnnoticed {
			g.line("nor if one of %d others: -json lists all", n-maxUnnoticed)
		}
	}
	aside := ""
	if g.flaky > 0 {
		aside = fmt.Sprintf(" (%d set aside: they pass at times only)", g.flaky)
	}
	notice := ", of what returns something new: no small mistake could be tried: " + g.unchanged
	if n := len(g.mistakes); n > 0 {
		notice = fmt.Sprintf(": %d of %s fail one", len(g.noticed),
			session.Count(n, "small mistake", "small mistakes"))
	}
	switch {
	case tests > 0:
		g.line("%s in %s%s%s", session.Count(tests, "regression test", "regression tests"),
			g.shortPath(regressionFile), aside, notice)
	case !g.hasty:
		g.line("no regression test%s%s", aside, notice)
	}
	return unnoticed
}

// A suiteEvent is the line of -json for what has come of a run.
type suiteEvent struct {
	session.Head
	Sequences, Calls, Kept, Invalid, Expected, Failed int
	Coverage                                          float64 // percent
	Errors, Doubtful                                  []job.Test
	Excused                                           []excuse
	Regressions, Flaky                                int
	Changes, Noticed                                  int // of the package; noticed by a test
	Unnoticed                                         []string
}
