package main

import (
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

// reproduced counts the saved failures that fail again in another process: under plain
// `go test`, with -race, and in a 32-bit binary. Each comes from a run of its own, of
// `go test -fuzz` or of Check, that looked for a bug of examples/planted. A fuzzing run
// saves two failures: Valid saves the minimal value, and the engine saves the input that it
// ran, of which often only a variant fails.
func reproduced(check bool, name func(*saving) string) measure {
	return func(r run) (o, b figure, err error) {
		how, n := r.args[0], pick(r, 1000, 20)
		if check {
			n = pick(r, 100, 8)
		}
		all, err := rerun(how, n, check)
		for _, s := range all {
			if b.value++; s.failed[how][name(s)] {
				o.value++
			}
		}
		return o, b, err
	}
}

func (s *saving) minimal() string { return s.own }
func (s *saving) input() string   { return s.engine }

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

// save makes n runs until each has saved a failure.
func save(n int, check bool) ([]*saving, error) {
	return once(fmt.Sprint("save ", check), func() ([]*saving, error) {
		if _, err := testBinary("../examples/planted", true); err != nil {
			return nil, err
		}
		if _, err := plantedTests("plain"); err != nil {
			return nil, err
		}
		all := make([]*saving, n)
		return all, twoAtATime(n, func(i int) error {
			bug := quickly[i%len(quickly)]
			all[i] = &saving{bug: bug[0], test: "Fuzz" + bug[1], failed: map[string]map[string]bool{}}
			if check {
				all[i].test = "Test" + bug[1]
			}
			return all[i].run(i)
		})
	})
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
		args = []string{"-test.run=^" + s.test + "$", "-fuzzext.checks=" + endless, "-fuzzext.seed=" + strconv.Itoa(i+1)}
	} else {
		if binary, err = testBinary("../examples/planted", true); err != nil {
			return err
		}
		cache := filepath.Join(s.dir, "cache")
		defer os.RemoveAll(cache)
		// Every other run starts from an input of its own. Runs with an empty cache start from
		// the same inputs, and may fail on one of them.
		if i/len(quickly)%2 == 1 {
			if _, _, err := corpus.Write(filepath.Join(cache, s.test), randomBytes(rand.New(rand.NewPCG(uint64(i), 0)), 16+i%100)); err != nil {
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
