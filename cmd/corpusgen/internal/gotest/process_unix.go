//go:build unix

package gotest

import (
	"os"
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
		killGroup(cmd) // usually there is none
	}
}

// Lifeline is the environment variable that names the file descriptor of a pipe
// in a test binary. The pipe is closed when corpusgen has ended.
const Lifeline = "ESPALIER_LIFELINE"

// tie makes cmd end when this process does, and interrupts it when its context ends. The
// caller must call the returned function after cmd has ended.
func tie(cmd *exec.Cmd) (func(), error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.ExtraFiles = []*os.File{r} // descriptor 3
	cmd.Env = append(cmd.Env, Lifeline+"=3")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	setDeathSignal(cmd.SysProcAttr)
	// The engine stops its workers itself: they need no signal.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	return func() { r.Close(); w.Close() }, nil
}

// killGroup kills cmd, which has been started, and what it has started.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
