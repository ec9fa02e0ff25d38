//go:build linux

package main

import (
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/espalier-go/espalier/internal/testing/sandbox"
)

func init() {
	moreCommands["sandbox"] = enterSandbox
	moreCommands["interrupted"] = interrupted
	moreCommands["attributed"] = attributed
	moreCommands["known"] = known
}

// newSandbox makes a sandbox. The end of the script kills its processes and removes it.
func newSandbox(ts *testscript.TestScript) *sandbox.Sandbox {
	root, err := os.MkdirTemp("", "sandbox-*")
	ts.Check(err)
	s, err := sandbox.New(root, false)
	ts.Check(err)
	ts.Defer(func() {
		ts.Check(s.Kill())
		ts.Check(os.RemoveAll(root))
	})
	return s
}

// sandbox makes all commands that follow run in a sandbox, where the engine's corpora are
// empty at first.
func enterSandbox(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: sandbox")
	}
	box := newSandbox(ts)
	sandboxes.Store(ts, box)
	for _, entry := range box.Vars() {
		name, value, _ := strings.Cut(entry, "=")
		ts.Setenv(name, value)
	}
}

// interrupted N COMMAND [ARG...] terminates a fuzzing command N times, at different
// moments, and checks what it leaves and that it resumes.
func interrupted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupted N COMMAND [ARG...]")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	var env []string
	for _, name := range []string{"GOFLAGS", "GOENV", "GOTOOLCHAIN"} {
		env = append(env, name+"="+ts.Getenv(name))
	}
	res, err := sandbox.Interruption{
		Sandbox: newSandbox(ts),
		Dir:     ts.Getenv("WORK"),
		Env:     env,
		Command: args[1:],
	}.Run(n, 1)
	ts.Check(err)
	// the others end before that, or begin without entries
	if res.Resumed < max(1, n/4) || res.Entries == 0 {
		ts.Fatalf("%d runs resumed, and there are %d entries: too few for a test", res.Resumed,
			res.Entries)
	}
}
