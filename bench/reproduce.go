package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/espalier-go/espalier/examples/planted"
	"github.com/espalier-go/espalier/internal/corpus"
)

// reproduceRows count the saved failures that fail again in another process: under plain
// `go test`, with -race, and in a 32-bit binary. Each comes from a run of its own, of
// `go test -fuzz` or of Check, that looked for a bug of examples/planted. A fuzzing run
// saves two failures: Valid saves the minimal value, and the engine saves the input that it
// ran, of which often only a variant fails.
func reproduceRows(quick bool) []row {
	fuzzed, checked := 1000, 100
	if quick {
		fuzzed, checked = 20, 8
	}
	var rows []row
	for _, how := range []string{"plain", "race", "386"} {
		add := func(name string, n int, check bool, count func(*saving) bool) {
			rows = append(rows, row{"failures/" + how + name + " reproduced", "runs", oursAtLeast(float64(n)), func(bool) (o, b figure, err error) {
				all, err := rerun(how, n, check)
				for _, s := range all {
					if count(s) {
						o.value++
					}
				}
				b.value = float64(n)
				return o, b, err
			}})
		}
		add("", fuzzed, false, func(s *saving) bool { return s.failed[how][s.own] })
		add("/engine", fuzzed, false, func(s *saving) bool { return s.failed[how][s.engine] })
		add("/Check", checked, true, func(s *saving) bool { return s.failed[how][s.own] })
	}
	return rows
}

// saving is a run that has saved a failure.
type saving struct {
	bug, test   string
	dir         string
	own, engine string                     // names of files; engine is empty for a Check
	failed      map[string]map[string]bool // what failed again, by the way to run it and the name
}

// quickly lists bugs that are found within about a second, with the names of their tests.
var quickly = [][2]string{
	{"bst-insert", "Insert"}, {"bst-delete", "Delete"}, {"share-merge", "Share"}, {"cache-stale", "Calls"},
}

// savings holds the runs made so far, of Valid and of Check.
var savings = map[bool][]*saving{}

// save makes n runs until each has saved a failure.
func save(n int, check bool) ([]*saving, error) {
	if savings[check] != nil {
		return savings[check], nil
	}
	if _, err := testBinary("../examples/planted", true); err != nil {
		return nil, err
	}
	if _, err := plantedTests("plain"); err != nil {
		return nil, err
	}
	all := make([]*saving, n)
	err := twoAtATime(n, func(i int) error {
		bug := quickly[i%len(quickly)]
		all[i] = &saving{bug: bug[0], test: "Fuzz" + bug[1], failed: map[string]map[string]bool{}}
		if check {
			all[i].test = "Test" + bug[1]
		}
		return all[i].run(i)
	})
	if err != nil {
		return nil, err
	}
	for _, bug := range quickly {
		runs, own, engine := 0, map[string]bool{}, map[string]bool{}
		for _, s := range all {
			if s.bug == bug[0] {
				runs++
				own[s.own], engine[s.engine] = true, true
			}
		}
		fmt.Fprintf(os.Stderr, "failures: %s: %d runs of %s saved %d minimal values", bug[0], runs, map[bool]string{true: "Check", false: "Valid"}[check], len(own))
		if !check {
			fmt.Fprintf(os.Stderr, " and %d inputs", len(engine))
		}
		fmt.Fprintln(os.Stderr)
	}
	savings[check] = all
	return all, nil
}

var (
	ownFile    = regexp.MustCompile(`(?m)^ *saved as:\n *testdata/fuzz(?:ext)?/\w+/(\w+)$`)
	engineFile = regexp.MustCompile(`(?m)^ *Failing input written to testdata/fuzz/\w+/(\w+)$`)
	failedFile = regexp.MustCompile(`(?m)^ *--- FAIL: Fuzz\w+/(\w+) `)
)

// run is the i-th run that looks for the bug, in a directory of its own.
func (s *saving) run(i int) (err error) {
	if s.dir, err = os.MkdirTemp(scratch, "saved-*"); err != nil {
		return err
	}
	var binary string
	var args []string
	if strings.HasPrefix(s.test, "Test") {
		if binary, err = plantedTests("plain"); err != nil {
			return err
		}
		args = []string{"-test.run=^" + s.test + "$", "-fuzzext.checks=1000000000", "-fuzzext.seed=" + strconv.Itoa(i+1)}
	} else {
		if binary, err = testBinary("../examples/planted", true); err != nil {
			return err
		}
		cache := filepath.Join(s.dir, "cache")
		defer os.RemoveAll(cache)
		// Every other run starts from an input of its own. Runs with an empty cache start from
		// the same inputs, and may fail on one of them.
		if i/len(quickly)%2 == 1 {
			if _, _, err := corpus.Write(filepath.Join(cache, s.test), someBytes(i)); err != nil {
				return err
			}
		}
		args = []string{"-test.run=^$", "-test.fuzz=^" + s.test + "$", "-test.parallel=1", "-test.fuzzcachedir=" + cache}
	}
	const limit = 2 * time.Minute // most take seconds
	out, stopped, err := s.exec(binary, limit, append(args, "-test.timeout=0")...)
	if err != nil {
		return err
	}
	own, engine := ownFile.FindStringSubmatch(out), engineFile.FindStringSubmatch(out)
	if stopped || own == nil || engine == nil && strings.HasPrefix(s.test, "Fuzz") {
		return fmt.Errorf("%s of %s has not saved a failure:\n%s", s.test, s.bug, out)
	}
	s.own = own[1]
	if engine != nil {
		s.engine = engine[1]
	}
	return nil
}

func someBytes(seed int) []byte {
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	b := make([]byte, 16+r.IntN(100))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// again runs the failures that s has saved and records which fail again.
func (s *saving) again(how string) error {
	binary, err := plantedTests(how)
	if err != nil {
		return err
	}
	failed := map[string]bool{}
	const limit = time.Minute
	// After the values that failed before, Check runs next to nothing.
	out, _, err := s.exec(binary, limit, "-test.run=^"+s.test+"$", "-test.v", "-fuzzext.checks=1")
	if err != nil {
		return err
	}
	names := failedFile
	if s.engine == "" {
		names = ownFile
	}
	for _, m := range names.FindAllStringSubmatch(out, -1) {
		failed[m[1]] = true
	}
	for _, name := range []string{s.own, s.engine} {
		if name != "" && !failed[name] {
			files, _ := filepath.Glob(filepath.Join(s.dir, "testdata", "*", s.test, name))
			for _, f := range files {
				b, _ := os.ReadFile(f)
				fmt.Fprintf(os.Stderr, "failures: %s: %s does not fail again, %s:\n%s%s", s.bug, s.test, how, b, out)
			}
		}
	}
	s.failed[how] = failed
	return nil
}

// exec runs a test binary in the directory of s.
func (s *saving) exec(binary string, limit time.Duration, args ...string) (output string, stopped bool, err error) {
	cmd := exec.Command(binary, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), planted.Env+"="+s.bug)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	stopped, err = runLimited(cmd, limit, &outcome{})
	return out.String(), stopped, err
}

// rerun returns n runs that saved failures, after running the failures again.
func rerun(how string, n int, check bool) ([]*saving, error) {
	all, err := save(n, check)
	if err != nil || all[0].failed[how] != nil {
		return all, err
	}
	if _, err := plantedTests(how); err != nil {
		return nil, err
	}
	return all, twoAtATime(n, func(i int) error { return all[i].again(how) })
}

// plantedTests builds the tests of examples/planted as `go test` does, with -race or for a
// 32-bit processor if asked, and returns the path.
func plantedTests(how string) (string, error) {
	switch how {
	case "race":
		return buildTests("../examples/planted", "planted.race.test", nil, "-race")
	case "386":
		return buildTests("../examples/planted", "planted.386.test", []string{"GOARCH=386", "CGO_ENABLED=0"})
	}
	return testBinary("../examples/planted", false)
}

// twoAtATime calls f with 0 to n-1 and joins the errors.
func twoAtATime(n int, f func(i int) error) error {
	errs := make([]error, n)
	slots := make(chan bool, 2)
	for i := range n {
		slots <- true
		go func() {
			defer func() { <-slots }()
			errs[i] = f(i)
		}()
	}
	for range cap(slots) {
		slots <- true
	}
	return errors.Join(errs...)
}
