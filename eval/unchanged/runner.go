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
)

// A runner runs modules.
type runner struct {
	results, scratch, root, corpusgen string
	limit                             time.Duration // of CPU, for the tests of a package
	schedule                          bool
}

// prepare builds corpusgen.
func (r *runner) prepare(ctx context.Context) (err error) {
	out, err := output(ctx, "", "go", "list", "-m", "-f", "{{.Dir}}", espalier)
	if err != nil {
		return err
	}
	r.root = strings.TrimSpace(string(out))
	if r.scratch, err = os.MkdirTemp("", "unchanged-*"); err != nil {
		return err
	}
	for _, dir := range []string{"tmp", "home"} {
		if err := os.Mkdir(filepath.Join(r.scratch, dir), 0o777); err != nil {
			return err
		}
	}
	r.corpusgen = filepath.Join(r.scratch, "corpusgen")
	_, err = output(ctx, r.root, "go", "build", "-o", r.corpusgen, "./cmd/corpusgen")
	return err
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

// module runs the tests of a module and writes its results.
func (r *runner) module(ctx context.Context, m module) error {
	dir := filepath.Join(r.scratch, "module")
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s %s\n", m.path, m.version)
	res := result{module: m.path, version: m.version}
	packages, err := m.copyTo(ctx, dir, r.root)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		res.note("the module cannot be prepared: %v", err)
		return res.write(m.file(r.results))
	}
	plain, with := filepath.Join(r.scratch, "plain"), filepath.Join(r.scratch, "with")
	r.build(ctx, &res, packages, dir, plain, &res.buildPlain, "go", "test", "-c", "-vet=off")
	r.build(ctx, &res, packages, dir, with, &res.buildWith, r.corpusgen, "test", "-c")
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
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return res.write(m.file(r.results))
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
		cmd.Env = environment("GOGC=400")
		done := start(ctx, mostBuild, cmd)
		*cpu += done.cpu
		for line := range strings.Lines(string(done.out)) {
			if done.err != nil || strings.HasPrefix(line, "corpusgen: ") {
				res.note("build: %s", strings.TrimSpace(strings.ReplaceAll(line, r.scratch, "")))
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
	before, done := runTests(ctx, p, plain, r.limit, mostTests, r.env())
	after, doneWith := runTests(ctx, p, with, 4*done.cpu+r.limit, 2*mostTests, r.env())
	res.cpuPlain, res.cpuWith = res.cpuPlain+done.cpu, res.cpuWith+doneWith.cpu
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
		before, _ := runTests(ctx, p, plain, r.limit, mostTests, r.env(), these)
		after, _ := runTests(ctx, p, with, 4*done.cpu+r.limit, 2*mostTests, r.env(), these)
		for i, c := range res.tests[first:] {
			if c.differs() {
				c.plain = append(c.plain, outcome(before, c.test))
				c.with = append(c.with, outcome(after, c.test))
				res.tests[first+i] = c
			}
		}
	}
}

// env is the environment of tests.
func (r *runner) env(more ...string) []string {
	return append(more, "TMPDIR="+filepath.Join(r.scratch, "tmp"), "HOME="+filepath.Join(r.scratch, "home"),
		"GOMODCACHE="+goModCache(), "GOCACHE="+goCache(), "GOTRACEBACK=single")
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
		res.cpuSchedule += done.cpu
		if got[c.test] == "skip" { // too much for a run
			continue
		}
		if res.bubbles++; got[c.test] != "pass" {
			res.scheduled = append(res.scheduled,
				comparison{p.ImportPath, c.test, []string{"pass"}, []string{outcome(got, c.test)}})
		}
	}
}
