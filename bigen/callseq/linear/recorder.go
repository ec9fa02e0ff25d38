package linear

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/bigen/callseq/internal/live"
	"golang.org/x/exp/slices"
)

// A recorder is the test of one run, and keeps what that reports. Only a run that is judged to
// fail counts.
type recorder struct {
	testing.TB

	mu              sync.Mutex
	failed, skipped bool
	log             bytes.Buffer
	cleanups        live.Cleanups
	labels          []string
}

func (r *recorder) put(text string, fails bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = r.failed || fails
	r.log.WriteString(text)
}

// placed returns text after the place in which the method of the test was called.
func placed(text string) string {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		if !more || !ours(f.Function) {
			if text == "" || text[len(text)-1] != '\n' {
				text += "\n"
			}
			return fmt.Sprintf("%s:%d: %s", filepath.Base(f.File), f.Line, text)
		}
	}
}

// ours reports whether a function is a method of callseq.C, or of the test, that calls the one of
// the test.
func ours(function string) bool {
	return strings.HasPrefix(function, callseqC) ||
		strings.HasPrefix(function, "github.com/espalier-go/espalier/bigen/callseq/linear.(*recorder)")
}

const callseqC = "github.com/espalier-go/espalier/bigen/callseq.(*"

func (r *recorder) Helper()         {}
func (r *recorder) Log(args ...any) { r.put(placed(fmt.Sprintln(args...)), false) }
func (r *recorder) Logf(format string, args ...any) {
	r.put(placed(fmt.Sprintf(format, args...)), false)
}
func (r *recorder) Output() io.Writer { return recorded{r} }
func (r *recorder) Fail()             { r.put("", true) }

type recorded struct{ *recorder }

func (r recorded) Write(b []byte) (int, error) {
	r.put(string(b), false)
	return len(b), nil
}

func (r *recorder) FailNow() {
	r.Fail()
	runtime.Goexit()
}

func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

func (r *recorder) SkipNow() {
	r.mu.Lock()
	r.skipped = true
	r.mu.Unlock()
	runtime.Goexit()
}

func (r *recorder) Skipped() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.skipped
}

func (r *recorder) Error(args ...any)                 { r.Log(args...); r.Fail() }
func (r *recorder) Errorf(format string, args ...any) { r.Logf(format, args...); r.Fail() }
func (r *recorder) Fatal(args ...any)                 { r.Log(args...); r.FailNow() }
func (r *recorder) Fatalf(format string, args ...any) { r.Logf(format, args...); r.FailNow() }
func (r *recorder) Skip(args ...any)                  { r.Log(args...); r.SkipNow() }
func (r *recorder) Skipf(format string, args ...any)  { r.Logf(format, args...); r.SkipNow() }

func (r *recorder) Cleanup(f func()) { r.cleanups.Add(f) }

// Label passes a label on, once.
func (r *recorder) Label(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t, ok := r.TB.(interface{ Label(name string) }); ok && !slices.Contains(r.labels, name) {
		r.labels = append(r.labels, name)
		t.Label(name)
	}
}
