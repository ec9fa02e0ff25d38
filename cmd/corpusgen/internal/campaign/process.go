package campaign

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/engine"
)

// noTests is the argument of a test binary that skips all tests that are not fuzzed.
const noTests = "-test.run=^$"

// args are the arguments of t's test binary for a turn.
func (f *fuzzer) args(t *fuzzTarget, granted float64) []string {
	args := []string{"-test.fuzzcachedir=" + gotest.FuzzCache(f.Env, t.pkg())}
	has := func(flag string) bool {
		return slices.ContainsFunc(f.Test, func(s string) bool { return strings.HasPrefix(s, flag) })
	}
	if !has("-test.timeout=") {
		args = append(args, "-test.timeout=10m0s")
	}
	args = append(args, f.Test...)
	if t.turns > 0 || t.alone || len(f.targets) > 1 && !has("-test.run=") {
		args = append(args, noTests)
	}
	args = append(args, "-test.fuzz=^"+t.engine+"$")
	if t.engine != t.name && !has("-test.fuzzminimizetime=") { // as fuzzext.Valid does for its targets
		args = append(args, "-test.fuzzminimizetime=0s")
	}
	if !math.IsInf(granted, 1) {
		args = append(args, "-test.fuzztime="+f.amount(granted).String())
	}
	parallel := f.parallel
	if n := min(f.together, len(f.targets)); parallel == 0 && n > 1 {
		parallel = max(1, runtime.GOMAXPROCS(0)/n)
	}
	if parallel > 0 {
		args = append(args, "-test.parallel="+strconv.Itoa(parallel))
	}
	return append(args, f.Args...)
}

// runsOthers reports whether other tests of the package run before t in its next turn.
func (f *fuzzer) runsOthers(t *fuzzTarget) bool { return !slices.Contains(f.args(t, 1), noTests) }

// vars returns what to add to the environment of t's test binary. The engine's temporary
// files are large, and must not outlive it.
func (f *fuzzer) vars(t *fuzzTarget) []string {
	tmp := filepath.Join(filepath.Dir(t.binary.Path), "tmp")
	vars := []string{engine.RunDir + "=" + t.tally.Dir,
		engine.RunBegan + "=" + strconv.FormatInt(f.began.UnixMicro(), 10)}
	if f.limitTime > 0 {
		vars = append(vars, engine.LimitTime+"="+f.limitTime.String())
	}
	if f.limitMem > 0 {
		vars = append(vars, engine.LimitMemory+"="+strconv.FormatUint(uint64(f.limitMem), 10))
	}
	vars = append(vars, "GORACE="+strings.TrimSpace(os.Getenv("GORACE")+" atexit_sleep_ms=0"))
	if runtime.GOOS == "windows" {
		return append(vars, "TMP="+tmp, "TEMP="+tmp)
	}
	return append(vars, "TMPDIR="+tmp)
}
