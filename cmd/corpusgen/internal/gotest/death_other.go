//go:build unix && !linux

package gotest

import "syscall"

func setDeathSignal(*syscall.SysProcAttr) {}
