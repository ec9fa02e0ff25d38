package draw

import (
	"context"
	"io"
	"os"
	"runtime"
	"sync"
	"testing"
)

// rehearse runs the property for the first time, for what it draws. It leaves panics to the second
// run, except for panics of a generator.
func (t *T) rehearse(prop func(t *T)) {
	r := &rehearsal{}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	t.TB = r
	done := make(chan struct{})
	var thrown any = "draw: the property recovers a panic of the generator"
	go func() { // that the property may end
		defer close(done)
		defer r.end()
		defer func() {
			if p := recover(); p != nil && t.inGen {
				thrown = p
			}
		}()
		growStack(false)
		prop(t)
	}()
	if <-done; t.inGen {
		panic(thrown)
	}
}

// growStack makes the stack of a new goroutine large at once, while there is nothing to copy. Its
// frame has room for what never comes, and touches no memory.
//
//go:noinline
func growStack(never bool) {
	if never {
		var room [6 << 10]byte
		runtime.KeepAlive(&room)
	}
}

// A rehearsal is the TB of the first run.
type rehearsal struct {
	testing.TB // nil: for its unexported method
	ctx        context.Context
	cancel     func()

	mu       sync.Mutex
	failed   bool
	skipped  bool
	cleanups []func()
}

// end ends the run.
func (r *rehearsal) end() {
	r.cancel()
	for {
		r.mu.Lock()
		n := len(r.cleanups) - 1
		if n < 0 {
			r.mu.Unlock()
			return
		}
		f := r.cleanups[n]
		r.cleanups = r.cleanups[:n]
		r.mu.Unlock()
		func() {
			defer func() { _ = recover() }() // it panics again
			f()
		}()
	}
}

func (r *rehearsal) set(what *bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	*what = true
}

func (r *rehearsal) is(what *bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return *what
}

func (r *rehearsal) Cleanup(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cleanups = append(r.cleanups, f)
}

func (r *rehearsal) FailNow() {
	r.Fail()
	runtime.Goexit()
}

func (r *rehearsal) SkipNow() {
	r.set(&r.skipped)
	runtime.Goexit()
}

func (r *rehearsal) Fail()                    { r.set(&r.failed) }
func (r *rehearsal) Error(...any)             { r.Fail() }
func (r *rehearsal) Errorf(string, ...any)    { r.Fail() }
func (r *rehearsal) Fatal(...any)             { r.FailNow() }
func (r *rehearsal) Fatalf(string, ...any)    { r.FailNow() }
func (r *rehearsal) Skip(...any)              { r.SkipNow() }
func (r *rehearsal) Skipf(string, ...any)     { r.SkipNow() }
func (r *rehearsal) Failed() bool             { return r.is(&r.failed) }
func (r *rehearsal) Skipped() bool            { return r.is(&r.skipped) }
func (r *rehearsal) Helper()                  {}
func (r *rehearsal) Log(...any)               {}
func (r *rehearsal) Logf(string, ...any)      {}
func (r *rehearsal) Attr(string, string)      {}
func (r *rehearsal) Name() string             { return "draw" }
func (r *rehearsal) Output() io.Writer        { return io.Discard }
func (r *rehearsal) Context() context.Context { return r.ctx }
func (r *rehearsal) ArtifactDir() string      { return r.TempDir() }

func (r *rehearsal) TempDir() string {
	dir, err := os.MkdirTemp("", "draw-*")
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (r *rehearsal) Setenv(key, value string) {
	old, had := os.LookupEnv(key)
	if os.Setenv(key, value) != nil {
		r.FailNow()
	}
	r.Cleanup(func() {
		if os.Unsetenv(key); had {
			os.Setenv(key, old)
		}
	})
}

func (r *rehearsal) Chdir(dir string) {
	old, err := os.Getwd()
	if err != nil || os.Chdir(dir) != nil {
		r.FailNow()
	}
	r.Cleanup(func() { os.Chdir(old) })
}
