package callseq

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// misuse panics because a model breaks a rule.
func (c *C) misuse(format string, args ...any) {
	who := "the model"
	if c.name != setup && c.name != "" {
		who = fmt.Sprintf("the operation %q", c.name)
	}
	panic(misused(who + " " + fmt.Sprintf(format, args...) + caller()))
}

// misused is the panic of a model that breaks a rule. Its text says all, so that package fuzzext
// shows no stack.
type misused string

func (m misused) Error() string { return "callseq: " + string(m) }
func (misused) Misuse()         {}

// caller returns the place in which the user's code calls this package, if it does.
func caller() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch in, ours := strings.CutPrefix(f.Function, "github.com/espalier-go/espalier/"); {
		case strings.HasPrefix(in, "bigen/callseq.") || strings.HasPrefix(in, "reflect."):
		case ours && (strings.HasPrefix(in, "bigen.") ||
			strings.HasPrefix(in, "bigen/callseq/linear.") || strings.HasPrefix(in, "fuzzext.")):
			return ""
		default:
			return fmt.Sprintf(" (%s:%d)", filepath.Base(f.File), f.Line)
		}
	}
	return ""
}

// outside is the testing.TB of a sequence that is not run.
type outside struct{ testing.TB }

func (outside) refuse(method string) {
	panic(
		misused(method + " is called while a sequence is made or read: call it within Do, " +
			"Invariant or End, as all that depends on results" + caller()))
}

func (o outside) Chdir(string)             { o.refuse("Chdir") }
func (o outside) Cleanup(func())           { o.refuse("Cleanup") }
func (o outside) Context() context.Context { o.refuse("Context"); return nil }
func (o outside) Error(...any)             { o.refuse("Error") }
func (o outside) Errorf(string, ...any)    { o.refuse("Errorf") }
func (o outside) Fail()                    { o.refuse("Fail") }
func (o outside) FailNow()                 { o.refuse("FailNow") }
func (o outside) Failed() bool             { o.refuse("Failed"); return false }
func (o outside) Fatal(...any)             { o.refuse("Fatal") }
func (o outside) Fatalf(string, ...any)    { o.refuse("Fatalf") }
func (outside) Helper()                    {}
func (o outside) Log(...any)               { o.refuse("Log") }
func (o outside) Logf(string, ...any)      { o.refuse("Logf") }
func (o outside) Name() string             { o.refuse("Name"); return "" }
func (o outside) Output() io.Writer        { o.refuse("Output"); return nil }
func (o outside) Setenv(string, string)    { o.refuse("Setenv") }
func (o outside) Skip(...any)              { o.refuse("Skip") }
func (o outside) SkipNow()                 { o.refuse("SkipNow") }
func (o outside) Skipf(string, ...any)     { o.refuse("Skipf") }
func (o outside) Skipped() bool            { o.refuse("Skipped"); return false }
func (o outside) TempDir() string          { o.refuse("TempDir"); return "" }
