package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// fzgenVersions are pinned. This release of fzgen does not build with the x/tools that it asks for.
var fzgenVersions = []string{"github.com/thepudds/fzgen v0.4.3", "golang.org/x/tools v0.52.0"}

// fzgenBug is planted in PushBackList of a list that is appended to itself. Five calls reveal it.
const fzgenBug = `
	if other == l && l.len >= 2 {
		Revealed = true
		var ahead []*Element
		_ = ahead[l.len]
	}
`

// makeFzgen makes a module with a copy of container/list, and one with a bug, each with a chain by
// fzgen and a harness by corpusgen api. The lists are of ints, since fzgen leaves out what takes
// an any.
func makeFzgen() (string, error) {
	dir := filepath.Join(scratch, "fzgen")
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "src", "container",
		"list", "list.go"))
	if err != nil {
		return "", err
	}
	text := regexp.MustCompile(`\bany\b`).ReplaceAllString(string(source), "int") +
		"\n// Revealed is set by the bug.\nvar Revealed bool\n"
	const begin = "func (l *List) PushBackList(other *List) {\n"
	if !strings.Contains(text, begin) {
		return "", errors.New("container/list has changed: plant the bug elsewhere")
	}
	planted := strings.Replace(strings.Replace(text, "package list", "package planted", 1), begin,
		begin+fzgenBug, 1)
	err = errors.Join(
		apiModule(dir, fzgenVersions, []string{"github.com/thepudds/fzgen/fuzzer"}),
		writeFile(filepath.Join(dir, "tools.go"),
			"//go:build tools\n\npackage modules\n\nimport _ \"github.com/thepudds/fzgen/cmd/fzgen\"\n"),
		writeFile(filepath.Join(dir, "list", "list.go"), text),
		writeFile(filepath.Join(dir, "planted", "list.go"), planted),
		writeFile(filepath.Join(dir, "planted", "revealed_test.go"),
			"package planted_test\n\nimport \"modules/planted\"\n\n"+
				"func init() { revealed = func() bool { return planted.Revealed } }\n"),
	)
	for _, pkg := range []string{"list", "planted"} {
		if err == nil {
			_, err = makeHarness(dir, pkg, "./"+pkg, "-covermode=atomic", "-coverpkg=modules/"+pkg)
		}
		at := filepath.Join(dir, pkg)
		if err == nil {
			err = runIn(at, "go", "run", "github.com/thepudds/fzgen/cmd/fzgen", "-chain")
		}
		if err == nil {
			err = errors.Join(runIn(at, "go", "test", "-c", "-fuzz=.", "-o", "fuzz.test"),
				runIn(at, "go", "test", "-c", "-cover", "-o", "cover.test"))
		}
	}
	return dir, err
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
	dir, err := once("fzgen", makeFzgen)
	if err != nil {
		return r, err
	}
	a, err := apiOrder{
		Seed:    uint64(seed),
		Seconds: seconds,
	}.generate(filepath.Join(dir, pkg, "harness.test"))
	r = fzgenReach{covered: a.Covered, sequences: a.Stats.Sequences, seconds: a.CPU.Seconds()}
	for _, e := range a.Errors {
		if e.Op == "list.PushBackList" {
			r.first, r.minimal = a.First, e.Calls
		}
	}
	return r, err
}

// fzgenTheirs fuzzes the chain, with one worker, for some CPU time.
func fzgenTheirs(pkg string, seconds float64) (r fzgenReach, err error) {
	dir, err := once("fzgen", makeFzgen)
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
		cmd, out, err := run("fuzz.test", nil, "-test.run=^$", "-test.fuzz=^"+fzgenChain+"$",
			"-test.fuzztime=20000x", "-test.parallel=1", "-test.fuzzcachedir="+cache)
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
	if err := os.Rename(filepath.Join(cache, fzgenChain), seeds); err != nil &&
		!errors.Is(err, fs.ErrNotExist) {
		return r, err
	}
	cmd, out, err := run("cover.test", nil, "-test.run=^"+fzgenChain+"$", "-test.v")
	if err != nil {
		return r, fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
	}
	r.covered = coveredIn(out)
	return r, nil
}

// fzgen compares generation with fzgen's chains, in the same CPU time: the medians of several runs.
// Both harnesses are generated, so there are no lines to write. Sequences of fzgen have up to 10
// calls, ours some 60 on average.
func fzgen(pkg string, of func(fzgenReach) figure) measure {
	return func(r run) (_, _ figure, err error) {
		seconds := pick(r, 10., 2)
		if pkg == "planted" {
			seconds *= 6
		}
		return beside("fzgen "+pkg, pick(r, 3, 1), "ours", "fzgen",
			func(who string, i int) (f fzgenReach, err error) {
				if who == "ours" {
					f, err = fzgenOurs(pkg, i, seconds)
				} else {
					f, err = fzgenTheirs(pkg, seconds)
				}
				fmt.Fprintf(os.Stderr, "fzgen: %s, run %d: %s %+v\n", pkg, i, who, f)
				return f, err
			}, of)
	}
}

func (r fzgenReach) coverage() figure { return number(r.covered) }
func (r fzgenReach) rate() figure     { return number(float64(r.sequences) / r.seconds) }

// untilBug is how many sequences it takes to reveal the bug: for fzgen, the executions that Go's
// fuzzer has last reported. If none does, it is more than there were.
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
