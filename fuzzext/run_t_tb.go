package fuzzext

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/literal"
)

// Name returns the name of the test, also on a saved value, which runs in a subtest.
func (t *T) Name() string { return t.shared.test.Name() }

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
// Without Class, failures are of one class if they have the same place and say the same, apart from
// values. Then a class has up to five minimal values, which need different things. With a name, it
// has one. The last name counts. "" removes the name.
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
func (t *T) Fail() { t.put("", t.caller(false), cause{}) }

// FailNow marks the run as failed and ends it. Only the goroutine that runs the property
// may call it.
func (t *T) FailNow() {
	t.Fail()
	runtime.Goexit()
}

// Skip is Log and SkipNow.
func (t *T) Skip(args ...any) {
	t.skip(fmt.Sprintln(args...))
}

// Skipf is Logf and SkipNow.
func (t *T) Skipf(format string, args ...any) {
	t.skip(fmt.Sprintf(format, args...))
}

// skip is SkipNow with the reason.
func (t *T) skip(why string) {
	t.logAt(why)
	t.mu.Lock()
	if !t.ended {
		t.recording().skips = strings.TrimSpace(why)
	}
	t.mu.Unlock()
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
func (t *T) Cleanup(f func()) { t.atEnd(cleanup{call: f}) }

func (t *T) atEnd(f cleanup) {
	t.mu.Lock()
	ended, abandoned := t.ended, t.abandoned
	if !ended {
		r := t.recording()
		r.cleanups = append(r.cleanups, f)
	}
	t.mu.Unlock()
	if ended && !abandoned {
		t.shared.failedLate(t.caller(false) + ": Cleanup was called after the end of the run")
	}
}

func keyHash(key any) uint64 { return hash.FNV64([]byte(literal.Of(key, ""))) }
