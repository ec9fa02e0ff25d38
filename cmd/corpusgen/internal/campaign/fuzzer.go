package campaign

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/finding"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/livepage"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/job"
)

// findingOf returns a failure that fuzzing has found.
func findingOf(pkg gotest.Package, f engine.Failure) finding.Finding {
	x := finding.Finding{
		Target:  f.Target,
		Package: pkg.Path,
		Dir:     pkg.Dir,
		Place:   f.Place,
		Message: finding.Message(f.Log),
		Value:   f.Value,
		File:    f.File,
		Rerun:   f.Rerun,
	}
	if x.File != "" && !filepath.IsAbs(x.File) {
		x.File = filepath.ToSlash(gotest.Short(filepath.Join(pkg.Dir, filepath.FromSlash(x.File))))
	}
	return x
}

// fuzzer is one run of `corpusgen fuzz`.
type fuzzer struct {
	*session.Session
	limit      gotest.Amount // for each target; zero means no limit
	together   int           // targets fuzzed at a time
	parallel   int           // workers for each; 0 if not set
	keepGoing  bool
	limitTime  time.Duration // of CPU, for each input; 0 for what the engine allows
	limitMem   memory        // for each input; 0 for no limit
	dictFile   string        // "" for none
	dict       []string      // its texts
	logs       []string      // places at which tests only log
	until      time.Duration // without a new entry, after which a target has had enough; 0 for none
	stock      bool
	overlay    string // auto, require or off
	instrument string // patterns, separated by commas; empty for the default
	overflow   bool   // operations that lose bits fail
	changed    string // revision; empty for none
	html       string // file; empty for none

	engine  *fuzzEngine
	touched []gotest.ChangedFile // by the change of -changed
	marked  bool                 // they say when they run
	kill    context.Context      // ends when test binaries must
	began   time.Time

	mu       sync.Mutex // guards what follows, except what does not change after build
	targets  []*fuzzTarget
	unbuilt  []*fuzzTarget // of packages that are left out
	rotation *Rotation
	left     float64 // of the limit of all targets: seconds or executions
	found    finding.List
	page     *livepage.Page // nil without -html
}

// run fuzzes the targets until the limit is reached, no target is left, or ctx ends. Unless
// -keepgoing is set, it also stops at the first failure.
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

// A turn is the run of a test binary that fuzzes a target for a while.
type turn struct {
	start   time.Time
	granted float64 // seconds or executions
	log     *Log
	exit    gotest.Exit
	began   time.Time // fuzzing, after other tests of the package; zero if it never has
	fuzzing time.Duration
	seeds   map[string]bool // names of entries in testdata before
}

// fuzzed reports whether the turn got so far as to fuzz.
func (u *turn) fuzzed() bool { return !u.began.IsZero() }

// fuzz gives target i a turn of the granted size and reports whether that has
// found a failure.
func (f *fuzzer) fuzz(ctx context.Context, i int, granted float64) (found bool) {
	t := f.targets[i]
	f.Emit(startEvent{t.event("start")})
	f.mu.Lock()
	f.show(t, true)
	if f.limit.Time > 0 {
		t.until = time.Now().Add(time.Duration(granted * float64(time.Second)))
	}
	f.mu.Unlock()
	u := f.take(ctx, t, granted)
	d := f.examine(ctx, t, u)
	f.warn(t, t.tidy())

	f.mu.Lock()
	defer f.mu.Unlock()
	executions, entries := t.tally.Turn()
	f.warn(t, t.tally.EndTurn(u.exit.CPU, cmp.Or(u.fuzzing, u.exit.Wall)))
	// the engine may not have told of a short turn
	executions = max(executions, t.tally.Executions()-t.executed)
	t.executed = t.tally.Executions()
	t.mixed = t.mixed || u.fuzzed() && f.runsOthers(t)
	status, found := f.judge(ctx, t, u, d, executions)
	t.turns++
	f.account(i, u, d, status, executions, entries)
	t.status = status
	f.show(t, false)
	t.quiet = status == "failed" && len(d.failures) == 0 && len(d.again) > 0 && t.unfit == ""
	f.tellEnd(t, status, u.exit)
	return found
}

// verbose reports whether tests tell all that they do.
func (f *fuzzer) verbose() bool { return slices.Contains(f.Test, "-test.v=true") }

// testCommand is the command that runs tests as they have been fuzzed.
func (f *fuzzer) testCommand() string {
	if f.overflow {
		return job.Program() + " test -overflow"
	}
	return "go test"
}

// reruns are the lines by which the engine says how to run a failure again.
var reruns = regexp.MustCompile(`^(\s+)go test -run`)

// take runs the test binary of a target for a turn.
func (f *fuzzer) take(ctx context.Context, t *fuzzTarget, granted float64) *turn {
	u := &turn{granted: granted, seeds: t.seeds(), start: time.Now()}
	ctx, t.enough = context.WithCancel(ctx)
	defer t.enough()
	u.log = &Log{Test: f.testCommand(), Line: func(line string) {
		if f.line(t, line) && u.began.IsZero() {
			u.began = time.Now()
		}
	}}
	u.exit = t.binary.Run(gotest.Process{
		Args:      f.args(t, granted),
		Vars:      f.vars(t),
		Output:    u.log,
		Interrupt: ctx,
		Kill:      f.kill,
	})
	u.log.Close()
	if u.exit.Err != nil && u.log.Expired() {
		u.exit.Err = nil
		u.log.Release(false)
		f.printLine(t, "corpusgen: that is not a failure: the engine takes the end of its time "+
			"for one, see https://go.dev/issue/75804")
	}
	if u.fuzzed() {
		u.fuzzing = time.Since(u.began)
	}
	return u
}

// account charges a turn to the limit and to the target's share, and retires a target that
// cannot be fuzzed any longer.
func (f *fuzzer) account(
	i int, u *turn, d diagnosis, status string, executions, entries int64,
) {
	t := f.targets[i]
	took := cmp.Or(u.fuzzing, u.exit.Wall)
	if len(d.failures)+len(d.again) > 0 {
		took = time.Since(u.start) // the process begins anew, and inputs run alone
	}
	used := f.charge(u.granted, status == "ok", took, executions)
	if status == "again" {
		used = 0 // nothing has been fuzzed
	}
	t.hung = status == "ok" && f.hangs(t, u.granted, u.fuzzing.Seconds())
	if !f.limit.IsZero() {
		f.left += u.granted - used
	}
	t.spent += used
	t.record.Executions += executions
	if t.tally.Stats().Changed > 0 {
		f.rotation.Reach(i)
	}
	f.rotation.Done(i, used, entries, cmp.Or(u.exit.CPU, u.exit.Wall))
	if t.dry || status != "ok" && status != "interrupted" && status != "again" &&
		(status != "failed" || !f.again(t, u.log.Entries())) {
		f.rotation.Retire(i)
		if !f.limit.IsZero() {
			f.left -= max(0, size(f.limit)-t.spent)
		}
	}
	if err := t.state.Save(); err != nil {
		f.Note("cannot record the results of this run: %v", err)
	}
}

// warn prints an error that does not end the run, unless it is nil.
func (f *fuzzer) warn(t *fuzzTarget, err error) {
	if err != nil {
		f.Note("%s: %v", t.name, err)
	}
}

// noteFull says that failures in a place are no more told apart, if the last one has been that one too
// many.
func (f *fuzzer) noteFull(t *fuzzTarget, last engine.Failure) {
	n := 0
	for _, failure := range t.failures {
		if failure.Place == last.Place {
			n++
		}
	}
	if n == engine.MaxMessages && placed(last) && last.Value == "" {
		f.Note("%s: %d failures at %s: their messages vary, so further ones there count as known until "+
			"these are mended", t.name, n, last.Place)
	}
}

// judge reads the result of a turn and returns its status. It reports whether fuzzing has
// found a failure that was not in the corpus before.
func (f *fuzzer) judge(
	ctx context.Context, t *fuzzTarget, u *turn, d diagnosis, executions int64,
) (status string, found bool) {
	reports, failures, err := t.tally.Failures()
	f.warn(t, err)
	told := len(reports)+len(d.failures)+len(d.again) > 0
	for _, failure := range d.failures {
		if !reported(failure, reports) && t.tally.Add(failure) {
			failures = append(failures, failure)
		} else if !named(failure.File, reports) && !named(failure.File, t.failures) {
			f.warn(t, u.remove(t, failure.File)) // a worker has told of another input
		}
	}
	for _, failure := range d.again {
		t.tally.Repeat(failure)
	}
	if t.deaths++; len(d.again) == 0 || len(failures) > 0 {
		t.deaths = 0
	}
	for _, failure := range failures {
		f.Failed = true
		failure.Target, failure.Data = t.name, nil
		failure.Input = cmp.Or(failure.Input, t.input(failure))
		failure.Rerun = f.Again(failure.Rerun)
		f.announce(t, failure)
		if first := t.failureOf(classOf(failure)); first != nil {
			first.Variants = append(first.Variants, failure)
			f.Emit(failureEvent{t.event("variant"), failure})
			continue
		}
		t.failures = append(t.failures, failure)
		f.noteFull(t, failure)
		f.Emit(failureEvent{t.event("failure"), failure})
		f.found.Add(f.Output, findingOf(t.pkg(), failure))
	}
	switch {
	case len(failures) > 0:
		t.idle = 0
		return "failed", u.log.Seed == ""
	case ctx.Err() != nil:
		return "interrupted", false
	case u.exit.Err == nil && !u.fuzzed():
		f.Failed = true
		t.unfit = "ends before it is fuzzed"
		return "skipped", false
	case u.exit.Err == nil:
		t.idle = 0
		return "ok", false
	case told && (executions >= worthwhile || u.log.Seed != ""):
		t.idle = 0 // what ends the process cannot be passed over, but it comes late
		return "failed", false
	case told:
		t.idle++
		return "failed", false
	}
	f.Failed = true
	if !u.fuzzed() && f.runsOthers(t) {
		f.Note("%s: other tests of the package fail: from now on they are left out", t.name)
		t.alone = true
		return "again", false
	}
	switch {
	case u.log.Unfit:
		t.unfit = "a worker process ends before it fuzzes: TestMain runs in each worker, too"
	case u.fuzzed():
		t.unfit = fmt.Sprintf("stops with an error: %v", u.exit.Err)
	default:
		t.unfit = "fails before it is fuzzed"
	}
	return "broken", false
}

// worthwhile is how many executions make up for the end of a turn with a failure that is known.
const worthwhile = 2

// reported reports whether a failure that the engine prints is one of reports.
func reported(failure engine.Failure, reports []engine.Failure) bool {
	return slices.ContainsFunc(reports, func(r engine.Failure) bool {
		return r.File != "" && r.File == failure.File || r.Place != "" && r.Place == failure.Place
	})
}

// named reports whether a file is one of those of failures.
func named(file string, failures []engine.Failure) bool {
	return slices.ContainsFunc(failures, func(f engine.Failure) bool {
		return f.File == file || named(file, f.Variants)
	})
}

// again prepares t to resume after a failure of entries of the corpus. It reports whether
// it can.
func (f *fuzzer) again(t *fuzzTarget, entries []string) bool {
	const (
		most   = 3   // turns in a row that end with a failure that is known, at once
		deaths = 100 // turns in a row in which an input ends the process as one before has
	)
	if t.deaths == deaths {
		t.unfit = fmt.Sprintf("given up: %d turns in a row ended as inputs before have ended the "+
			"process: fix that, then fuzz the target again", deaths)
		return false
	}
	if !f.keepGoing || !f.engine.passesOver {
		return false
	}
	if t.idle == most {
		t.unfit = fmt.Sprintf("given up: %d turns in a row ended with a known failure that "+
			"cannot be passed over: fix it, then fuzz the target again", most)
		return false
	}
	for _, first := range t.failures {
		for _, failure := range append([]engine.Failure{first}, first.Variants...) {
			if failure.File != "" {
				entries = append(entries, filepath.Base(filepath.FromSlash(failure.File)))
			}
		}
	}
	if err := t.tally.WriteKnown(entries); err != nil {
		f.Complain(err)
		return false
	}
	return true
}

// watchGrowth ends the turn of a target that has found nothing for so long that it has had enough.
func (f *fuzzer) watchGrowth(t *fuzzTarget) {
	c := t.tally.Counts()
	t.drought = t.growth.see(c.Found, c.Executions, c.Seconds)
	if f.until > 0 && t.drought.Seconds >= f.until.Seconds() {
		t.dry = true
		t.enough()
	}
}

// soon matches the lines of progress in the first seconds of a turn.
var soon = regexp.MustCompile(`^fuzz: elapsed: [0-2]s,`)

// line prints a line of t's output. It reports whether the line is one of progress.
func (f *fuzzer) line(t *fuzzTarget, line string) bool {
	f.mu.Lock()
	progress := t.tally.Line(line)
	if progress {
		_ = t.tally.Refresh() // a file may be half written; what is wrong with it shows at the end
		var left time.Duration
		if !t.until.IsZero() {
			left = max(time.Until(t.until), 0) + time.Duration(max(f.left, 0)*float64(time.Second))
		}
		f.showProgress(t, left)
		f.watchGrowth(t)
		f.show(t, true)
	}
	f.mu.Unlock()
	if t.quiet && soon.MatchString(line) {
		return progress // as at the beginning of the turn before
	}
	if line, ok := t.ownWords(line); ok {
		if f.overflow {
			line = reruns.ReplaceAllString(line, "${1}"+f.testCommand()+" -run")
		}
		f.printLine(t, f.Again(line))
	}
	return progress
}
