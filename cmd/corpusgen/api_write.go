package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/atomicfile"
)

const (
	errorFile      = "callseq_error_test.go"
	regressionFile = "callseq_regression_test.go"
)

// replaceable returns an error if a file is not of corpusgen api.
func replaceable(path string) error {
	if err := atomicfile.Replaceable(path, apigen.Generated); err != nil {
		return fmt.Errorf("%w: rename it, or write elsewhere with -o", err)
	}
	return nil
}

// An apiError is an error with its test.
type apiError struct {
	Test    string
	Op      string
	Message string
	Place   string `json:",omitempty"`
	Found   int    // sequences that fail so
	Code    string
}

// write compiles and runs the tests that have been made, writes those that pass or fail as they
// should, and prints the summary.
func (g *generation) write(ctx context.Context) error {
	g.status("%s: checking the tests", g.pkg.Path)
	errs, err := g.findErrors(ctx)
	if err != nil {
		return err
	}
	text, names, flaky, err := g.regressions(ctx)
	if err != nil {
		return err
	}
	if err := g.put(regressionFile, text); err != nil {
		return err
	}
	g.summary(errs, len(names), flaky)
	if len(errs) > 0 {
		return errReported
	}
	return nil
}

// put writes a file of tests, or removes the one of an earlier run if there are none.
func (g *generation) put(name string, text []byte) error {
	path := filepath.Join(g.dir, name)
	if text == nil {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return atomicfile.Write(path, text)
}

// findErrors writes the tests of errors that fail each time.
func (g *generation) findErrors(ctx context.Context) (errs []apiError, err error) {
	for _, e := range g.suite.Errors {
		errs = append(errs, apiError{"", e.Op, firstLine(e.Message), e.Place, e.Found, e.Code})
	}
	for _, d := range g.deaths {
		again, err := g.minimize(ctx, d)
		if err != nil {
			return nil, err
		}
		if !again {
			g.lost = append(g.lost, d)
			continue
		}
		if d.fills && len(d.calls()) > maxGrowth {
			g.grown += d.found
			continue
		}
		code, err := g.code(ctx, d)
		if err != nil {
			return nil, err
		}
		errs = append(errs, apiError{"", d.op, d.why, d.place, d.found, code})
	}
	var tests []apigen.Func
	for i := range errs {
		e := &errs[i]
		e.Test = fmt.Sprintf("TestError%d", i+1)
		tests = append(tests, apigen.Func{Name: e.Test, Comment: e.describe(), Code: e.Code})
	}
	text, failed, err := g.harness.Tests(errorComment, tests)
	if err != nil {
		return nil, err
	}
	for name, why := range failed {
		g.warn(fmt.Sprintf("corpusgen: %s is not written, as it does not compile: %s\n", name, why))
	}
	if text == nil {
		return errs, g.put(errorFile, nil)
	}
	if _, err := g.build(ctx, "error", map[string][]byte{errorFile: text}); err != nil {
		return nil, err
	}
	return errs, g.put(errorFile, text)
}

const (
	errorComment = "Each test fails because of an error. Change the code, or the harness, until it passes, or\nuse -skip. The next run of corpusgen api writes this file anew."

	regressionComment = "Each test passes as long as the package behaves as it did when corpusgen api ran. The next\nrun writes this file anew."
)

// describe says what is wrong.
func (e *apiError) describe() string {
	where := ""
	if e.Place != "" {
		where = e.Place + ": "
	}
	times := ""
	if e.Found > 1 {
		times = fmt.Sprintf(" (%d sequences)", e.Found)
	}
	return fmt.Sprintf("%s: %s%s: %s%s", e.Test, where, e.Op, e.Message, times)
}

var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\w+) `)

// maxRounds is how often regression tests run, at most, without those that have failed.
const maxRounds = 20

// regressions returns the file of the regression tests that pass each time, their names, and
// how many do not.
func (g *generation) regressions(ctx context.Context) (text []byte, names []string, flaky int, err error) {
	var tests []apigen.Func
	for i, t := range g.suite.Regressions {
		tests = append(tests, apigen.Func{Name: fmt.Sprintf("TestRegression%d", i+1), Code: t.Code})
	}
	text, failed, err := g.harness.Tests(regressionComment, tests)
	if err != nil || text == nil {
		return nil, nil, 0, err
	}
	b, err := g.build(ctx, "regression", map[string][]byte{regressionFile: text})
	if err != nil {
		return nil, nil, 0, err
	}
	left := slices.DeleteFunc(tests, func(f apigen.Func) bool { return failed[f.Name] != "" || !strings.Contains(f.Code, "t.Error") })
	for round, passed := 0, 0; passed < 3 && len(left) > 0; round++ {
		var args []string
		for _, f := range left {
			args = append(args, f.Name)
		}
		output, exit := g.start(ctx, b, strings.Join(args, "|"), nil, fmt.Sprintf("-test.shuffle=%d", round+1))
		if ctx.Err() != nil {
			return nil, nil, 0, context.Cause(ctx)
		}
		if exit == nil {
			passed++
			continue
		}
		n := len(left)
		for _, m := range failedTest.FindAllStringSubmatch(output, -1) {
			left = slices.DeleteFunc(left, func(f apigen.Func) bool { return f.Name == m[1] })
		}
		if flaky += n - len(left); n == len(left) || round == maxRounds {
			return nil, nil, 0, fmt.Errorf("%s: the regression tests fail, and it is not clear which:\n%s", g.pkg.Path, strings.TrimRight(output, "\n"))
		}
	}
	left = left[:min(len(left), g.tests)]
	for i := range left {
		left[i].Name = fmt.Sprintf("TestRegression%d", i+1)
		names = append(names, left[i].Name)
	}
	text, _, err = g.harness.Tests(regressionComment, left)
	return text, names, flaky, err
}

// summary prints what has come of the run.
func (g *generation) summary(errs []apiError, regressions, flaky int) {
	s := g.suite
	coverage := ""
	if g.covered > 0 {
		coverage = fmt.Sprintf("; %.1f%% of the statements", g.covered)
	}
	line := func(format string, args ...any) {
		g.print(g.text, fmt.Sprintf(format+"\n", args...))
	}
	g.status("")
	line("%s: %s, %d kept, %d invalid, %d refused%s", g.pkg.Path, count(s.Sequences, "sequence", "sequences"), s.Kept, s.Invalid, s.Expected, coverage)
	if g.grown > 0 {
		line("%s too much memory after many calls", count(g.grown, "sequence takes", "sequences take"))
	}
	for _, d := range g.lost {
		line("%s: %s: set aside, as the sequence does not end the process again: an earlier one may have", d.op, d.why)
	}
	for i := range errs {
		line("%s", errs[i].describe())
		if g.v {
			line("\t%s", strings.ReplaceAll(errs[i].Code, "\n", "\n\t"))
		}
	}
	if len(errs) > 0 {
		line("%s in %s", count(len(errs), "error", "errors"), gotest.Short(filepath.Join(g.dir, errorFile)))
	}
	aside := ""
	if flaky += len(s.Flaky); flaky > 0 {
		aside = fmt.Sprintf(" (%d set aside: they do not pass or fail each time)", flaky)
	}
	if regressions > 0 {
		line("%s in %s%s", count(regressions, "regression test", "regression tests"), gotest.Short(filepath.Join(g.dir, regressionFile)), aside)
	}
	g.emit(suiteEvent{newEvent("summary", g.pkg.Path, ""), s.Sequences, s.Calls, s.Kept, s.Invalid, s.Expected, s.Failed, g.covered, errs, regressions, flaky})
}

// A suiteEvent is the line of -json for what has come of a run.
type suiteEvent struct {
	event
	Sequences, Calls, Kept, Invalid, Expected, Failed int
	Coverage                                          float64 // percent
	Errors                                            []apiError
	Regressions, Flaky                                int
}
