package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/eval/others"
)

// A runner runs modules.
type runner struct {
	*others.Lab
	schedule bool
}

// A comparison is what became of a test, in runs without points and in runs with points.
type comparison struct {
	pkg, test   string
	plain, with []string
}

// differs reports whether no run with points was like one without.
func (c comparison) differs() bool {
	return !slices.ContainsFunc(c.plain, func(o string) bool { return slices.Contains(c.with, o) })
}

// module runs the tests of a module.
func (r *runner) module(ctx context.Context, m module) (res result) {
	dir := filepath.Join(r.Scratch, "module")
	res = result{module: m.path, version: m.version}
	packages, err := m.copyTo(ctx, r.Lab, dir)
	if err != nil {
		res.note("the module cannot be prepared: %v", err)
		return res
	}
	plain, with := filepath.Join(r.Scratch, "plain"), filepath.Join(r.Scratch, "with")
	r.build(ctx, &res, packages, dir, plain, &res.buildPlain, "go", "test", "-c", "-vet=off")
	r.build(ctx, &res, packages, dir, with, &res.buildWith, r.Corpusgen, "test", "-c")
	for i, p := range packages {
		name := filepath.Join(fmt.Sprint(roundOf(packages, i)), p.binary)
		a, b := filepath.Join(plain, name), filepath.Join(with, name)
		if !exists(a) {
			res.note("%s: does not compile as it is", p.ImportPath)
			continue
		}
		if !exists(b) {
			res.note("%s: does not compile with points", p.ImportPath)
			res.broken++
			continue
		}
		r.compare(ctx, &res, p, a, b)
		if r.schedule && !p.ownMain {
			r.compareAlone(ctx, &res, p, a, b)
		}
	}
	return res
}

// build compiles the tests of packages with a command. Two packages whose binaries have the same
// name are compiled by two commands.
func (r *runner) build(
	ctx context.Context, res *result, packages []tested, dir, to string, cpu *time.Duration,
	command ...string,
) {
	os.RemoveAll(to)
	for round := 0; ; round++ {
		var paths []string
		for i, p := range packages {
			if roundOf(packages, i) == round {
				paths = append(paths, p.ImportPath)
			}
		}
		if len(paths) == 0 {
			return
		}
		target := filepath.Join(to, fmt.Sprint(round)) + string(filepath.Separator)
		if err := os.MkdirAll(target, 0o777); err != nil {
			res.note("%v", err)
			return
		}
		args := append(slices.Clone(command[1:]), "-o="+target)
		cmd := exec.Command(command[0], append(args, paths...)...)
		cmd.Dir = dir
		cmd.Env = others.Environment("GOGC=400")
		done := others.Start(ctx, others.MostBuild, others.MostBuild, cmd)
		*cpu += done.CPU
		for line := range strings.Lines(string(done.Out)) {
			if done.Err != nil || strings.HasPrefix(line, "corpusgen: ") {
				res.note("build: %s", strings.TrimSpace(strings.ReplaceAll(line, r.Scratch, "")))
				if fellBack.MatchString(line) {
					res.fellBack++
				}
			}
		}
	}
}

// fellBack matches what corpusgen says of a part of a package that it leaves as it is.
var fellBack = regexp.MustCompile(`^corpusgen: .*(cannot have points|gets no turns|not explored)`)

// roundOf says which command compiles a package.
func roundOf(packages []tested, i int) (n int) {
	for _, p := range packages[:i] {
		if p.binary == packages[i].binary {
			n++
		}
	}
	return n
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// runs are how often the tests of a package run each way if that shows a difference.
const runs = 3

// compare runs the tests of a package. Those that differ run again, with the tests that they are
// parts of.
func (r *runner) compare(ctx context.Context, res *result, p tested, plain, with string) {
	before, done := runTests(ctx, p, plain, r.Limit, mostTests, r.env())
	after, doneWith := runTests(ctx, p, with, 4*done.CPU+r.Limit, 2*mostTests, r.env())
	res.cpuPlain, res.cpuWith = res.cpuPlain+done.CPU, res.cpuWith+doneWith.CPU
	var differ []string // tests to run again
	first := len(res.tests)
	for _, test := range slices.Sorted(maps.Keys(before)) {
		if before[test] == "none" {
			continue
		}
		c := comparison{p.ImportPath, test, []string{before[test]}, []string{outcome(after, test)}}
		if res.tests = append(res.tests, c); c.differs() {
			top, _, _ := strings.Cut(test, "/")
			differ = append(differ, regexp.QuoteMeta(top))
		}
	}
	if len(differ) == 0 || ctx.Err() != nil {
		return
	}
	these := "-test.run=^(" + strings.Join(slices.Compact(differ), "|") + ")$"
	for range runs - 1 {
		before, _ := runTests(ctx, p, plain, r.Limit, mostTests, r.env(), these)
		after, _ := runTests(ctx, p, with, 4*done.CPU+r.Limit, 2*mostTests, r.env(), these)
		for i, c := range res.tests[first:] {
			if c.differs() {
				c.plain = append(c.plain, outcome(before, c.test))
				c.with = append(c.with, outcome(after, c.test))
				res.tests[first+i] = c
			}
		}
	}
}

// env is the environment of tests. They have a module cache of their own: some empty it.
func (r *runner) env(more ...string) []string {
	return append(more, "TMPDIR="+filepath.Join(r.Scratch, "tmp"), "HOME="+filepath.Join(r.Scratch, "home"),
		"GOMODCACHE="+filepath.Join(r.Scratch, "modcache"), "GOCACHE="+goCache(), "GOTRACEBACK=single")
}

// outcome returns the outcome of a test in a run.
func outcome(run outcomes, test string) string {
	if o, ok := run[test]; ok {
		return o
	}
	return "absent"
}

// compareAlone runs the tests that have passed, each alone and in a bubble: without points, and if
// it passes then, with points under a schedule. Tests with subtests do not run: their goroutines
// have no turns.
func (r *runner) compareAlone(ctx context.Context, res *result, p tested, plain, with string) {
	for i, c := range res.tests {
		hasParts := i+1 < len(res.tests) && strings.HasPrefix(res.tests[i+1].test, c.test+"/")
		if c.pkg != p.ImportPath || hasParts || strings.Contains(c.test, "/") || c.differs() ||
			c.plain[0] != "pass" || !strings.HasPrefix(c.test, "Test") {
			continue
		}
		this := "-test.run=^" + regexp.QuoteMeta(c.test) + "$"
		const limit = 10 * time.Second
		bubble, _ := runTests(ctx, p, plain, limit, mostAlone, r.env("ESPALIER_UNCHANGED=bubble"), this)
		if bubble[c.test] != "pass" {
			continue
		}
		got, done := runTests(ctx, p, with, 4*limit, mostAlone, r.env("ESPALIER_UNCHANGED=schedule"), this)
		res.cpuSchedule += done.CPU
		if got[c.test] == "skip" { // too much for a run
			continue
		}
		if res.bubbles++; got[c.test] != "pass" {
			res.scheduled = append(res.scheduled,
				comparison{p.ImportPath, c.test, []string{"pass"}, []string{outcome(got, c.test)}})
		}
	}
}
