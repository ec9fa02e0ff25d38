//go:build !unix

package gotest

import "os/exec"

// isolate leaves it to exec.CommandContext to kill cmd. The console delivers
// Ctrl-C to the test binary as well.
func isolate(*exec.Cmd) {}

func reap(*exec.Cmd) {}
