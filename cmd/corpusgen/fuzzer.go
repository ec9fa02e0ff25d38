package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/campaign"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/gorelease"
)

// fuzzer is one run of `corpusgen fuzz`.
type fuzzer struct {
	fuzzOptions
	flags  *gotest.Flags
	env    *gotest.Env
	cache  string // directory of all runs
	dir    string // directory of this run
	engine *fuzzEngine
	out    *fuzzOutput
	kill   context.Context // ends when test binaries must

	mu      sync.Mutex // guards what follows, but for what is never changed after build
	targets []*fuzzTarget
	unbuilt []*fuzzTarget // of packages that do not build
	share   *campaign.Share
	left    float64 // of the limit of all targets: seconds or executions
	failed  bool    // something has been complained about
}

func (f *fuzzer) complain(err error) {
	f.failed = true
	f.out.complain(err)
}

// build builds the test binaries of pkgs, complaining about those that cannot be
// built, and sets the targets.
func (f *fuzzer) build(ctx context.Context, pkgs []gotest.Package) error {
	flags := slices.Concat(f.flags.BuildFlags(f.engine.tags...), f.flags.Compile, f.engine.flags)
	n := 0
	for i, pkg := range pkgs {
		dir := filepath.Join(f.dir, strconv.Itoa(i))
		if err := os.Mkdir(dir, 0o777); err != nil {
			return err
		}
		if err := checkCorpora(f.env, pkg); err != nil {
			f.complain(fmt.Errorf("%s: %w", pkg.Path, err))
			f.leaveOut(pkg, "there is a file in its corpora that cannot be read")
			continue
		}
		f.out.status("building the test binary of %s", pkg.Path)
		binary, text, err := gotest.Build(ctx, f.env, pkg, dir, flags, f.engine.vars)
		if broken := (*gotest.BuildError)(nil); errors.As(err, &broken) {
			f.complain(fmt.Errorf("%s: go test -c fails:\n%w", pkg.Path, err))
			f.leaveOut(pkg, "the package does not build")
			continue
		} else if err != nil {
			return err
		}
		f.out.warn(text)
		n += len(pkg.Targets)
		if err := f.add(binary, dir); err != nil {
			return err
		}
	}
	var records []*campaign.Record
	for _, t := range f.targets {
		records = append(records, t.record)
		switch {
		case n == 1:
		case len(pkgs) == 1:
			t.label = t.name
		default:
			t.label = t.pkg().Path + " " + t.name
		}
	}
	f.share = campaign.NewShare(records)
	f.left = math.Inf(1)
	if !f.limit.IsZero() {
		f.left = size(f.limit) * float64(n)
	}
	return nil
}

// leaveOut tells why the targets of a package are not fuzzed.
func (f *fuzzer) leaveOut(pkg gotest.Package, why string) {
	for _, name := range pkg.Targets {
		t := &fuzzTarget{name: name, binary: &gotest.Binary{Package: pkg}, unfit: "not fuzzed: " + why}
		f.unbuilt = append(f.unbuilt, t)
		f.out.emit(endEvent{event(t, "end"), "broken"})
	}
}

// checkCorpora looks for files that the tests of a package would never finish reading.
func checkCorpora(env *gotest.Env, pkg gotest.Package) error {
	seeds := gotest.Short(filepath.Join(pkg.Dir, "testdata", "fuzz"))
	dirs, _ := os.ReadDir(seeds) // usually there is none
	var errs []error
	for _, dir := range dirs {
		errs = append(errs, corpus.Check(filepath.Join(seeds, dir.Name())))
	}
	for _, target := range pkg.Targets {
		errs = append(errs, corpus.Check(filepath.Join(gotest.FuzzCache(env, pkg), target)))
	}
	return errors.Join(errs...)
}

// add adds the targets of a package, whose files are in dir.
func (f *fuzzer) add(binary *gotest.Binary, dir string) error {
	state, err := campaign.Load(filepath.Join(f.cache, "state"), binary.Package.Path)
	if err != nil {
		f.out.warn(fmt.Sprintf("corpusgen: what earlier runs have told cannot be read, and is forgotten: %v\n", err))
	}
	for _, name := range binary.Package.Targets {
		t := &fuzzTarget{name: name, binary: binary, state: state, record: state.Record(name)}
		t.tally.Dir = filepath.Join(dir, name)
		if err := os.MkdirAll(t.tally.Dir, 0o777); err != nil {
			return err
		}
		f.targets = append(f.targets, t)
	}
	return os.Mkdir(filepath.Join(dir, "tmp"), 0o777)
}

// size is an amount in seconds or executions.
func size(a gotest.Amount) float64 {
	if a.Executions > 0 {
		return float64(a.Executions)
	}
	return a.Time.Seconds()
}

// amount is an amount of that size in the unit of the limit.
func (f *fuzzer) amount(size float64) gotest.Amount {
	if f.limit.Executions > 0 {
		return gotest.Amount{Executions: max(1, int64(size))}
	}
	return gotest.Amount{Time: time.Duration(size * float64(time.Second)).Round(time.Millisecond)}
}

// turn is how long a turn is, infinite if nothing is to end it.
//
//   - A target that is alone has one turn.
//   - Without a limit, a turn takes 30 seconds.
//   - Otherwise, it takes an eighth of the limit, but 1 to 60 seconds, or at least
//     1000 executions.
func (f *fuzzer) turn() float64 {
	limit := size(f.limit)
	switch {
	case len(f.targets) == 1:
		return f.left
	case f.limit.IsZero():
		return 30
	case f.limit.Executions > 0:
		return math.Ceil(min(limit, max(limit/8, 1000)))
	}
	return min(limit, max(1, limit/8), 60)
}

// next returns the target whose turn it is, and the size of the turn. The limit ends
// turns, but not those that are to report a hang.
func (f *fuzzer) next() (i int, granted float64, ok bool) {
	if f.left > 0.001 {
		if i, ok = f.share.Next(); !ok {
			return 0, 0, false
		}
		if granted = min(f.turn(), f.left); f.targets[i].hung {
			granted = f.hangTurn()
		}
		return i, granted, true
	}
	for i, t := range f.targets {
		if t.hung && f.share.Take(i) {
			return i, f.hangTurn(), true
		}
	}
	return 0, 0, false
}

// hangTurn is how long a turn is, in seconds, in which the engine can report a hang:
// its limit and five seconds.
func (f *fuzzer) hangTurn() float64 {
	return (gorelease.Limit(f.env.GOVERSION) + 5*time.Second).Seconds()
}

// hangs reports whether a turn of t that was granted some time, and spent some
// fuzzing, in seconds, has ended with workers that did not stop. The next turn
// of t is then one of [fuzzer.hangTurn], but no two in a row are.
func (f *fuzzer) hangs(t *fuzzTarget, granted, fuzzing float64) bool {
	const stops = 1 // seconds in which workers stop
	timed := len(f.targets) > 1 && f.limit.Executions == 0
	return timed && !t.hung && fuzzing > granted+stops
}

// charge is the size of a turn that was granted some and took some: as much as it
// was granted if it has used that up, and all the time that it took.
func (f *fuzzer) charge(granted float64, usedUp bool, wall time.Duration, executions int64) float64 {
	used := wall.Seconds()
	if f.limit.Executions > 0 {
		used = min(float64(max(1, executions)), granted)
	}
	if usedUp && !math.IsInf(granted, 1) {
		used = max(used, granted)
	}
	return used
}

// run fuzzes the targets until the limit is reached, none is left, ctx ends or
// the first failure, unless f is to keep going.
func (f *fuzzer) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	running := 0
	ended := make(chan bool)
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		for ctx.Err() == nil && running < f.together {
			i, granted, ok := f.next()
			if !ok {
				break
			}
			if !f.limit.IsZero() {
				f.left -= granted
			}
			running++
			go func() { ended <- f.fuzz(ctx, i, granted) }()
		}
		if running == 0 {
			return
		}
		f.mu.Unlock()
		found := <-ended
		f.mu.Lock()
		running--
		if found && !f.keepGoing {
			cancel()
		}
	}
}

// fuzz gives target i a turn of the granted size and reports whether that has
// found a failure.
func (f *fuzzer) fuzz(ctx context.Context, i int, granted float64) (found bool) {
	t := f.targets[i]
	f.out.emit(startEvent{event(t, "start")})
	var began time.Time // of fuzzing
	log := &campaign.Log{Line: func(line string) {
		if f.line(t, line) && began.IsZero() {
			began = time.Now()
		}
	}}
	exit := t.binary.Run(gotest.Process{
		Args:      f.args(t, granted),
		Vars:      f.vars(t),
		Output:    log,
		Interrupt: ctx,
		Kill:      f.kill,
	})
	log.Close()
	fuzzed, fuzzing := !began.IsZero(), time.Duration(0)
	if fuzzed {
		fuzzing = time.Since(began)
	}

	f.mu.Lock()
	defer f.mu.Unlock()
	executions, entries := t.tally.Turn()
	if err := t.tally.EndTurn(exit.CPU, exit.Wall); err != nil {
		f.out.warn(fmt.Sprintf("corpusgen: %s: %v\n", t.name, err))
	}
	status, found := f.judge(ctx, t, log, exit, fuzzed)
	t.turns++

	used := f.charge(granted, status == "ok", exit.Wall, executions)
	t.hung = status == "ok" && f.hangs(t, granted, fuzzing.Seconds())
	if !f.limit.IsZero() {
		f.left += granted - used
	}
	t.spent += used
	t.record.Executions += executions
	f.share.Done(i, used, entries, cmp.Or(exit.CPU, exit.Wall))
	goOn := status == "ok" || status == "interrupted" || status == "failed" && f.again(t, log.Entries())
	if !goOn {
		f.share.Retire(i)
		if !f.limit.IsZero() {
			f.left -= max(0, size(f.limit)-t.spent)
		}
	}
	if err := t.state.Save(); err != nil {
		f.out.warn(fmt.Sprintf("corpusgen: what this run tells cannot be kept: %v\n", err))
	}
	f.out.end(t, status, exit)
	return found
}

// judge reads what has come of a turn and returns its status, and whether fuzzing
// has found a failure: one that was not in the corpus before.
func (f *fuzzer) judge(ctx context.Context, t *fuzzTarget, log *campaign.Log, exit gotest.Exit, fuzzed bool) (status string, found bool) {
	reports, failures, err := t.tally.Failures()
	if err != nil {
		f.out.warn(fmt.Sprintf("corpusgen: %s: %v\n", t.name, err))
	}
	told := len(reports) > 0
	if failure, ok := log.Failure(t.pkg().Path, t.name); ok && exit.Err != nil {
		told = true
		if failure.File == "" {
			t.locate(&failure, log.Seed)
		}
		if !reported(failure, reports) && t.tally.Add(failure) {
			failures = append(failures, failure)
		}
	}
	for _, failure := range failures {
		f.failed = true
		t.failures = append(t.failures, failure)
		f.out.emit(failureEvent{event(t, "failure"), failure})
	}
	switch {
	case len(failures) > 0:
		t.idle = 0
		return "failed", log.Seed == ""
	case ctx.Err() != nil:
		return "interrupted", false
	case exit.Err == nil && !fuzzed:
		t.unfit = "ends before it is fuzzed"
		return "skipped", false
	case exit.Err == nil:
		t.idle = 0
		return "ok", false
	case told:
		t.idle++
		return "failed", false
	}
	f.failed = true
	t.unfit = "fails before it is fuzzed"
	if !slices.Contains(f.args(t, 1), noTests) {
		t.unfit += "; other tests of the package run first: -run '^$' leaves them out"
	}
	if fuzzed {
		t.unfit = fmt.Sprintf("stops with an error: %v", exit.Err)
	}
	return "broken", false
}

// reported reports whether a failure that the engine tells about is one of those in
// reports.
func reported(failure engine.Failure, reports []engine.Failure) bool {
	return slices.ContainsFunc(reports, func(r engine.Failure) bool {
		return r.File != "" && r.File == failure.File || r.Place != "" && r.Place == failure.Place
	})
}

// again prepares t to go on after a failure, of entries of the corpus, and reports
// whether it can.
func (f *fuzzer) again(t *fuzzTarget, entries []string) bool {
	const most = 3 // turns in a row that end with a failure that is known
	if !f.keepGoing || !f.engine.passesOver {
		return false
	}
	if t.idle == most {
		t.unfit = fmt.Sprintf("given up: %d turns in a row ended with a failure that is known and cannot be passed over; mend it, then fuzz the target again", most)
		return false
	}
	if err := t.tally.WriteKnown(entries); err != nil {
		f.complain(err)
		return false
	}
	return true
}

// noTests is the argument of a test binary that leaves out what is not fuzzed.
const noTests = "-test.run=^$"

// args are the arguments of t's test binary for a turn.
func (f *fuzzer) args(t *fuzzTarget, granted float64) []string {
	args := []string{"-test.fuzzcachedir=" + t.binary.FuzzCache()}
	has := func(flag string) bool {
		return slices.ContainsFunc(f.flags.Test, func(s string) bool { return strings.HasPrefix(s, flag) })
	}
	if !has("-test.timeout=") {
		args = append(args, "-test.timeout=10m0s")
	}
	args = append(args, f.flags.Test...)
	if t.turns > 0 || len(f.targets) > 1 && !has("-test.run=") {
		args = append(args, noTests)
	}
	args = append(args, "-test.fuzz=^"+t.name+"$")
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
	return append(args, f.flags.Args...)
}

// vars is what t's test binary finds in its environment. The engine has large
// temporary files, which must not outlive it.
func (f *fuzzer) vars(t *fuzzTarget) []string {
	tmp := filepath.Join(filepath.Dir(t.binary.Path), "tmp")
	vars := []string{engine.RunDir + "=" + t.tally.Dir}
	if runtime.GOOS == "windows" {
		return append(vars, "TMP="+tmp, "TEMP="+tmp)
	}
	return append(vars, "TMPDIR="+tmp)
}

// line takes a line of t's output and reports whether it is one of progress.
func (f *fuzzer) line(t *fuzzTarget, line string) bool {
	f.mu.Lock()
	progress := t.tally.Line(line)
	if progress {
		_ = t.tally.Refresh() // a file may be half written; what is wrong with it shows at the end
		f.out.progress(t)
	}
	f.mu.Unlock()
	f.out.line(t, line)
	return progress
}
