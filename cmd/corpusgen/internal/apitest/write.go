package apitest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/safefile"
)

const (
	errorFile      = "callseq_error_test.go"
	regressionFile = "callseq_regression_test.go"
)

// write compiles and runs the tests that have been made, writes those that pass or fail as they
// should, and prints the summary.
func (g *generation) write(ctx context.Context) error {
	g.Status("%s: checking the tests", g.pkg.Path)
	errs, err := g.findErrors(ctx)
	if err != nil {
		return err
	}
	count := 0
	if _, err := os.Stat(filepath.Join(g.dir, regressionFile)); err == nil && g.hasty {
		g.Warn(fmt.Sprintf("%s stays as it was: the run was interrupted before tests were chosen\n", gotest.Short(filepath.Join(g.dir, regressionFile))))
	} else {
		tests, err := g.regressions(ctx)
		if err != nil {
			return err
		}
		text, _, err := g.harness.Tests(regressionComment, tests)
		if err != nil {
			return err
		}
		if err := g.put(regressionFile, text); err != nil {
			return err
		}
		count = len(tests)
	}
	g.summary(errs, count)
	if len(errs) > 0 {
		return session.ErrReported
	}
	return nil
}

// replaceable returns an error if one of some files is not of an earlier run.
func (r *apiRun) replaceable(names ...string) error {
	for _, name := range names {
		if err := safefile.Replaceable(filepath.Join(r.dir, name), apigen.Generated); err != nil {
			return fmt.Errorf("%w: rename it, or write elsewhere with -o", err)
		}
	}
	return nil
}

// put writes a file of tests, or removes the one of an earlier run if there are none.
func (r *apiRun) put(name string, text []byte) error {
	path := filepath.Join(r.dir, name)
	if text == nil {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return safefile.Write(path, text)
}

// findErrors writes the tests of errors that fail each time, one cause after the other.
func (g *generation) findErrors(ctx context.Context) (errs []job.Test, err error) {
	for _, e := range g.suite.Errors {
		e.Message = session.FirstLine(e.Message)
		errs = append(errs, e)
	}
	dead := map[string]bool{} // by code: it has been run again, and may take seconds
	deadline := time.Now().Add(g.time)
	for _, d := range g.deaths {
		if why := d.excuse(); why != "" {
			g.excused(d, why)
			continue
		}
		again, err := g.minimize(ctx, d, deadline)
		if err != nil {
			return nil, err
		}
		if !again {
			g.flaky++
			why := "alone, it does not: an earlier sequence may"
			if d.fills {
				why = "alone, it does not: others may hold the memory: leave out by -skip what takes much, or make a smaller one in an operation of your own"
			}
			g.excused(d, why)
			continue
		}
		isError, err := g.statements(ctx, d)
		if err != nil {
			return nil, err
		}
		if !isError {
			g.excused(d, "it takes many calls, or one was given nil, or what may not be usable, or stands for something")
			continue
		}
		dead[d.Code] = true
		errs = append(errs, d.Test)
	}
	for _, e := range ranked(errs) {
		if e.Doubt != "" && e.Like == "" {
			e.Test = "doubtful"
			g.doubtful = append(g.doubtful, e)
		}
	}
	errs = ranked(slices.DeleteFunc(errs, func(e job.Test) bool { return e.Doubt != "" }))
	text, failed, err := g.harness.Tests(errorComment, funcsOf(errs))
	if err != nil || text == nil {
		return nil, errors.Join(err, g.put(errorFile, nil))
	}
	b, err := g.build(ctx, errorFile, text)
	if err != nil {
		return nil, err
	}
	errs = slices.DeleteFunc(errs, func(e job.Test) bool {
		fails := failed[e.Test] == ""
		for n := 0; fails && n < 3 && (n == 0 || !dead[e.Code]); n++ {
			fails = g.failsAlone(ctx, b, &e)
		}
		if !fails {
			g.flaky++
		}
		return !fails
	})
	if errs = ranked(errs); ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	for i := range errs {
		if e := &errs[i]; e.Writes { // go test confines nothing
			e.Code = "t.Skip(\"it may write or remove files\")\n" + e.Code
		}
	}
	if text, _, err = g.harness.Tests(errorComment, funcsOf(errs)); err != nil {
		return nil, err
	}
	return errs, g.put(errorFile, text)
}

// failsAlone reports whether a test fails in a process of its own. A run-time error must be the same one, since
// global state may have led to it.
func (g *generation) failsAlone(ctx context.Context, b *gotest.Binary, e *job.Test) bool {
	limited, cancel := context.WithTimeout(ctx, 12*apiPatience)
	defer cancel()
	output, exit := g.start(limited, b, "", e.Test, nil)
	same := !strings.HasPrefix(e.Message, "panic: runtime error: ") || strings.Contains(wayOf(output), wayOf(e.Message))
	return same && exit != nil && limited.Err() == nil
}

// funcsOf returns the tests of errors.
func funcsOf(errs []job.Test) (tests []apigen.Func) {
	for i := range errs {
		e := &errs[i]
		tests = append(tests, apigen.Func{Name: e.Test, Comment: describe(e) + "\n" + e.Why, Code: e.Code})
	}
	return tests
}

const (
	errorComment = "Each test fails because of an error. Change the code, or the harness, until it passes, or\nuse -skip. The next run of corpusgen api writes this file anew."

	regressionComment = "Each test passes as long as the package behaves as it did when corpusgen api ran. The next\nrun writes this file anew."
)

// describe says what is wrong.
func describe(e *job.Test) string {
	text := e.Op + ": " + strings.TrimPrefix(e.Message, "contract of ")
	if e.Place != "" {
		text = e.Place + ": " + text
	}
	if e.Found > 1 {
		text += fmt.Sprintf(" (%d sequences)", e.Found)
	}
	if e.Like != "" {
		text += ", like " + e.Like
	}
	return e.Test + ": " + text
}

// regressions returns the regression tests that pass each time.
func (g *generation) regressions(ctx context.Context) (left []apigen.Func, err error) {
	taken, notices := maps.Clone(g.taken), map[string][]int{}
	for _, t := range g.suite.Regressions {
		if strings.Contains(t.Code, "t.Error") || len(t.Notices) > 0 {
			f := g.funcOf(t, taken)
			left, notices[f.Name] = append(left, f), t.Notices
		}
	}
	text, failed, err := g.harness.Tests(regressionComment, left)
	for _, f := range left {
		if why := failed[f.Name]; why != "" {
			g.Warn(fmt.Sprintf("%s: a regression test does not compile, and perhaps others: %s: an operation of yours must have Go code as its name, or use C.Code:\n\t%s\n", g.pkg.Path, why, strings.ReplaceAll(f.Code, "\n", "\n\t")))
			break
		}
	}
	if err != nil || text == nil {
		return nil, err
	}
	b, err := g.build(ctx, regressionFile, text)
	if err != nil {
		return nil, err
	}
	left = slices.DeleteFunc(left, func(f apigen.Func) bool { return failed[f.Name] != "" })
	for _, count := range []int{1, 1, 20} {
		var bad map[string]string
		if left, bad, err = g.passing(ctx, b, left, count); err != nil {
			return nil, err
		}
		g.flaky += len(bad)
	}
	left = left[:min(len(left), g.tests)]
	g.noticed = map[int]bool{}
	for _, f := range left {
		for _, n := range notices[f.Name] {
			g.noticed[n] = true
		}
	}
	return left, nil
}

// passing runs tests in a random order, so often, until all that are left pass. It returns these, and what
// the others print.
func (g *generation) passing(ctx context.Context, b *gotest.Binary, tests []apigen.Func, count int) (left []apigen.Func, failed map[string]string, err error) {
	failed = map[string]string{}
	for left = tests; len(left) > 0; {
		var names []string
		for _, f := range left {
			names = append(names, f.Name)
		}
		g.rounds++
		output, exit := g.start(ctx, b, "", strings.Join(names, "|"), nil, fmt.Sprintf("-test.shuffle=%d", g.rounds), fmt.Sprintf("-test.count=%d", count))
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if exit == nil {
			break
		}
		n := len(left)
		for _, part := range strings.Split("\n"+output, "\n--- FAIL: ")[1:] {
			name, text, _ := strings.Cut(part, " ")
			left = slices.DeleteFunc(slices.Clone(left), func(f apigen.Func) bool { return f.Name == name })
			_, failed[name], _ = strings.Cut(text, "\n")
		}
		if n == len(left) {
			return nil, nil, fmt.Errorf("%s: the regression tests fail, and it is not clear which:\n%s", g.pkg.Path, strings.TrimRight(output, "\n"))
		}
	}
	return left, failed, nil
}

// maxUnnoticed is how many changes that no test notices -v prints.
const maxUnnoticed = 10

// summary prints what has come of the run.
func (g *generation) summary(errs []job.Test, regressions int) {
	s := g.suite.Stats
	coverage := ""
	if g.covered > 0 {
		coverage = fmt.Sprintf("; %.1f%% of the statements", g.covered)
	}
	line := func(format string, args ...any) {
		g.Print(g.Text, fmt.Sprintf(format+"\n", args...))
	}
	g.Status("")
	line("%s: %s, %d kept, %d invalid, %d refused%s", g.pkg.Path, session.Count(s.Sequences, "sequence", "sequences"), s.Kept, s.Invalid, s.Expected, coverage)
	causes := 0
	for i := range errs {
		errs[i].Steps = nil
		line("%s", describe(&errs[i]))
		if errs[i].Like == "" {
			causes++
		}
		if g.v {
			line("\t// %s\n\t%s", errs[i].Why, strings.ReplaceAll(errs[i].Code, "\n", "\n\t"))
		}
	}
	if len(errs) > 0 {
		of := ""
		if causes < len(errs) {
			of = " of " + session.Count(causes, "cause", "causes")
		}
		line("%s%s in %s", session.Count(len(errs), "error", "errors"), of, gotest.Short(filepath.Join(g.dir, errorFile)))
	}
	if n := len(g.doubtful); n > 0 && !g.v {
		line("%s be a mistake of the caller: -v prints %s", session.Count(n, "doubtful error that may", "doubtful errors that may each"), map[bool]string{true: "it", false: "them"}[n == 1])
	}
	if ops := g.endless(); ops != "" {
		line("%s may not end in %s, either: make the operation refuse what has no end, or leave it out by -skip", g.harness.Test, ops)
	}
	for _, e := range g.excuses {
		if g.v {
			line("no error: %s: %s: %s", listOf(e.Ops), e.Message, e.Why)
		} else {
			line("%s, in %s: no error: -v says why", e.Message, listOf(e.Ops[:1]))
		}
	}
	if g.order != nil && len(g.order.Without) > 0 && g.v {
		line("these ended the process, and then were called no more at the end of a sequence: %s", listOf(g.order.Without))
	}
	if g.order != nil && len(g.order.Never) > 0 && g.v {
		line("these led to that, and then were called no more: %s", listOf(g.order.Never))
	}
	for i := 0; i < len(g.doubtful) && g.v; i++ {
		e := &g.doubtful[i]
		line("%s\n\t// A mistake of the caller, perhaps: %s.\n\t%s", describe(e), e.Doubt, strings.ReplaceAll(e.Code, "\n", "\n\t"))
	}
	var unnoticed []string
	for n := 1; n < len(g.changes); n++ {
		if !g.noticed[n] {
			unnoticed = append(unnoticed, g.changes[n])
		}
	}
	aside := ""
	if g.flaky > 0 {
		aside = fmt.Sprintf(" (%d set aside: they do not pass or fail each time)", g.flaky)
	}
	if regressions > 0 {
		notice := ""
		if n := len(g.changes) - 1; n > 0 {
			notice = fmt.Sprintf(": %d of %s fail one", len(g.noticed), session.Count(n, "small change of the package", "small changes of the package"))
		} else {
			notice = ", of what returns something new: no small change could be tried: " + g.unchanged
		}
		if n := len(unnoticed); n > 0 && g.v {
			for _, change := range unnoticed[:min(n, maxUnnoticed)] {
				line("no regression test fails if %s", change)
			}
			if n > maxUnnoticed {
				line("nor if one of %d others: -json lists all", n-maxUnnoticed)
			}
		}
		line("%s in %s%s%s", session.Count(regressions, "regression test", "regression tests"), gotest.Short(filepath.Join(g.dir, regressionFile)), aside, notice)
	}
	g.Emit(suiteEvent{session.NewHead("summary", g.pkg.Path, ""), s.Sequences, s.Calls, s.Kept, s.Invalid, s.Expected, s.Failed, g.covered, errs, g.doubtful, g.excuses, regressions, g.flaky, max(0, len(g.changes)-1), len(g.noticed), unnoticed})
}

// excused notes a death that is no error, with others for the same reason.
func (g *generation) excused(d *death, why string) {
	g.suite.Stats.Invalid += d.Found
	if i := slices.IndexFunc(g.excuses, func(e excuse) bool { return e.Why == why && wayOf(e.Message) == wayOf(d.Message) }); i >= 0 {
		g.excuses[i].Ops = append(g.excuses[i].Ops, d.Op)
		return
	}
	g.excuses = append(g.excuses, excuse{why, d.Message, []string{d.Op}})
}

// An excuse is why sequences that end the process are no errors.
type excuse struct {
	Why     string
	Message string   // of the first
	Ops     []string // that end them
}

// listOf returns some operations, each once.
func listOf(ops []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(ops))), ", ")
}

// endless returns the operations that a doubtful error says do not end.
func (g *generation) endless() string {
	var ops []string
	for i := range g.doubtful {
		if op := callee(g.doubtful[i].Op); endless(g.doubtful[i]) && !slices.Contains(ops, op) {
			ops = append(ops, op)
		}
	}
	return strings.Join(ops, ", ")
}

// A suiteEvent is the line of -json for what has come of a run.
type suiteEvent struct {
	session.Head
	Sequences, Calls, Kept, Invalid, Expected, Failed int
	Coverage                                          float64 // percent
	Errors, Doubtful                                  []job.Test
	Excused                                           []excuse // what ends the process, and is no error
	Regressions, Flaky                                int
	Changes, Noticed                                  int // small changes of the package, and those that fail a regression test
	Unnoticed                                         []string
}
