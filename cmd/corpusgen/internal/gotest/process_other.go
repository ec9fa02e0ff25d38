//go:build !unix

package gotest

import (
	"os"
	"os/exec"
)

// isolate leaves it to exec.CommandContext to kill cmd. The console delivers
// Ctrl-C to the test binary as well.
func isolate(*exec.Cmd) {}

func reap(*exec.Cmd) {}

// interruptAlone leaves it to the console to interrupt cmd.
func interruptAlone(cmd *exec.Cmd) { cmd.Cancel = func() error { return nil } }

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// quitGroup kills cmd: there is no signal that has it print its stacks.
func quitGroup(cmd *exec.Cmd) { killGroup(cmd) }

func startGuard() {}

func guardGroup(*exec.Cmd) (done func()) { return func() {} }

// memory returns 0, for unknown.
func memory(*os.ProcessState) int64 { return 0 }
