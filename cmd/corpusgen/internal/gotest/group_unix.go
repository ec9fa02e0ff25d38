//go:build unix

package gotest

import (
	"os/exec"
	"syscall"
)

// isolate puts cmd in a process group of its own, so that the test binary, a
// grandchild, can be stopped with it. When the context of cmd ends, the group is
// interrupted rather than killed: tests can clean up.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	setDeathSignal(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
}

// reap kills what is left of the group after an interrupted cmd has ended.
func reap(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // usually there is none
	}
}
