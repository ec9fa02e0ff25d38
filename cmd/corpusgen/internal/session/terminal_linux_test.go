package session

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// openTerminal returns both ends of a terminal.
func openTerminal(t *testing.T) (screen, end *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err) // a sandbox without terminals
	}
	t.Cleanup(func() { screen.Close() })
	require.NoError(t, unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	end, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { end.Close() })
	return screen, end
}

// The status line is cut to the columns that the terminal has now.
func TestStatusOfTerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	screen, end := openTerminal(t)
	resize := func(columns uint16) {
		require.NoError(t, unix.IoctlSetWinsize(int(end.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: columns}))
	}
	shown := func(want string) {
		t.Helper()
		b := make([]byte, 100)
		n, err := screen.Read(b)
		require.NoError(t, err)
		require.Equal(t, want, string(b[:n]))
	}
	stderr := os.Stderr
	os.Stderr = end
	defer func() { os.Stderr = stderr }()
	resize(10)
	o := NewOutput(false)
	o.quiet = time.Time{}
	o.Status("%s", "世界 12345")
	shown("\r\r世界 1234")
	resize(7)
	o.Status("%s", "世界 123456")
	shown("\r      \r世界 1")
	o.Status("")
	shown("\r      \r")

	t.Setenv("COLUMNS", "30")
	resize(0)
	require.Equal(t, 29, terminalWidth(end))
	t.Setenv("COLUMNS", "")
	require.Equal(t, 79, terminalWidth(end))
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer null.Close()
	require.Zero(t, terminalWidth(null))
}
