//go:build !unix

package gotest

import "os/exec"

// tie leaves it to the console to interrupt cmd.
func tie(cmd *exec.Cmd) (func(), error) {
	cmd.Cancel = func() error { return nil }
	return func() {}, nil
}

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
