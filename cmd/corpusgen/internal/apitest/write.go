package apitest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

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

// write compiles and runs the tests that have been made, writes the tests that pass or fail as they
// should, and prints the summary.
func (g *generation) write(ctx context.Context) error {
	g.Status("%s: checking the tests", g.pkg.Path)
	errs, err := g.findErrors(ctx)
	if err != nil {
		return err
	}
	count := 0
	if _, err := os.Stat(filepath.Join(g.dir, regressionFile)); err == nil && g.hasty {
		g.Warn(g.shortPath(regressionFile) +
			" stays as it was: the run was interrupted before tests were chosen\n")
	} else {
		tests, err := g.regressions(ctx)
		if err != nil {
			return err
		}
		text, _, err := g.harness.Tests(regressionComment, tests)
		if err == nil {
			err = g.put(regressionFile, text)
		}
		if err != nil {
			return err
		}
		count = len(tests)
	}
	if g.lent != "" {
		if err := g.writeStubs(); err != nil {
			return err
		}
	}
	g.summary(errs, count)
	if len(errs) > 0 {
		return session.ErrReported
	}
	return nil
}

// writeStubs writes the stubs without a harness, if tests use them.
func (g *generation) writeStubs() error {
	var used []byte
	for _, file := range []string{errorFile, regressionFile} {
		text, _ := os.ReadFile(filepath.Join(g.dir, file))
		used = append(used, text...)
	}
	for _, m := range declaredType.FindAllSubmatch(g.harness.Stubs, -1) {
		if bytes.Contains(used, m[1]) {
			return g.put(stubFile, g.harness.Stubs)
		}
	}
	return g.put(stubFile, nil)
}

// declaredType matches the declaration of a type in a file.
var declaredType = regexp.MustCompile(`(?m)^type (\w+) `)

// replaceable returns an error if one of some files is not of an earlier run.
func (r *apiRun) replaceable(names ...string) error {
	for _, name := range names {
		if err := safefile.Replaceable(filepath.Join(r.dir, name), apigen.Generated); err != nil {
			return fmt.Errorf("%w (-o writes elsewhere)", err)
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
func (g *generation) findErrors(ctx context.Context) ([]job.Test, error) {
	var errs []job.Test
	for _, e := range g.suite.Errors {
		e.Message = session.FirstLine(e.Message)
		errs = append(errs, e)
	}
	dead := map[string]bool{} // by code: it has been run again, and may take seconds
	of := map[string]int{}    // the index of a class
	for _, d := range g.deaths {
		why, err := g.autopsy(ctx, d)
		if err != nil {
			return nil, err
		}
		if why != "" {
			g.excused(d, why)
			continue
		}
		if i, ok := of[d.class()]; ok { // it turned out to be another one
			errs[i].Found += d.Found
			continue
		}
		of[d.class()] = len(errs)
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
	errs, err := g.failing(ctx, errs, dead)
	if err != nil {
		return nil, err
	}
	for i := range errs {
		errs[i].Code = g.skipping(&errs[i])
	}
	text, _, err := g.harness.Tests(errorComment, funcsOf(errs))
	if err != nil {
		return nil, err
	}
	old, _ := os.ReadFile(filepath.Join(g.dir, errorFile))
	if had := bytes.Count(old, testOfError); had > len(errs) {
		g.Warn(fmt.Sprintf("%s: an earlier run left %s, this one has found %d: errors that the code "+
			"still has may need more -time\n", g.shortPath(errorFile),
			session.Count(had, "error", "errors"), len(errs)))
	}
	return errs, g.put(errorFile, text)
}

// testOfError begins each test of an error.
var testOfError = []byte("\nfunc TestError")

// skipping returns the code of the test of an error, which skips itself if go test should not run it.
func (g *generation) skipping(e *job.Test) string {
	switch {
	case e.Writes: // go test confines nothing
		return "t.Skip(\"it may write or remove files\")\n" + e.Code
	case g.lent != "" && g.needsHarness([]byte(e.Code)):
		calls, _, _ := strings.Cut(e.Code, g.harness.Calls+".Run(t, ")
		return fmt.Sprintf("%st.Skip(%q)", calls, "only a harness can check it: "+g.unlent())
	}
	return e.Code
}

// failing returns the errors whose tests compile and fail each time.
func (g *generation) failing(ctx context.Context, errs []job.Test, dead map[string]bool) (
	[]job.Test, error,
) {
	text, failed, err := g.harness.Tests(errorComment, funcsOf(errs))
	if err != nil || text == nil {
		return nil, err
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
	return ranked(errs), context.Cause(ctx)
}

// failsAlone reports whether a test fails in a process of its own. A run-time error must be the
// same one, since global state may have led to it.
func (g *generation) failsAlone(ctx context.Context, b *gotest.Binary, e *job.Test) bool {
	limited, cancel := context.WithTimeout(ctx, 12*apiPatience)
	defer cancel()
	output, exit := g.start(limited, b, "", e.Test, nil)
	same := !strings.HasPrefix(e.Message, "panic: runtime error: ") ||
		strings.Contains(wayOf(output), wayOf(e.Message))
	return same && exit != nil && limited.Err() == nil
}

// funcsOf returns the tests of errors.
func funcsOf(errs []job.Test) (tests []apigen.Func) {
	for i := range errs {
		e := &errs[i]
		comment := describe(e) + "\n" + e.Why
		tests = append(tests, apigen.Func{Name: e.Test, Comment: comment, Code: e.Code})
	}
	return tests
}

const (
	errorComment = "Each test fails because of an error. Change the code, or the harness, until it " +
		"passes, or\nuse -skip. The next run of corpusgen api rewrites this file."

	regressionComment = "Each test passes as long as the package behaves as it did when corpusgen " +
		"api ran. The next\nrun rewrites this file."
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
			if g.lent != "" && g.needsHarness([]byte(f.Code)) {
				continue
			}
			left, notices[f.Name] = append(left, f), t.Notices
		}
	}
	text, failed, err := g.harness.Tests(regressionComment, left)
	for _, f := range left {
		if why := failed[f.Name]; why != "" {
			remedy := "an operation of yours must have Go code as its name, or use C.Code"
			if !g.harness.Extended {
				remedy = "please report it"
			}
			g.Warn(fmt.Sprintf("%s: a regression test does not compile, and perhaps others: %s: %s:\n%s\n",
				g.pkg.Path, why, remedy, indented(f.Code)))
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
	n := len(left)
	left = g.everywhere(ctx, b, left)
	g.flaky += n - len(left)
	left = left[:min(len(left), g.tests)]
	g.noticed = map[int]bool{}
	for _, f := range left {
		for _, n := range notices[f.Name] {
			g.noticed[n] = true
		}
	}
	return left, nil
}

// passing runs tests in a random order, count times, until all that are left pass. It returns
// these, and what the others print.
func (g *generation) passing(
	ctx context.Context, b *gotest.Binary, tests []apigen.Func, count int,
) (left []apigen.Func, failed map[string]string, err error) {
	failed = map[string]string{}
	for left = tests; len(left) > 0; {
		var names []string
		for _, f := range left {
			names = append(names, f.Name)
		}
		g.rounds++
		output, exit := g.start(ctx, b, "", strings.Join(names, "|"), nil,
			fmt.Sprintf("-test.shuffle=%d", g.rounds), fmt.Sprintf("-test.count=%d", count))
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
			return nil, nil, fmt.Errorf("%s: the regression tests fail, and it is not clear which:\n%s",
				g.pkg.Path, strings.TrimRight(output, "\n"))
		}
	}
	return left, failed, nil
}
