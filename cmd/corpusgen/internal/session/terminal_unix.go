//go:build unix

package session

import (
	"os"

	"golang.org/x/sys/unix"
)

// terminalColumns returns the width of the terminal f, 0 if that is unknown. It reports false if f is
// not a terminal.
func terminalColumns(f *os.File) (columns int, ok bool) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	return int(size.Col), true
}
