//go:build !unix

package gotest

import "os/exec"

// isolate leaves it to exec.CommandContext to kill cmd. The console delivers
// Ctrl-C to the test binary as well.
func isolate(*exec.Cmd) {}

func reap(*exec.Cmd) {}

// tie leaves it to the console to interrupt cmd.
func tie(cmd *exec.Cmd) (func(), error) {
	cmd.Cancel = func() error { return nil }
	return func() {}, nil
}

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
