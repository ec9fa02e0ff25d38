package gotest

import "syscall"

// setDeathSignal makes the kernel interrupt a process when the thread that started it ends.
func setDeathSignal(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }
