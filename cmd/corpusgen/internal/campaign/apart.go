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

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/gorelease"
)

// processEnded begins what the engine says of an input that has ended its process. It does not say
// how, and nobody sees what the process has printed.
const processEnded = "fuzzing process hung or terminated unexpectedly"

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
	timed  bool   // the time was over
	status string // of the process
	cpu    time.Duration
}

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
	var out bytes.Buffer
	exit := r.t.binary.Run(gotest.Process{
		Args: append([]string{"-test.v", "-test.parallel=1", "-test.timeout=" + r.one.String(),
			"-test.run=^" + r.t.engine + "$/^input"}, r.f.Args...),
		Vars:      append(r.f.vars(r.t), engine.CorpusDir+"="+r.dir),
		Output:    &out,
		Interrupt: r.f.kill,
		Kill:      r.f.kill,
	})
	if err := r.f.kill.Err(); err != nil {
		return apartEnd{}, context.Cause(r.f.kill)
	}
	e := endOf(out.String(), r.t.engine)
	e.died, e.cpu = e.died && exit.Err != nil, cmp.Or(exit.CPU, exit.Wall)
	if exit.Err != nil {
		e.status = exit.Err.Error()
	}
	return e, nil
}

// began matches a line of go test -v that says that an entry begins or goes on.
var began = regexp.MustCompile(`^=== (?:RUN|CONT) +([^/\s]+)/(\S+)$`)

// endOf reads what go test -v has printed of a target.
func endOf(output, target string) (e apartEnd) {
	e.died = true
	var log []string
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\r\n")
		switch m := began.FindStringSubmatch(line); {
		case m != nil && m[1] == target:
			e.last, log = m[2], nil
			continue
		case line == "PASS" || line == "FAIL":
			e.died = false
		case strings.HasPrefix(line, "panic: test timed out after "):
			e.timed = true
		}
		log = append(log, line)
	}
	e.log = strings.TrimSpace(strings.Join(log, "\n"))
	e.died = e.died && e.last != ""
	return e
}

// failure returns a failure as the end of the process tells it.
func (e apartEnd) failure(f engine.Failure) engine.Failure {
	f.Log = cmp.Or(e.log, "the process has ended: "+e.status)
	if e.timed {
		f.Hangs = true
		function, place := engine.HangPlace(e.log)
		f.Class, f.Place = "hang in "+function, cmp.Or(place, "hang")
		return f
	}
	f.Place = cmp.Or(engine.PlaceOf(e.log), e.status)
	f.Class = cmp.Or(engine.ClassOf(e.log), e.status)
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
		}
		explained := f.explain(t, &failure)
		switch fresh := !t.tally.Knows(failure); {
		case explained && u.log.Seed == "" && !fresh:
			f.warn(t, os.Remove(t.file(failure.File)))
			d.again = append(d.again, failure)
		case explained:
			if u.log.Seed == "" {
				f.minimize(ctx, t, &failure)
			}
			u.log.Explain(why(failure), failure.File)
			fallthrough
		default:
			d.failures = append(d.failures, failure)
		}
	}
	u.log.Release(len(d.again) > 0)
	for _, failure := range f.unfinished(t) {
		same := func(other engine.Failure) bool { return classOf(other) == classOf(failure) }
		if t.tally.Knows(failure) || slices.ContainsFunc(d.failures, same) {
			f.warn(t, os.Remove(t.file(failure.File)))
			d.again = append(d.again, failure)
		} else {
			d.failures = append(d.failures, failure)
		}
	}
	return d
}

// why says in a few lines why a process has ended.
func why(failure engine.Failure) (lines []string) {
	if message := Message(failure.Log); message != "" {
		lines = strings.Split(message, "\n")
	}
	return append(lines, "at "+failure.Place)
}

// explain finds out why an input has ended its process, and where, if the engine has told only that
// it has. It reports false if there is nothing more to be known.
func (f *fuzzer) explain(t *fuzzTarget, failure *engine.Failure) bool {
	if !strings.HasPrefix(failure.Place, processEnded) || failure.File == "" {
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
	end, err := r.run([][]byte{file})
	switch {
	case err != nil:
		f.warn(t, err)
		return false
	case !end.died:
		failure.Log += "\n\nRun alone, the input does not end the process."
		return false
	}
	*failure = end.failure(*failure)
	return true
}

// minimize makes the input of a failure smaller, as long as the process ends in the same way. The
// engine minimizes only what does not end it.
func (f *fuzzer) minimize(ctx context.Context, t *fuzzTarget, failure *engine.Failure) {
	if failure.Hangs || !strings.HasPrefix(filepath.ToSlash(failure.File), "testdata/fuzz/") {
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
		if args, err = corpus.UnmarshalArgs(file); err == nil {
			red := &reducer{run: r.run, class: failure.Class,
				stopped: func() bool { return ctx.Err() != nil }}
			args, err = red.reduce(args)
		}
		if small := corpus.MarshalArgs(args); err == nil && !bytes.Equal(small, file) {
			err = t.replace(failure, small)
		}
	}
	f.warn(t, err)
}

// replace saves another input for a failure.
func (t *fuzzTarget) replace(failure *engine.Failure, file []byte) error {
	old := t.file(failure.File)
	path, _, err := corpus.Add(filepath.Dir(old), corpus.NameOf(file), file)
	if err != nil || path == old {
		return err
	}
	before, after := filepath.Base(old), filepath.Base(path)
	failure.File = strings.TrimSuffix(failure.File, before) + after
	failure.Rerun = strings.ReplaceAll(failure.Rerun, before, after)
	return os.Remove(old)
}

// file returns the path of a file of a failure.
func (t *fuzzTarget) file(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(t.pkg().Dir, filepath.FromSlash(name))
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
		f.printLine(t, fmt.Sprintf("corpusgen: an input still ran when its worker was stopped: running "+
			"it alone, for at most %v", r.one))
		end, err := r.run([][]byte{file})
		if err != nil || !end.died {
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
