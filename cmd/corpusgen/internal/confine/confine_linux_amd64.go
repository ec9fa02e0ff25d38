package confine

import "golang.org/x/sys/unix"

// oldModes are what newer systems do not have.
var oldModes = []uint32{unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME,
	unix.SYS_UTIMES, unix.SYS_FUTIMESAT}
