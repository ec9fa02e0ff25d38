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

// newSandbox makes a sandbox that goes, with all its processes, at the end of the script.
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

// sandbox has all commands that follow run in a sandbox: with empty corpora of the engine.
func enterSandbox(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: sandbox")
	}
	for _, entry := range newSandbox(ts).Vars() {
		name, value, _ := strings.Cut(entry, "=")
		ts.Setenv(name, value)
	}
}

// interrupted N COMMAND [ARG...] ends a command that fuzzes N times, and checks what it
// leaves behind and that it goes on.
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
	if res.WentOn < 2 || res.Entries == 0 {
		ts.Fatalf("%d runs went on, and there are %d entries: too few for a test", res.WentOn, res.Entries)
	}
}
