//go:build linux && (amd64 || arm64)

package confine

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// files are the rights that Landlock controls: all that change files.
const files = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE |
	unix.LANDLOCK_ACCESS_FS_REFER |
	unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
	unix.LANDLOCK_ACCESS_FS_MAKE_DIR |
	unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SYM |
	unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
	unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_CHAR |
	unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK

// Versions of Landlock: the first that controls what truncates files, and the first that controls
// signals.
const (
	truncates = 3
	signals   = 6
)

// version returns the version of Landlock.
func version() (uintptr, error) {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0,
		unix.LANDLOCK_CREATE_RULESET_VERSION)
	switch {
	case errno != 0:
		return 0, fmt.Errorf("the kernel has no Landlock: %w", errno)
	case v < truncates:
		return 0, fmt.Errorf("version %d of Landlock is too old: Linux 6.2 has a newer one", v)
	}
	return v, nil
}

// check confines a thread, for what a container may deny.
func check() error { return Do(nil, func() error { return nil }) }

// isMain reports whether this is the main thread.
func isMain() bool { return unix.Gettid() == unix.Getpid() }

// A ruleset is the kernel's landlock_ruleset_attr, and a pathBeneath its landlock_path_beneath_attr.
// Package unix has renamed their fields from release to release.
type ruleset struct{ files, net, scoped uint64 }

type pathBeneath struct {
	access uint64
	parent int32
}

// enter confines the thread.
func enter(dirs []string) error {
	v, err := version()
	if err != nil {
		return err
	}
	attr := ruleset{files: files, scoped: unix.LANDLOCK_SCOPE_SIGNAL}
	size := unsafe.Sizeof(attr)
	if v < signals { // it knows a shorter one
		size = unsafe.Sizeof(attr.files)
	}
	rules, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET,
		uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return fmt.Errorf("the kernel takes no rules of Landlock: %w", errno)
	}
	defer unix.Close(int(rules))
	allow := func(path string, access uint64) error {
		fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			return &os.PathError{Op: "open", Path: path, Err: err}
		}
		defer unix.Close(fd)
		attr := pathBeneath{access, int32(fd)}
		if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, rules,
			unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr)), 0, 0, 0); errno != 0 {
			return fmt.Errorf("the kernel takes no rule of Landlock for %s: %w", path, errno)
		}
		return nil
	}
	for _, dir := range dirs {
		if err := allow(dir, files); err != nil {
			return err
		}
	}
	// What is written there is lost.
	if err := allow(os.DevNull,
		unix.LANDLOCK_ACCESS_FS_WRITE_FILE|unix.LANDLOCK_ACCESS_FS_TRUNCATE); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up privileges: %w", err)
	}
	if err := keepModes(); err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0, 0); errno != 0 {
		return fmt.Errorf("the kernel confines nothing by Landlock: %w", errno)
	}
	return nil
}

// modes are the system calls that change what Landlock does not control: owners, modes, times and
// attributes of files.
var modes = append([]uint32{
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT,
	unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR,
	unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR,
}, oldModes...)

// keepModes denies these to the thread.
func keepModes() error {
	const number = 0 // the offset of the number of a call in what a filter is given
	filter := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: number}}
	for i, call := range modes {
		filter = append(filter, unix.SockFilter{
			Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K,
			K:    call,
			Jt:   uint8(len(modes) - i),
		})
	}
	filter = append(filter,
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)})
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, errno := unix.Syscall(unix.SYS_PRCTL, unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER,
		uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return fmt.Errorf("the system takes no filter of system calls: %w", errno)
	}
	return nil
}
