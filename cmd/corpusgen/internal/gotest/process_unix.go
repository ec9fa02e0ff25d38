//go:build unix

package gotest

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// isolate puts cmd in a process group of its own, so that the test binary, a
// grandchild, can be stopped with it. When the context of cmd ends, the group is
// interrupted rather than killed: tests can clean up.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
}

// reap kills what is left of the group after an interrupted cmd has ended.
func reap(cmd *exec.Cmd) {
	if cmd.Process != nil {
		killGroup(cmd) // usually there is none
	}
}

// interruptAlone has only cmd be interrupted when its context ends, not what it has started: the
// engine stops its workers itself.
func interruptAlone(cmd *exec.Cmd) {
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
}

// killGroup kills cmd, which has been started, and what it has started.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// quitGroup has cmd, which has been started, and what it has started, print their stacks and end.
// The go command waits for the test binary.
func quitGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGQUIT) }

// memory returns the most memory that a process has had in use.
func memory(s *os.ProcessState) int64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	unit := int64(1024)
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return int64(usage.Maxrss) * unit
}
