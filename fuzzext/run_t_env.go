package fuzzext

import (
	"context"
	"fmt"
	"os"
	"sync"
)

// Context returns a context that is canceled when the run ends, before the cleanups.
func (t *T) Context() context.Context {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return canceled()
	}
	r := t.recording()
	if r.ctx == nil && t.tidied { // nothing of a bubble is canceled from outside
		r.ctx = canceled()
	}
	if r.ctx == nil {
		r.ctx, r.cancel = context.WithCancel(context.WithoutCancel(t.testingTB.Context()))
	}
	return r.ctx
}

// canceled is the context of a run that has ended.
var canceled = sync.OnceValue(func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
})

// TempDir returns a new directory, which is removed when the run ends.
func (t *T) TempDir() string {
	dir, err := os.MkdirTemp("", "fuzzext-*")
	if err != nil {
		t.Fatalf("TempDir: %v", err)
	}
	t.atEnd(cleanup{own: true, call: func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("TempDir: %v", err)
		}
	}})
	return dir
}

// Setenv sets an environment variable until the run ends.
func (t *T) Setenv(key, value string) {
	old, had := os.LookupEnv(key)
	t.shared.once("Setenv "+key, func() { t.testingTB.Setenv(key, value) })
	if err := os.Setenv(key, value); err != nil {
		t.Fatalf("Setenv: %v", err)
	}
	t.atEnd(cleanup{own: true, call: func() {
		if had {
			os.Setenv(key, old)
		} else {
			os.Unsetenv(key)
		}
	}})
}

// Chdir changes the working directory until the run ends.
func (t *T) Chdir(dir string) {
	old, err := os.Getwd()
	if err != nil {
		t.Fatalf("Chdir: %v", err)
	}
	pwd, had := os.LookupEnv("PWD")
	// which parallel tests may not, and which ends with the test
	t.shared.once("Chdir", func() { t.testingTB.Chdir(old) })
	if err := os.Chdir(dir); err != nil {
		t.Fatalf("Chdir: %v", err)
	}
	if now, err := os.Getwd(); err == nil {
		os.Setenv("PWD", now)
	}
	t.atEnd(cleanup{own: true, call: func() {
		if had {
			os.Setenv("PWD", pwd)
		} else {
			os.Unsetenv("PWD")
		}
		if err := os.Chdir(old); err != nil {
			panic(fmt.Sprintf("fuzzext: Chdir: %v", err))
		}
	}})
}
