package fuzzext

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/fuzzext/internal/alike"
	"github.com/espalier-go/espalier/fuzzext/internal/outcome"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
)

type testingTB = testing.TB

// T is what a property has in place of a *testing.T. It is a [testing.TB], so it works with
// assertion libraries.
//
// A property runs many times, each time with a T of its own. A run that fails does not fail
// the test at once: its value is minimized first. So T keeps what is logged, and the report
// shows what belongs to the minimal failure. Cleanups, environment variables, and working and
// temporary directories end with the run. T has no Run and no Parallel.
//
// A run ends when the property returns. If a goroutine that it leaves behind fails the T
// later, the test fails, but the report cannot say on which value.
type T struct {
	testingTB // the test's own
	trial     *trial
	index     int // of the value in the trial

	mu      sync.Mutex
	rec     *record // nil if the run has left nothing
	failed  bool
	invalid bool
	ended   bool

	collected  bool    // its failure belongs to a class of collector
	abandoned  bool    // it has not returned in time
	hang       *ending // how, if the trial continues all the same
	testFailed bool    // the test itself has failed meanwhile
	returned   bool    // the property has returned; used by its goroutine only
}

// Assume ends the run unless ok, and marks its value as invalid. An invalid value neither
// fails nor passes. If you can, write a generator that makes only valid values instead.
func (t *T) Assume(ok bool) {
	if !ok {
		t.SkipNow()
	}
}

// Log records its arguments for the report of a failure, formatted as by [fmt.Sprintln].
func (t *T) Log(args ...any) { t.logAt(fmt.Sprintln(args...)) }

// Logf is Log, formatted as by [fmt.Sprintf].
func (t *T) Logf(format string, args ...any) { t.logAt(fmt.Sprintf(format, args...)) }

// Output returns a writer that records like Log, but without the place.
func (t *T) Output() io.Writer { return output{t} }

type output struct{ t *T }

func (o output) Write(b []byte) (int, error) {
	o.t.mu.Lock()
	defer o.t.mu.Unlock()
	if !o.t.ended {
		r := o.t.recording()
		r.log = append(r.log, b...)
	}
	return len(b), nil
}

// Label counts the value under a name, once per value. Use it to see which share of the values
// is empty, sorted or rejected. [Check] shows the shares under go test -v. The report of a
// failure shows the labels of its value.
func (t *T) Label(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.recording(); !t.ended && !slices.Contains(r.labels, name) {
		r.labels = append(r.labels, name)
	}
}

// Key says what distinguishes the value from others, in place of the key of [Unique]. Use it
// if only the run knows, as when the key is a trace of what the code did. A guided [Check] or
// [Fuzz] then prefers choices that have led to rare traces.
//
//	t.Key(machine.Trace())
//
// The last key counts.
func (t *T) Key(key any) {
	h := keyHash(key)
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.ended {
		t.recording().unique = max(1, h)
	}
}

// Class names the class of the run's failure, if it fails. Failures of one class count as one.
// The class decides which simpler values minimization accepts, and which failures
// -fuzzext.keepgoing and corpusgen fuzz report. A name that says what is special about the
// value separates bugs that one check finds:
//
//	t.Class(query.Kind())
//
// Without Class, failures are of one class if they have the same place and say the same, apart
// from numbers and other values. The last name counts. "" is no name.
func (t *T) Class(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.ended {
		t.recording().class = name
	}
}

// Error is Log and Fail.
func (t *T) Error(args ...any) { t.failAt(fmt.Sprintln(args...), "", args) }

// Errorf is Logf and Fail.
func (t *T) Errorf(format string, args ...any) {
	t.failAt(fmt.Sprintf(format, args...), format, args)
}

// Fatal is Log and FailNow.
func (t *T) Fatal(args ...any) {
	t.failAt(fmt.Sprintln(args...), "", args)
	runtime.Goexit()
}

// Fatalf is Logf and FailNow.
func (t *T) Fatalf(format string, args ...any) {
	t.failAt(fmt.Sprintf(format, args...), format, args)
	runtime.Goexit()
}

// Fail marks the run as failed.
func (t *T) Fail() { t.put("", t.caller(false), "", "") }

// FailNow marks the run as failed and ends it. Only the goroutine that runs the property
// may call it.
func (t *T) FailNow() {
	t.Fail()
	runtime.Goexit()
}

// Failed reports whether the run has failed.
func (t *T) Failed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed
}

// Skip is Log and SkipNow.
func (t *T) Skip(args ...any) {
	t.logAt(fmt.Sprintln(args...))
	t.SkipNow()
}

// Skipf is Logf and SkipNow.
func (t *T) Skipf(format string, args ...any) {
	t.logAt(fmt.Sprintf(format, args...))
	t.SkipNow()
}

// SkipNow ends the run and marks its value as invalid, unless the run has failed. It is
// [T.Assume](false).
func (t *T) SkipNow() {
	t.mu.Lock()
	if !t.ended {
		t.invalid = true
	}
	t.mu.Unlock()
	runtime.Goexit()
}

// Skipped reports whether the value is marked as invalid.
func (t *T) Skipped() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.invalid
}

// Helper marks the calling function as a helper: the place of a log line or of a failure
// is never in a helper.
func (t *T) Helper() {
	var pc [1]uintptr
	if runtime.Callers(2, pc[:]) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return
	}
	if r := t.recording(); !slices.Contains(r.helpers, pc[0]) {
		r.helpers = append(r.helpers, pc[0])
	}
}

// Cleanup registers a function that is called when the run ends. The last one registered is
// called first.
func (t *T) Cleanup(f func()) {
	t.mu.Lock()
	ended, abandoned := t.ended, t.abandoned
	if !ended {
		r := t.recording()
		r.cleanups = append(r.cleanups, f)
	}
	t.mu.Unlock()
	if ended && !abandoned {
		t.trial.failedLate(t.caller(false) + ": Cleanup was called after the end of the run")
	}
}

// begin is called just before the property.
func (t *T) begin() {
	if p := t.trial.probe; p != nil && t.index != minimizing {
		p.begin(t.trial.tree)
	}
}

// end is deferred below the property. It ends the run, whether the property has returned,
// panicked or ended its goroutine.
func (t *T) end() {
	if !t.returned {
		if r := recover(); r != nil {
			t.panicked(r)
		} else if t.trial.checkTest(t); !t.Failed() && !t.Skipped() {
			t.put("the property called runtime.Goexit", "runtime.Goexit", "", "")
		}
	}
	for {
		t.mu.Lock()
		if t.ended { // abandoned
			t.mu.Unlock()
			return
		}
		r := t.rec
		if r == nil || r.cancel == nil && len(r.cleanups) == 0 {
			t.ended = true
			t.mu.Unlock()
			t.passOnScores()
			if p := t.trial.probe; p != nil && t.index != minimizing {
				p.finish()
			}
			return
		}
		cancel := r.cancel
		r.cancel = nil
		t.mu.Unlock()
		if cancel != nil {
			cancel()
		}
		t.cleanup()
	}
}

// cleanup runs the cleanups, the last first, even if some panic or end the goroutine.
func (t *T) cleanup() {
	for {
		t.mu.Lock()
		var f func()
		if r := t.rec; r != nil && len(r.cleanups) > 0 {
			last := len(r.cleanups) - 1
			f, r.cleanups = r.cleanups[last], r.cleanups[:last]
		}
		t.mu.Unlock()
		if f == nil {
			return
		}
		func() {
			returned := false
			defer func() {
				if returned {
					return
				}
				if r := recover(); r != nil {
					t.panicked(r)
				}
				t.cleanup()
			}()
			f()
			returned = true
		}()
	}
}

// panicked is called while a panic is being recovered.
func (t *T) panicked(r any) {
	trace := string(debug.Stack())
	if _, below, ok := strings.Cut(trace, "\npanic("); ok { // leave out what recovers
		header, _, _ := strings.Cut(trace, "\n")
		trace = header + "\npanic(" + below
	}
	trace = stack.Above(trace, "(*runner).call(")
	t.put(fmt.Sprintf("panic: %v\n\n%s", r, trace), "panic at "+t.caller(true), stack.PanicKey(r, t.helpers()), "")
}

// abandon gives up a run that does not return. It reports false if the run has ended
// meanwhile.
func (t *T) abandon() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return false
	}
	t.ended, t.abandoned = true, true
	return true
}

func (t *T) isAbandoned() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.abandoned
}

// fails marks a run that has been abandoned as failed.
func (t *T) fails(e ending) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failed, t.hang = true, &e
}

func (t *T) logAt(s string) { t.put(placed(t.caller(false), s), "", "", "") }

// failAt fails with a message, which has been made of a format and arguments.
func (t *T) failAt(s, format string, args []any) {
	where, key, said := t.caller(false), "", ""
	if !t.Failed() {
		key, said = alike.MessageKey(format, args)
	}
	t.put(placed(where, s), where, key, said)
}

func placed(where, s string) string {
	return where + ": " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n    ")
}

// put logs s, unless it is empty. It fails the run at the place where, unless that is empty.
// key tells the failure from others there; see [runner.classOf] for said.
func (t *T) put(s, where, key, said string) {
	t.mu.Lock()
	if t.ended {
		abandoned := t.abandoned
		t.mu.Unlock()
		if where != "" && !abandoned {
			t.trial.failedLate(cmp.Or(s, where+": failed"))
		}
		return
	}
	defer t.mu.Unlock()
	r := t.recording()
	if r.log = append(r.log, s...); s != "" && !strings.HasSuffix(s, "\n") {
		r.log = append(r.log, '\n')
	}
	if where != "" && !t.failed {
		t.failed, r.where, r.key, r.said = true, where, key, said
	}
}

// left returns what the run has left until now, for reading.
func (t *T) left() (r record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rec != nil {
		r = *t.rec
	}
	return r
}

// logged returns the log, and the place of the first failure or "".
func (t *T) logged() (log, where string) {
	r := t.left()
	return string(r.log), r.where
}

func (t *T) labels() []string { return slices.Clone(t.left().labels) }

// recording returns the record of the run, for writing. t.mu is held.
func (t *T) recording() *record {
	if t.rec == nil {
		t.rec = t.trial.newRecord()
	}
	return t.rec
}

// caller returns the place in the user's code from which a method of T has been called.
func (t *T) caller(panicked bool) string { return stack.Place(t.helpers(), panicked) }

// helpers returns the names of the functions that have called Helper.
func (t *T) helpers() map[string]bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rec == nil || len(t.rec.helpers) == 0 || t.ended {
		return nil
	}
	return stack.Functions(t.rec.helpers)
}

// outcome returns what has become of a value, given its run, which has ended and is not recycled;
// nil if the generator has rejected the value.
func (t *T) outcome() (o outcome.Run) {
	if t == nil {
		o.Verdict = outcome.Rejected
		return o
	}
	r := t.left()
	o = outcome.Run{Labels: r.labels, Key: r.unique, Scores: r.scores}
	switch {
	case t.Failed():
		o.Verdict = outcome.Failed
	case t.Skipped():
		o.Verdict = outcome.Invalid
	}
	return o
}
