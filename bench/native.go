package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bench/targets"
)

// nativeRows measure `go test -fuzz` with a property of search trees of 20 nodes that takes
// almost no time.
func nativeRows() []row {
	throughput := func(name, test string, atLeast float64) row {
		return row{"native/" + name + " values/cpu-s", finders[test], ratioAtLeast(atLeast), func(quick bool) (o, b figure, err error) {
			if o.value, err = rate(quick, "FuzzValid"); err == nil {
				b.value, err = rate(quick, test)
			}
			return o, b, err
		}}
	}
	kept := func(name, test string, atMost float64, count func(bool, string) (float64, error)) row {
		return row{"native/" + name, finders[test], oursAtMost(atMost), func(quick bool) (o, b figure, err error) {
			if o.value, err = count(quick, "FuzzValid"); err == nil {
				b.value, err = count(quick, test)
			}
			return o, b, err
		}}
	}
	return []row{
		throughput("MakeFuzz", "FuzzMakeFuzz", 5),
		throughput("rapid", "TestRapidOwn", 0.7),
		kept("MakeFuzz interesting inputs", "FuzzMakeFuzz", 40, interesting),
		kept("raw interesting inputs", "FuzzRaw", 40, interesting),
		kept("MakeFuzz skips %", "FuzzMakeFuzz", 0, skips),
	}
}

// session is the result of 10 CPU seconds of a test.
type session struct {
	rate float64 // values per CPU second
	kept int     // inputs that the engine found interesting
	skip int     // of these, those that the test skips
}

func rate(quick bool, test string) (float64, error) {
	return over(quick, test, func(s session) float64 { return s.rate })
}

func interesting(quick bool, test string) (float64, error) {
	return over(quick, test, func(s session) float64 { return float64(s.kept) })
}

func skips(quick bool, test string) (float64, error) {
	return over(quick, test, func(s session) float64 { return 100 * float64(s.skip) / float64(max(1, s.kept)) })
}

// sessions holds the measurements made so far, by test.
var sessions = map[string][]session{}

// over returns the median of a figure over several sessions.
func over(quick bool, test string, of func(session) float64) (float64, error) {
	n, limit := 5, 10*time.Second
	if quick {
		n, limit = 1, 4*time.Second
	}
	for len(sessions[test]) < n {
		err := inScratch(func(dir string) error {
			s, err := runSession(process{test: test, target: targets.Native, seed: len(sessions[test]) + 1, limit: limit}, dir)
			sessions[test] = append(sessions[test], s)
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	var x []float64
	for _, s := range sessions[test] {
		x = append(x, of(s))
	}
	return median(x), nil
}

func runSession(p process, dir string) (s session, err error) {
	o, err := p.run(dir)
	if err != nil {
		return s, err
	}
	s.rate = float64(o.values) / o.cpu.Seconds()
	if p.fuzzes() {
		s.kept, s.skip, err = p.countKept(dir)
	}
	return s, err
}

// countKept returns the number of inputs that a process has kept in dir, and of those that
// the test skips when it runs them as a corpus.
func (p process) countKept(dir string) (kept, skipped int, err error) {
	corpus := filepath.Join(dir, "testdata", "fuzz")
	if err := os.MkdirAll(corpus, 0o777); err != nil {
		return 0, 0, err
	}
	if err := os.Rename(filepath.Join(dir, "cache", p.test), filepath.Join(corpus, p.test)); err != nil {
		if errors.Is(err, os.ErrNotExist) { // the process has kept none
			err = nil
		}
		return 0, 0, err
	}
	binary, err := testBinary("./targets", true)
	if err != nil {
		return 0, 0, err
	}
	cmd := exec.Command(binary, "-test.run=^"+p.test+"$", "-test.v")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), targets.HuntEnv+"="+p.target)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, 0, errors.Join(err, errors.New(string(out)))
	}
	return strings.Count(string(out), "=== RUN   "+p.test+"/"), strings.Count(string(out), "--- SKIP: "+p.test+"/"), nil
}
