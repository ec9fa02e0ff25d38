package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// fzgenVersions are pinned. This release of fzgen does not build with the x/tools that it asks for.
const fzgenVersions = `
	github.com/thepudds/fzgen v0.4.3
	golang.org/x/tools v0.52.0
`

// fzgenBug is planted in PushBackList of a list that is appended to itself. Five calls reveal it.
const fzgenBug = `
	if other == l && l.len >= 2 {
		Revealed = true
		var ahead []*Element
		_ = ahead[l.len]
	}
`

// fzgenRunner is a file beside a harness. Its test generates sequences for some CPU time, or until
// the bug is revealed.
const fzgenRunner = `package PACKAGE_test

import (
	"encoding/json"
	"fmt"
	"os"
	"syscall"
	"testing"

	PACKAGE "fzgen/PACKAGE"

	"github.com/espalier-go/espalier/bigen/callseq/api"
)

func TestGenerate(t *testing.T) {
	var seed uint64
	var seconds float64
	if _, err := fmt.Sscan(os.Getenv("ESPALIER_BENCH_API"), &seed, &seconds); err != nil {
		t.Fatal("ESPALIER_BENCH_API: ", err)
	}
	used := func() float64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			panic(err)
		}
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	}
	end := used() + seconds
	first := 0 // sequences up to the first that reveals the bug
	suite := calls.Generate(api.Options{
		Seed: seed, MaxRegressions: -1, Coverage: testing.Coverage,
		Before: func([]byte) {
			if !PACKAGE.Revealed {
				first++
			}
		},
		Stop: func() bool { return PACKAGE.Revealed || used() >= end },
	})
	answer := struct{ Sequences, First, Minimal int }{Sequences: suite.Stats.Sequences, First: first}
	for _, e := range suite.Errors {
		if e.Op == "list.PushBackList" {
			answer.Minimal = len(e.Calls)
		}
	}
	text, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	fmt.Printf("\nanswer: %s\n", text)
}
`

// fzgenDir is a module with a copy of container/list, and one with a bug, each with a chain by
// fzgen and a harness by corpusgen api. The lists are of ints, since fzgen leaves out what takes
// an any.
func fzgenDir() (string, error) { return once("fzgen", makeFzgen) }

func makeFzgen() (string, error) {
	_, file, _, _ := runtime.Caller(0)
	root := filepath.Dir(filepath.Dir(file))
	dir := filepath.Join(scratch, "fzgen")
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "src", "container", "list", "list.go"))
	if err != nil {
		return "", err
	}
	text := regexp.MustCompile(`\bany\b`).ReplaceAllString(string(source), "int") + "\n// Revealed is set by the bug.\nvar Revealed bool\n"
	const begin = "func (l *List) PushBackList(other *List) {\n"
	if !strings.Contains(text, begin) {
		return "", errors.New("container/list has changed: plant the bug elsewhere")
	}
	planted := strings.Replace(strings.Replace(text, "package list", "package planted", 1), begin, begin+fzgenBug, 1)
	for name, text := range map[string]string{
		"go.mod":              "module fzgen\n\ngo 1.26.0\n\nrequire (\n\tgithub.com/espalier-go/espalier v0.0.0" + fzgenVersions + ")\n\nreplace github.com/espalier-go/espalier => " + root + "\n",
		"imports.go":          "package fzgen\n\nimport (\n\t_ \"github.com/espalier-go/espalier/bigen/callseq/api\"\n\t_ \"github.com/espalier-go/espalier/fuzzext\"\n\t_ \"github.com/thepudds/fzgen/fuzzer\"\n)\n",
		"tools.go":            "//go:build tools\n\npackage fzgen\n\nimport _ \"github.com/thepudds/fzgen/cmd/fzgen\"\n",
		"list/list.go":        text,
		"planted/list.go":     planted,
		"list/run_test.go":    strings.ReplaceAll(fzgenRunner, "PACKAGE", "list"),
		"planted/run_test.go": strings.ReplaceAll(fzgenRunner, "PACKAGE", "planted"),
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			return "", err
		}
	}
	if err := runIn(dir, "go", "mod", "tidy"); err != nil {
		return "", err
	}
	for _, pkg := range []string{"list", "planted"} {
		at := filepath.Join(dir, pkg)
		err := errors.Join(
			runIn(root, "go", "run", "./cmd/corpusgen", "api", "-harness", "-C", dir, "./"+pkg),
			runIn(at, "go", "run", "github.com/thepudds/fzgen/cmd/fzgen", "-chain"),
			runIn(at, "go", "test", "-c", "-fuzz=.", "-o", "fuzz.test"),
			runIn(at, "go", "test", "-c", "-cover", "-coverpkg=fzgen/"+pkg, "-o", "cover.test"),
		)
		if err != nil {
			return "", err
		}
	}
	return dir, nil
}

// fzgenChain is the target that fzgen writes.
const fzgenChain = "Fuzz_New_Chain"

// fzgenReach is what a run reaches.
type fzgenReach struct {
	covered   float64 // statements, in percent
	sequences int
	seconds   float64 // of CPU time
	first     int     // sequences up to the first that reveals the bug; 0 if none does
	minimal   int     // calls of the minimal one
}

// fzgenOurs generates sequences by the harness.
func fzgenOurs(pkg string, seed int, seconds float64) (r fzgenReach, err error) {
	dir, err := fzgenDir()
	if err != nil {
		return r, err
	}
	cmd := exec.Command(filepath.Join(dir, pkg, "cover.test"), "-test.run=^TestGenerate$", "-test.v")
	cmd.Dir = filepath.Join(dir, pkg)
	cmd.Env = append(os.Environ(), fmt.Sprintf("ESPALIER_BENCH_API=%d %g", seed, seconds))
	out, err := cmd.CombinedOutput()
	answer := regexp.MustCompile(`(?m)^answer: (.*)$`).FindSubmatch(out)
	if err != nil || answer == nil {
		return r, fmt.Errorf("%v: %v\n%s", cmd.Args, err, out)
	}
	var a struct{ Sequences, First, Minimal int }
	if err := json.Unmarshal(answer[1], &a); err != nil {
		return r, err
	}
	r = fzgenReach{covered: percentIn(out), sequences: a.Sequences, seconds: cpuOf(cmd).Seconds(), minimal: a.Minimal}
	if a.Minimal > 0 {
		r.first = a.First
	}
	return r, nil
}

// fzgenTheirs fuzzes the chain, with one worker, for some CPU time.
func fzgenTheirs(pkg string, seconds float64) (r fzgenReach, err error) {
	dir, err := fzgenDir()
	if err != nil {
		return r, err
	}
	at, err := os.MkdirTemp(scratch, "chain")
	if err != nil {
		return r, err
	}
	cache := filepath.Join(at, "cache")
	run := func(binary string, vars []string, args ...string) (*exec.Cmd, []byte, error) {
		cmd := exec.Command(filepath.Join(dir, pkg, binary), args...)
		cmd.Dir = at
		cmd.Env = append(os.Environ(), vars...)
		out, err := cmd.CombinedOutput()
		return cmd, out, err
	}
	for r.seconds < seconds {
		cmd, out, err := run("fuzz.test", nil, "-test.run=^$", "-test.fuzz=^"+fzgenChain+"$", "-test.fuzztime=20000x", "-test.parallel=1", "-test.fuzzcachedir="+cache)
		for _, m := range regexp.MustCompile(`execs: (\d+)`).FindAllSubmatch(out, -1) {
			n, _ := strconv.Atoi(string(m[1]))
			r.first = r.sequences + n
		}
		r.sequences = r.first
		r.seconds += cpuOf(cmd).Seconds()
		if err == nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(at, "testdata", "fuzz", fzgenChain)); err != nil {
			return r, fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
		}
		_, out, _ = run("fuzz.test", []string{"FZDEBUG=repro=1"}, "-test.run=^"+fzgenChain+"$") // fails
		r.minimal = 1 + len(regexp.MustCompile(`(?m)^\t(?:\w+ := )?Fuzz_List_`).FindAll(out, -1))
		return r, nil
	}
	r.first = 0
	seeds := filepath.Join(at, "testdata", "fuzz", fzgenChain)
	if err := os.MkdirAll(filepath.Dir(seeds), 0o777); err != nil {
		return r, err
	}
	if err := os.Rename(filepath.Join(cache, fzgenChain), seeds); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r, err
	}
	cmd, out, err := run("cover.test", nil, "-test.run=^"+fzgenChain+"$", "-test.v")
	if err != nil {
		return r, fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
	}
	r.covered = percentIn(out)
	return r, nil
}

// percentIn returns the coverage that a test binary has printed.
func percentIn(out []byte) (percent float64) {
	if m := regexp.MustCompile(`(?m)^coverage: ([0-9.]+)% of statements`).FindSubmatch(out); m != nil {
		percent, _ = strconv.ParseFloat(string(m[1]), 64)
	}
	return percent
}

// fzgen compares generation with fzgen's chains, in the same CPU time: the medians of several runs.
// Both harnesses are generated, so there are no lines to write. Sequences of fzgen have up to 10
// calls, ours some 60 on average.
func fzgen(pkg string, of func(fzgenReach) figure) measure {
	return func(r run) (o, b figure, err error) {
		runs, seconds := pick(r, 3, 1), pick(r, 10., 2)
		if pkg == "planted" {
			seconds *= 6
		}
		each := func(who string, reach func(i int) (fzgenReach, error)) func() ([]fzgenReach, error) {
			return func() ([]fzgenReach, error) {
				return times("fzgen "+pkg+" "+who, runs, func(i int) (fzgenReach, error) {
					f, err := reach(i)
					fmt.Fprintf(os.Stderr, "fzgen: %s, run %d: %s %+v\n", pkg, i, who, f)
					return f, err
				})
			}
		}
		return both(each("ours", func(i int) (fzgenReach, error) { return fzgenOurs(pkg, i, seconds) }),
			each("theirs", func(int) (fzgenReach, error) { return fzgenTheirs(pkg, seconds) }),
			func(all []fzgenReach) figure { return medianOf(all, of) })
	}
}

func (r fzgenReach) coverage() figure { return number(r.covered) }
func (r fzgenReach) rate() figure     { return number(float64(r.sequences) / r.seconds) }

// untilBug is how many sequences it takes to reveal the bug: for fzgen, the executions that Go's fuzzer
// has last reported. If none does, it is more than there were.
func (r fzgenReach) untilBug() figure {
	if r.first == 0 {
		return figure{value: float64(r.sequences), more: true}
	}
	return number(float64(r.first))
}

// calls is the length of the minimal failure. Without a failure, there is none.
func (r fzgenReach) calls() figure {
	if r.minimal == 0 {
		return figure{value: math.NaN(), more: true}
	}
	return number(float64(r.minimal))
}
