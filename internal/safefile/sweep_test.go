package safefile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What a killed process has left goes when another one writes there. What may be of a process that
// lives stays, and so does what is of other programs.
func TestSweep(t *testing.T) {
	ended := exec.Command(os.Args[0], "-test.run=^$")
	require.NoError(t, ended.Run())
	dir := t.TempDir()
	add := func(age time.Duration, name string, isDir bool) {
		path := filepath.Join(dir, name)
		if isDir {
			require.NoError(t, os.MkdirAll(filepath.Join(path, "below"), 0o777))
		} else {
			require.NoError(t, os.WriteFile(path, []byte("half"), 0o666))
		}
		then := time.Now().Add(-age)
		require.NoError(t, os.Chtimes(path, then, then))
	}
	add(-2*maxAge, Prefix+"FUTURE", false)
	gone := []string{Prefix + "ABC234", fmt.Sprintf("%s%d-ABC234", Prefix, ended.Process.Pid),
		Prefix + "123456"}
	for i, name := range gone {
		add(2*maxAge, name, i == 2)
	}
	stays := []string{fmt.Sprintf("%s%d-ABC234", Prefix, os.Getpid()), Prefix + "notes", "notes"}
	for _, name := range stays {
		add(2*maxAge, name, false)
	}
	stays = append(stays, Prefix+"NEW234")
	add(maxAge/2, Prefix+"NEW234", false)

	require.NoError(t, Write(filepath.Join(dir, "file"), nil))
	for _, name := range append(gone, Prefix+"FUTURE") {
		require.NoFileExists(t, filepath.Join(dir, name))
	}
	for _, name := range stays {
		require.FileExists(t, filepath.Join(dir, name))
	}
}

// A file that another machine writes in a directory that both share stays, also if the clock of the
// file server is hours late.
func TestSweepByOtherClock(t *testing.T) {
	dir := t.TempDir()
	ours := clock
	defer func() { clock = ours }()
	clock = func(dir string) time.Time { return ours(dir).Add(-2 * maxAge) }
	path := filepath.Join(dir, Prefix+"999999999-ABC234")
	require.NoError(t, os.WriteFile(path, []byte("half"), 0o666))
	then := clock(dir)
	require.NoError(t, os.Chtimes(path, then, then))
	Sweep(dir)
	require.FileExists(t, path)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
}
