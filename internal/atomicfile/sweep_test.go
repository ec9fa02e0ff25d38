package atomicfile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/espalier-go/espalier/internal/testing/require"
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
	gone := []string{Prefix + "ABC234", fmt.Sprintf("%s%d-ABC234", Prefix, ended.Process.Pid), Prefix + "123456"}
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
	for _, name := range gone {
		require.NotExists(t, filepath.Join(dir, name))
	}
	for _, name := range stays {
		require.Exists(t, filepath.Join(dir, name))
	}
}
