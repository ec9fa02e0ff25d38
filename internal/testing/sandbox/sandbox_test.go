//go:build linux

package sandbox

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func command(s *Sandbox, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = s.Environ()
	return cmd
}

func TestNew(t *testing.T) {
	root := t.TempDir()
	s, err := New(filepath.Join(root, "s"), false)
	require.NoError(t, err)
	out, err := command(s, "go", "env", "GOCACHE").CombinedOutput()
	require.NoError(t, err)
	require.Equal(t, s.GoCache()+"\n", string(out))
	out, err = command(s, "go", "list", "-export", "-f", "{{.Stale}}", "errors").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoDirExists(t, filepath.Join(s.GoCache(), "fuzz"))
}

func TestProcesses(t *testing.T) {
	var all [2]*Sandbox
	for i := range all {
		s, err := New(t.TempDir(), true)
		require.NoError(t, err)
		all[i] = s
		t.Cleanup(func() { s.Kill() })
		require.NoError(t,
			command(s, "sh", "-c", `sleep 1000 & sh -c 'sleep 1000; :' sh -test.fuzz=. & wait`).Start())
		require.Eventually(t, func() bool {
			found, err := s.Processes()
			return err == nil && len(found) == 4
		}, time.Minute, time.Millisecond)
	}
	require.NoError(t, all[0].Kill())
	found, err := all[0].Wait(0)
	require.NoError(t, err)
	require.Empty(t, found)
	require.Eventually(t, func() bool { // a process that is starting a program has no environment
		found, err := all[1].Processes()
		fuzz := 0
		for _, p := range found {
			if p.Fuzzes() {
				fuzz++
			}
		}
		return err == nil && len(found) == 4 && fuzz == 1
	}, time.Minute, time.Millisecond)
}
