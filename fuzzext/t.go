package fuzzext

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"golang.org/x/exp/slices"
)

type testingTB = testing.TB

// T is what a property has in place of a *testing.T: it is a [testing.TB], and so
// works with assertion libraries. A property runs many times, with a T of its own
// each time, and a run that fails does not fail the test before its value has been
// minimised. So what is logged is kept, and shown if it belongs to the minimal
// failure; cleanups, environment variables, working and temporary directories end
// with the run. T has no Run and no Parallel.
//
// A run ends when the property returns. A goroutine that it leaves behind and that
// fails the T later fails the test, with a report that cannot say of which value.
type T struct {
	testingTB // the test's own
	trial     *trial
	index     int // of the value in the trial

	mu      sync.Mutex
	kept    *record // nil if the run has left nothing
	failed  bool
	invalid bool
	ended   bool

	abandoned bool // it does not return
	foreign   bool // the test itself has failed meanwhile
	returned  bool // the property came to its end; used by its goroutine only
}

// record is what a run leaves, beyond how it ended.
type record struct {
	log      []byte
	where    string    // what distinguishes the failure: where it was first reported
	helpers  []uintptr // calls of Helper
	labels   []string
	cleanups []func()
	ctx      context.Context
	cancel   context.CancelFunc
}

// record returns what t keeps. t.mu is held.
func (t *T) record() *record {
	if t.kept == nil {
		t.kept = t.trial.newRecord()
	}
	return t.kept
}

// begin is called just before the property.
func (t *T) begin() {
	if e := t.trial.exploration; e != nil && t.index != minimizing {
		e.explorer.Begin(t.trial.tree)
	}
}

// end is deferred below the property: it ends the run, however it went.
func (t *T) end() {
	if !t.returned {
		if r := recover(); r != nil {
			t.panicked(r)
		} else if t.trial.check(t); !t.Failed() && !t.Skipped() {
			t.keep("the property called runtime.Goexit", "runtime.Goexit")
		}
	}
	for {
		t.mu.Lock()
		if t.ended { // abandoned
			t.mu.Unlock()
			return
		}
		r := t.kept
		if r == nil || r.cancel == nil && len(r.cleanups) == 0 {
			t.ended = true
			t.mu.Unlock()
			if e := t.trial.exploration; e != nil && t.index != minimizing {
				e.explorer.Finish()
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

// cleanup runs the cleanups, the last first, also if some do not return.
func (t *T) cleanup() {
	for {
		t.mu.Lock()
		var f func()
		if r := t.kept; r != nil && len(r.cleanups) > 0 {
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
	stack := string(debug.Stack())
	if _, below, ok := strings.Cut(stack, "\npanic("); ok { // leave out what recovers
		header, _, _ := strings.Cut(stack, "\n")
		stack = header + "\npanic(" + below
	}
	t.keep(fmt.Sprintf("panic: %v\n\n%s", r, stack), "panic at "+t.caller(true))
}

// keep logs s, unless it is empty, and fails the run at a place, unless that is.
func (t *T) keep(s, where string) {
	t.mu.Lock()
	if t.ended {
		abandoned := t.abandoned
		t.mu.Unlock()
		if where != "" && !abandoned {
			t.trial.late(cmp.Or(s, where+": failed"))
		}
		return
	}
	defer t.mu.Unlock()
	r := t.record()
	if r.log = append(r.log, s...); s != "" && !strings.HasSuffix(s, "\n") {
		r.log = append(r.log, '\n')
	}
	if where != "" && !t.failed {
		t.failed, r.where = true, where
	}
}

// logged returns what has been logged, and where the failure, if any, was reported.
func (t *T) logged() (log, where string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kept == nil {
		return "", ""
	}
	return string(t.kept.log), t.kept.where
}

// place returns where the failure, if any, was reported.
func (t *T) place() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kept == nil {
		return ""
	}
	return t.kept.where
}

func (t *T) labels() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kept == nil {
		return nil
	}
	return slices.Clone(t.kept.labels)
}

func (t *T) logAt(s string) { t.keep(placed(t.caller(false), s), "") }

func (t *T) failAt(s string) {
	where := t.caller(false)
	t.keep(placed(where, s), where)
}

func placed(where, s string) string {
	return where + ": " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n    ")
}

// Assume marks the input as invalid, and ends the run, unless ok. An invalid input
// neither fails nor passes. A generator that makes valid values only is better.
func (t *T) Assume(ok bool) {
	if !ok {
		t.SkipNow()
	}
}

// Log records its arguments, formatted as by [fmt.Sprintln], for the report of a
// failure.
func (t *T) Log(args ...any) { t.logAt(fmt.Sprintln(args...)) }

// Logf is Log, formatted as by [fmt.Sprintf].
func (t *T) Logf(format string, args ...any) { t.logAt(fmt.Sprintf(format, args...)) }

// Output returns a writer to what Log records, without the place.
func (t *T) Output() io.Writer { return output{t} }

type output struct{ t *T }

func (o output) Write(b []byte) (int, error) {
	o.t.mu.Lock()
	defer o.t.mu.Unlock()
	if !o.t.ended {
		r := o.t.record()
		r.log = append(r.log, b...)
	}
	return len(b), nil
}

// Label counts the value under a name, once however often it is called: what share
// of the values is empty, sorted, rejected? [Check] shows the shares under go
// test -v; the report of a failure shows the labels of its value.
func (t *T) Label(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.record(); !t.ended && !slices.Contains(r.labels, name) {
		r.labels = append(r.labels, name)
	}
}

// Error is Log and Fail.
func (t *T) Error(args ...any) { t.failAt(fmt.Sprintln(args...)) }

// Errorf is Logf and Fail.
func (t *T) Errorf(format string, args ...any) { t.failAt(fmt.Sprintf(format, args...)) }

// Fatal is Log and FailNow.
func (t *T) Fatal(args ...any) {
	t.failAt(fmt.Sprintln(args...))
	runtime.Goexit()
}

// Fatalf is Logf and FailNow.
func (t *T) Fatalf(format string, args ...any) {
	t.failAt(fmt.Sprintf(format, args...))
	runtime.Goexit()
}

// Fail marks the run as failed.
func (t *T) Fail() { t.keep("", t.caller(false)) }

// FailNow marks the run as failed and ends it. It must be called by the goroutine
// that runs the property.
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

// SkipNow ends the run as that of an invalid input, unless it has failed; see
// [T.Assume].
func (t *T) SkipNow() {
	t.mu.Lock()
	if !t.ended {
		t.invalid = true
	}
	t.mu.Unlock()
	runtime.Goexit()
}

// Skipped reports whether the input was found invalid.
func (t *T) Skipped() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.invalid
}

// Helper marks the calling function as one that is passed over when the place of
// a log line or of a failure is determined.
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
	if r := t.record(); !slices.Contains(r.helpers, pc[0]) {
		r.helpers = append(r.helpers, pc[0])
	}
}

// Cleanup registers a function to be called when the run ends, the last
// registered first.
func (t *T) Cleanup(f func()) {
	t.mu.Lock()
	ended, abandoned := t.ended, t.abandoned
	if !ended {
		r := t.record()
		r.cleanups = append(r.cleanups, f)
	}
	t.mu.Unlock()
	if ended && !abandoned {
		t.trial.late(t.caller(false) + ": Cleanup, which comes too late")
	}
}

// Context returns a context that is cancelled when the run ends, before the
// cleanups.
func (t *T) Context() context.Context {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return ended
	}
	r := t.record()
	if r.ctx == nil {
		r.ctx, r.cancel = context.WithCancel(context.WithoutCancel(t.testingTB.Context()))
	}
	return r.ctx
}

// ended is the context of a run that has ended.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// TempDir returns a new directory, which is removed when the run ends.
func (t *T) TempDir() string {
	dir, err := os.MkdirTemp("", "fuzzext-*")
	if err != nil {
		t.Fatalf("TempDir: %v", err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("TempDir: %v", err)
		}
	})
	return dir
}

// Setenv sets an environment variable until the run ends.
func (t *T) Setenv(key, value string) {
	old, had := os.LookupEnv(key)
	t.trial.once("Setenv "+key, func() { t.testingTB.Setenv(key, value) })
	if err := os.Setenv(key, value); err != nil {
		t.Fatalf("Setenv: %v", err)
	}
	t.Cleanup(func() {
		if had {
			os.Setenv(key, old)
		} else {
			os.Unsetenv(key)
		}
	})
}

// Chdir changes the working directory until the run ends.
func (t *T) Chdir(dir string) {
	old, err := os.Getwd()
	if err != nil {
		t.Fatalf("Chdir: %v", err)
	}
	pwd, had := os.LookupEnv("PWD")
	t.trial.once("Chdir", func() { t.testingTB.Chdir(old) }) // which parallel tests may not, and which ends with the test
	if err := os.Chdir(dir); err != nil {
		t.Fatalf("Chdir: %v", err)
	}
	if now, err := os.Getwd(); err == nil {
		os.Setenv("PWD", now)
	}
	t.Cleanup(func() {
		if had {
			os.Setenv("PWD", pwd)
		} else {
			os.Unsetenv("PWD")
		}
		if err := os.Chdir(old); err != nil {
			panic(fmt.Sprintf("fuzzext: Chdir: %v", err))
		}
	})
}
