package session

import (
	"os"

	"golang.org/x/sys/windows"
)

// terminalColumns returns the width of the console f. It reports false if f is not one.
func terminalColumns(f *os.File) (columns int, ok bool) {
	var info windows.ConsoleScreenBufferInfo
	if err := windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info); err != nil {
		return 0, false
	}
	return int(info.Window.Right-info.Window.Left) + 1, true
}
