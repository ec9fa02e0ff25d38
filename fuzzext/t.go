package fuzzext

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
)

type testingTB = testing.TB

// T is what a property has in place of a *testing.T: it is a [testing.TB], and so
// works with assertion libraries. A property runs many times, with a T of its own
// each time, and a run that fails does not fail the test before its value has been
// minimised. So what is logged is kept, and shown if it belongs to the minimal
// failure; cleanups, environment variables, working and temporary directories end
// with the run. T has no Run and no Parallel.
type T struct {
	testingTB // the fuzz target's own *testing.T

	mu       sync.Mutex
	log      strings.Builder
	helpers  map[string]bool // names of functions
	cleanups []func()
	ctx      context.Context
	cancel   context.CancelFunc

	failed   bool
	invalid  bool
	returned bool   // the property came to its end
	where    string // what distinguishes the failure: where it was first reported
}

// run runs prop on v and waits for its end.
func run[V any](tb testing.TB, prop func(*T, V), v V) *T {
	t := &T{testingTB: tb}
	done := make(chan struct{})
	go func() { // FailNow ends the goroutine
		defer close(done)
		defer t.finish()
		prop(t, v)
		t.returned = true
	}()
	<-done
	return t
}

// finish is deferred below the property: it ends the run, however it ended.
func (t *T) finish() {
	if !t.returned {
		if r := recover(); r != nil {
			t.panicked(r)
		} else if !t.Failed() && !t.Skipped() {
			t.fail("runtime.Goexit")
			t.write("the property called runtime.Goexit\n")
		}
	}
	if t.cancel != nil {
		t.cancel()
	}
	t.cleanup()
}

// cleanup runs the cleanups, the last first, also if some do not return.
func (t *T) cleanup() {
	for {
		t.mu.Lock()
		n := len(t.cleanups)
		if n == 0 {
			t.mu.Unlock()
			return
		}
		f := t.cleanups[n-1]
		t.cleanups = t.cleanups[:n-1]
		t.mu.Unlock()
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
	t.fail("panic at " + t.caller(true))
	stack := string(debug.Stack())
	if _, below, ok := strings.Cut(stack, "\npanic("); ok { // leave out what recovers
		header, _, _ := strings.Cut(stack, "\n")
		stack = header + "\npanic(" + below
	}
	t.write(fmt.Sprintf("panic: %v\n\n%s", r, stack))
}

func (t *T) fail(where string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.failed {
		t.failed, t.where = true, where
	}
}

func (t *T) write(s string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.log.WriteString(s)
	if !strings.HasSuffix(s, "\n") {
		t.log.WriteByte('\n')
	}
}

// caller returns the file and line of the innermost function that is neither of
// this package nor a helper; after a panic, of those that were running then.
func (t *T) caller(panicked bool) string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	t.mu.Lock()
	defer t.mu.Unlock()
	where := "?" // the innermost helper, if all are
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case panicked && f.Function == "runtime.gopanic":
			panicked = false
		case !panicked && t.helpers[f.Function] && where == "?":
			where = fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		case panicked || t.helpers[f.Function] || strings.HasPrefix(f.Function, thisPackage) || strings.HasPrefix(f.Function, "runtime."):
		default:
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
	}
	return where
}

// thisPackage begins the names of this package's functions.
var thisPackage = func() string {
	pc, _, _, _ := runtime.Caller(0)
	name := runtime.FuncForPC(pc).Name()
	slash := strings.LastIndexByte(name, '/')
	return name[:slash+strings.IndexByte(name[slash:], '.')+1]
}()

// logged returns what has been logged. A goroutine of the property may go on.
func (t *T) logged() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.log.String()
}

func (t *T) logAt(s string) string {
	where := t.caller(false)
	t.write(where + ": " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n    "))
	return where
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
	return o.t.log.Write(b)
}

// Error is Log and Fail.
func (t *T) Error(args ...any) { t.fail(t.logAt(fmt.Sprintln(args...))) }

// Errorf is Logf and Fail.
func (t *T) Errorf(format string, args ...any) { t.fail(t.logAt(fmt.Sprintf(format, args...))) }

// Fatal is Log and FailNow.
func (t *T) Fatal(args ...any) {
	t.fail(t.logAt(fmt.Sprintln(args...)))
	runtime.Goexit()
}

// Fatalf is Logf and FailNow.
func (t *T) Fatalf(format string, args ...any) {
	t.fail(t.logAt(fmt.Sprintf(format, args...)))
	runtime.Goexit()
}

// Fail marks the run as failed.
func (t *T) Fail() { t.fail(t.caller(false)) }

// FailNow marks the run as failed and ends it. It must be called by the goroutine
// that runs the property.
func (t *T) FailNow() {
	t.fail(t.caller(false))
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
	t.invalid = true
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
	pc, _, _, ok := runtime.Caller(1)
	if !ok {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.helpers == nil {
		t.helpers = map[string]bool{}
	}
	t.helpers[runtime.FuncForPC(pc).Name()] = true
}

// Cleanup registers a function to be called when the run ends, the last
// registered first.
func (t *T) Cleanup(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cleanups = append(t.cleanups, f)
}

// Context returns a context that is cancelled when the run ends, before the
// cleanups.
func (t *T) Context() context.Context {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ctx == nil {
		t.ctx, t.cancel = context.WithCancel(t.testingTB.Context())
	}
	return t.ctx
}

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
	t.testingTB.Setenv(key, value)
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
	t.testingTB.Chdir(dir)
	t.Cleanup(func() {
		if had {
			os.Setenv("PWD", pwd)
		}
		if err := os.Chdir(old); err != nil {
			panic(fmt.Sprintf("fuzzext: Chdir: %v", err))
		}
	})
}
