package gotest

import "syscall"

// setDeathSignal has a process interrupted when the thread that started it ends.
func setDeathSignal(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }
