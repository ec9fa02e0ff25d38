package campaign

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/finding"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/gorelease"
)

// An apartRun runs entries of a target as tests, in a process of its own, whose end says what an
// input does.
type apartRun struct {
	f   *fuzzer
	t   *fuzzTarget
	dir string // for entries
	one time.Duration
}

// An apartEnd is the end of a process that ran entries.
type apartEnd struct {
	last   string // the name of the entry that ran last
	log    string // what the process has printed since it began that entry
	died   bool   // that entry has ended the process
	failed bool   // the process has not ended before its time, but an entry fails
	fails  []failingEntry
	timed  bool   // the time was over
	status string // of the process
	cpu    time.Duration
}

// A failingEntry is an entry that has failed while the process went on.
type failingEntry struct{ name, log string }

// newApart returns a run of entries, each of which may take the CPU time that the engine allows. It
// returns nil if the engine's edits do not allow that.
func (f *fuzzer) newApart(t *fuzzTarget) (*apartRun, error) {
	if f.engine.overlay == "" || !f.engine.runsApart {
		return nil, nil
	}
	r := &apartRun{f: f, t: t, dir: filepath.Join(t.tally.Dir, "apart"),
		one: cmp.Or(f.limitTime, gorelease.Limit(f.Env.GOVERSION))}
	return r, os.MkdirAll(r.dir, 0o777)
}

// startTime is how long a process may take besides an input that hangs.
const startTime = 5 * time.Second

// run runs files as entries, in order, until one ends the process or the time for one is over.
func (r *apartRun) run(files [][]byte) (apartEnd, error) {
	old, err := filepath.Glob(filepath.Join(r.dir, "input*"))
	if err != nil {
		return apartEnd{}, err
	}
	for _, path := range old {
		if err := os.Remove(path); err != nil {
			return apartEnd{}, err
		}
	}
	for i, b := range files {
		path := filepath.Join(r.dir, fmt.Sprintf("input%06d", i))
		if err := os.WriteFile(path, b, 0o666); err != nil {
			return apartEnd{}, err
		}
	}
	most := r.one + startTime
	var out bytes.Buffer
	exit := r.t.binary.Run(gotest.Process{
		Args: append([]string{"-test.v", "-test.parallel=1", "-test.timeout=" + (most + startTime).String(),
			"-test.run=^" + r.t.engine + "$/^input"}, r.f.Args...),
		Vars: append(r.f.vars(r.t), engine.CorpusDir+"="+r.dir,
			engine.CorpusTime+"="+most.String()),
		Output:    &out,
		Interrupt: r.f.kill,
		Kill:      r.f.kill,
	})
	if err := r.f.kill.Err(); err != nil {
		return apartEnd{}, context.Cause(r.f.kill)
	}
	e := endOf(out.String(), r.t.engine)
	e.failed = !e.died && exit.Err != nil
	e.died, e.cpu = e.died && exit.Err != nil, cmp.Or(exit.CPU, exit.Wall)
	if exit.Err != nil {
		e.status = exit.Err.Error()
	}
	return e, nil
}

// entryFailed matches a line of go test -v that says that an entry has failed.
var entryFailed = regexp.MustCompile(`^\s*--- FAIL: ([^/\s]+)/([^/\s]+) \(`)

// began matches a line of go test -v that says that an entry begins or goes on.
var began = regexp.MustCompile(`=== (?:RUN|CONT) +([^/\s]+)/([^/\s]+)\S*$`)

// endOf reads what go test -v has printed of a target.
func endOf(output, target string) (e apartEnd) {
	e.died = true
	var log []string
	logs := map[string]string{} // by entries
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\r\n")
		switch m := began.FindStringSubmatch(line); {
		case m != nil && m[1] == target:
			if e.last != m[2] { // or a part of the same
				logs[e.last] = strings.Join(log, "\n")
				e.last, log = m[2], nil
			}
			e.died = true
			continue
		case !e.died:
			continue // of the orderly end
		case strings.Contains(line, "--- FAIL: "):
			if logs[e.last] == "" {
				logs[e.last] = strings.Join(log, "\n")
			}
			if m := entryFailed.FindStringSubmatch(line); m != nil && m[1] == target {
				e.fails = append(e.fails, failingEntry{m[2], logs[m[2]]})
			}
		case line == "PASS" || line == "FAIL":
			e.died = false
		case strings.HasPrefix(line, engine.TimedOut):
			e.timed = true
		}
		log = append(log, line)
	}
	e.log = strings.TrimSpace(strings.Join(log, "\n"))
	e.died = e.died && e.last != ""
	return e
}

// death returns the last words of a process: from the line that says why it ends, to which the stacks
// belong. What the target has printed before comes after it.
func death(log string) (words string, ok bool) {
	lines := strings.Split(log, "\n")
	stacks := false
	for i, line := range slices.Backward(lines) {
		stacks = stacks || strings.HasPrefix(line, "goroutine ")
		if !stacks || strings.HasPrefix(line, "\t") {
			continue
		}
		if engine.IsSignal(lines[i:]) {
			return withBefore(lines[i:], lines[:i]), true
		}
		for _, mark := range []string{"panic: ", "fatal error: ", engine.ExitCalled} {
			if at := strings.Index(line, mark); at >= 0 && (mark != engine.ExitCalled || line == mark) {
				return withBefore(append([]string{line[at:]}, lines[i+1:]...),
					append(lines[:i:i], line[:at])), true
			}
		}
	}
	return log, false
}

// withBefore returns the last words of a process, and what it has printed before.
func withBefore(words, before []string) string {
	text := strings.Join(words, "\n")
	if printed := strings.TrimSpace(strings.Join(before, "\n")); printed != "" {
		text += finding.PrintedBefore + printed
	}
	return text
}

// failure returns a failure as the end of the process tells it.
func (e apartEnd) failure(f engine.Failure) engine.Failure {
	words, ok := death(e.log)
	switch {
	case ok || e.failed:
		f.Log = words
	default:
		f.Log = strings.TrimSpace("the process has ended: " + e.status + "\n\n" + e.log)
		f.Class, f.Place = e.status, e.status // what it has printed need not say why
		return f
	}
	if e.timed {
		f.Hangs = true
		function, place := engine.HangPlace(e.log)
		f.Class, f.Place = "hang in "+function, cmp.Or(place, "hang")
		f.Log = "the input has not returned, alone, when its time was over\n" + f.Log
		return f
	}
	f.Place = cmp.Or(engine.PlaceOf(words), e.status)
	f.Class = cmp.Or(engine.ClassOf(words), e.status)
	return f
}

// A diagnosis says what a turn has found.
type diagnosis struct {
	failures []engine.Failure // told by the engine, or of inputs that still ran at the end
	again    []engine.Failure // of them, those that end the process as an input before has
}

// examine finds out what the engine has told of a failure in a turn.
func (f *fuzzer) examine(ctx context.Context, t *fuzzTarget, u *turn) (d diagnosis) {
	if failure, ok := u.log.Failure(t.pkg().Path, t.engine); ok && u.exit.Err != nil {
		if failure.File == "" {
			t.locate(f.Env, &failure, u.log.Seed)
		} else {
			f.place(t, &failure)
		}
		ended := strings.HasPrefix(failure.Place, finding.ProcessEnded)
		explained := f.explain(t, &failure)
		switch known := t.tally.Knows(failure); {
		case ended && u.log.Seed == "" && known:
			if explained && placed(failure) {
				f.warn(t, u.remove(t, failure))
			}
			d.again = append(d.again, failure)
		default:
			found := failure.File
			if u.log.Seed == "" && !known && (explained || !ended) {
				f.minimize(ctx, t, u, &failure)
			}
			if failure.File != found && !ended {
				u.log.Retell(failure.Log)
			}
			var lines []string
			if explained {
				lines = why(failure)
			}
			u.log.Explain(lines, failure.File)
			d.failures = append(d.failures, failure)
		}
	}
	for _, failure := range f.unfinished(t) {
		u.log.passed = false
		same := func(other engine.Failure) bool { return classOf(other) == classOf(failure) }
		if t.tally.Knows(failure) || slices.ContainsFunc(d.failures, same) {
			if placed(failure) {
				f.warn(t, u.remove(t, failure))
			}
			d.again = append(d.again, failure)
		} else {
			d.failures = append(d.failures, failure)
		}
	}
	u.log.Release(len(d.again) > 0 && len(d.failures) == 0)
	for i := range d.failures {
		if d.failures[i].Hangs { // the command is to end soon
			d.failures[i].Rerun = strings.Replace(d.failures[i].Rerun, " -run ", " -timeout 20s -run ", 1)
		}
	}
	return d
}

// placed reports whether the class of a failure tells it from others.
func placed(failure engine.Failure) bool {
	return strings.Contains(failure.Place, ".go:")
}

// seeds returns the names of the entries in the target's directory of the package.
func (t *fuzzTarget) seeds() map[string]bool {
	names := map[string]bool{}
	entries, _ := os.ReadDir(filepath.Join(t.pkg().Dir, "testdata", "fuzz", t.engine)) // or none
	for _, e := range entries {
		names[e.Name()] = true
	}
	return names
}

// remove removes the file of a failure, if it is one that the turn has written.
func (u *turn) remove(t *fuzzTarget, failure engine.Failure) error {
	path := t.file(failure.File)
	if name := filepath.Base(path); u.seeds[name] || filepath.IsAbs(failure.File) {
		return nil
	}
	return os.Remove(path)
}

// why says in a few lines why a process has ended.
func why(failure engine.Failure) (lines []string) {
	if message := finding.Message(failure.Log); message != "" {
		lines = strings.Split(message, "\n")
	}
	if len(lines) > 0 && strings.HasSuffix(lines[0], ": "+failure.Place) {
		return lines // there is no place but how the process has ended
	}
	return append(lines, "at "+failure.Place)
}

// explain finds out why an input has ended its process, and where, if the engine has told only that
// it has. It reports false if there is nothing more to be known.
func (f *fuzzer) explain(t *fuzzTarget, failure *engine.Failure) bool {
	if !strings.HasPrefix(failure.Place, finding.ProcessEnded) || failure.File == "" {
		return false
	}
	over, err := t.tally.Overrun(filepath.Base(failure.File))
	f.warn(t, err)
	if over != nil {
		failure.Class, failure.Place, failure.Log, failure.Hangs = over.Class,
			cmp.Or(over.Place, over.Class), over.Log, true
		return true
	}
	r, err := f.newApart(t)
	if r == nil || err != nil {
		f.warn(t, err)
		return false
	}
	file, err := corpus.ReadFile(t.file(failure.File))
	if err != nil {
		f.warn(t, err)
		return false
	}
	f.Status("%s: running %s again, alone", t.name, filepath.Base(failure.File))
	for range attempts {
		end, err := r.run([][]byte{file})
		if err != nil {
			f.warn(t, err)
			return false
		}
		if end.died {
			*failure = end.failure(*failure)
			return true
		}
	}
	failure.Log += fmt.Sprintf("\n\nRun alone %d times, the input does not end the process.", attempts)
	return false
}

// attempts is how often an input runs alone until it ends the process.
const attempts = 3

// minimize makes the input of a failure smaller, as long as it fails in the same way. The engine
// minimizes only what does not end the process, and of that only the bytes of one argument.
func (f *fuzzer) minimize(ctx context.Context, t *fuzzTarget, u *turn, failure *engine.Failure) {
	f.warn(t, t.tally.Refresh())
	if t.tally.Stats().Structured || !t.tally.Reported() {
		return // the bytes of a value are not what it consists of; or nothing is known of the target
	}
	if failure.Hangs || slices.ContainsFunc(f.Test, noMinimizing.MatchString) ||
		!strings.HasPrefix(filepath.ToSlash(failure.File), "testdata/fuzz/") {
		return
	}
	r, err := f.newApart(t)
	if r == nil || err != nil {
		f.warn(t, err)
		return
	}
	path := t.file(failure.File)
	file, err := corpus.ReadFile(path)
	if err == nil {
		var args []any
		var log string
		if args, err = corpus.UnmarshalArgs(file); err == nil {
			red := &reducer{run: r.run, class: failure.Class,
				stopped: func() bool { return ctx.Err() != nil }}
			for k, left := -1, attempts; k < 0 && left > 0 && err == nil; left-- {
				if k, err = red.first([][]any{args}); k < 0 && left == 1 && err == nil {
					failure.Note = fmt.Sprintf("Run alone %d times, the input does not fail so: it may depend "+
						"on earlier inputs, on time or on chance.", attempts)
					return
				}
			}
			if err == nil {
				args, err = red.reduce(args)
			}
			log = red.log
		}
		if small := corpus.MarshalArgs(args); err == nil && !bytes.Equal(small, file) {
			failure.Log = cmp.Or(log, failure.Log)
			err = u.replace(t, failure, small)
		}
	}
	f.warn(t, err)
}

// noMinimizing matches the flag that says not to minimize.
var noMinimizing = regexp.MustCompile(`^-test\.fuzzminimizetime=0(x|[a-zµ]+)?$`)

// replace saves another input for a failure.
func (u *turn) replace(t *fuzzTarget, failure *engine.Failure, file []byte) error {
	old := t.file(failure.File)
	path, _, err := corpus.Add(filepath.Dir(old), corpus.NameOf(file), file)
	if err != nil || path == old {
		return err
	}
	before, after := filepath.Base(old), filepath.Base(path)
	failure.File = strings.TrimSuffix(failure.File, before) + after
	failure.Rerun = strings.ReplaceAll(failure.Rerun, before, after)
	if u.seeds[before] {
		return nil
	}
	return os.Remove(old)
}

// file returns the path of a file of a failure.
func (t *fuzzTarget) file(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(t.pkg().Dir, filepath.FromSlash(name))
}

// place makes the path of a failure's file relative to the package. The engine gives an absolute
// one if TestMain has changed the directory: go test looks for the corpus there. From a temporary
// directory, the engine's edits have moved it into the package, where go test does not find it.
func (f *fuzzer) place(t *fuzzTarget, failure *engine.Failure) {
	rel, err := filepath.Rel(t.pkg().Dir, filepath.FromSlash(failure.File))
	if err != nil || !filepath.IsAbs(failure.File) {
		return
	}
	failure.File = filepath.ToSlash(rel)
	if filepath.IsLocal(rel) {
		failure.Rerun = ""
		f.Note("%s: TestMain changes to a temporary directory, where go test looks for testdata/fuzz: "+
			"to run the input again, add it by f.Add", t.name)
	}
}

// unfinished judges the entries that workers still ran when they were killed. One that does not
// return in the time that the engine allows is saved, as a failure.
func (f *fuzzer) unfinished(t *fuzzTarget) (failures []engine.Failure) {
	files, err := t.tally.Unfinished()
	f.warn(t, err)
	for _, file := range files {
		r, err := f.newApart(t)
		if r == nil || err != nil {
			f.warn(t, err)
			return failures
		}
		slow := time.AfterFunc(time.Second, func() {
			f.printLine(t, fmt.Sprintf("corpusgen: an input still ran when its worker was stopped: "+
				"running it alone, for at most %v", r.one))
		})
		end, err := r.run([][]byte{file})
		slow.Stop()
		if err != nil || !end.died && !end.failed {
			f.warn(t, err)
			continue
		}
		dir := filepath.Join("testdata", "fuzz", t.engine)
		path, _, err := corpus.Add(filepath.Join(t.pkg().Dir, dir), corpus.NameOf(file), file)
		if err != nil {
			f.warn(t, err)
			continue
		}
		name := filepath.Base(path)
		failures = append(failures, end.failure(engine.Failure{
			File:  filepath.ToSlash(filepath.Join(dir, name)),
			Rerun: rerun(f.testCommand(), t.pkg().Path, t.engine, name),
		}))
	}
	return failures
}

// input returns the arguments of a failing input as Go writes them, a line each, or "".
func (t *fuzzTarget) input(failure engine.Failure) string {
	if failure.Value != "" || failure.File == "" {
		return ""
	}
	file, err := corpus.ReadFile(t.file(failure.File))
	if err != nil {
		return ""
	}
	_, lines, _ := strings.Cut(strings.TrimSpace(string(file)), "\n")
	return lines
}

// number is a name of a file of an apart run as its index.
func number(name string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(name, "input"))
	if err != nil {
		return -1
	}
	return n
}
