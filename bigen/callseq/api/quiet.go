package api

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/espalier-go/espalier/bigen/callseq/internal/live"
)

// quiet is the testing.TB of sequences that Generate runs.
type quiet struct {
	testing.TB
	failed   bool
	text     string // of the first failure
	cleanups live.Cleanups
}

// given up is what FailNow and SkipNow panic with.
type givenUp struct{ skipped bool }

func (q *quiet) begin() { q.failed, q.text = false, "" }

func (q *quiet) fail(text string) {
	if !q.failed {
		q.failed, q.text = true, text
	}
}

func (q *quiet) Chdir(string)             { q.unsupported("Chdir") }
func (q *quiet) Setenv(string, string)    { q.unsupported("Setenv") }
func (q *quiet) Cleanup(f func())         { q.cleanups.Add(f) }
func (q *quiet) Context() context.Context { return context.Background() }
func (q *quiet) Error(args ...any)        { q.fail(fmt.Sprintln(args...)) }
func (q *quiet) Fail()                    { q.fail("the test fails") }
func (q *quiet) FailNow()                 { q.Fail(); panic(givenUp{}) }
func (q *quiet) Failed() bool             { return q.failed }
func (q *quiet) Fatal(args ...any)        { q.Error(args...); panic(givenUp{}) }
func (q *quiet) Helper()                  {}
func (q *quiet) Log(...any)               {}
func (q *quiet) Logf(string, ...any)      {}
func (q *quiet) Name() string             { return "Generate" }
func (q *quiet) Output() io.Writer        { return io.Discard }
func (q *quiet) Skip(...any)              { q.SkipNow() }
func (q *quiet) SkipNow()                 { panic(givenUp{skipped: true}) }
func (q *quiet) Skipf(string, ...any)     { q.SkipNow() }
func (q *quiet) Skipped() bool            { return false }

func (q *quiet) Errorf(format string, args ...any) { q.fail(fmt.Sprintf(format, args...)) }
func (q *quiet) Fatalf(format string, args ...any) {
	q.Errorf(format, args...)
	panic(givenUp{})
}

func (q *quiet) TempDir() string {
	dir, err := os.MkdirTemp("", "api")
	if err != nil {
		q.Fatal(err)
	}
	q.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func (q *quiet) unsupported(method string) {
	misuse("calls %s while Generate runs: it may be called in sequences of Check only", method)
}
