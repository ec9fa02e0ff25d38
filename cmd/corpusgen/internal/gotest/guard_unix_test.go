//go:build unix

package gotest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// When a process is killed, what its commands have started ends, too.
func TestGuard(t *testing.T) {
	if os.Getenv("GUARDED") != "" {
		cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", "sleep 1000 & echo $!; wait")
		cmd.Stdout = os.Stdout
		isolate(cmd)
		_ = Run(cmd, func() { fmt.Println("guarded") })
		return
	}
	t.Parallel()
	cmd := exec.Command(os.Args[0], "-test.run=^TestGuard$")
	cmd.Env = append(cmd.Environ(), "GUARDED=1")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewReader(out)
	pid := 0
	for range 2 { // the guard knows the group, and the group has its process
		line, err := lines.ReadString('\n')
		require.NoError(t, err)
		if n, err := strconv.Atoi(strings.TrimSpace(line)); err == nil {
			pid = n
		}
	}
	require.Positive(t, pid)
	require.NoError(t, syscall.Kill(pid, 0))
	require.NoError(t, cmd.Process.Kill())
	_, err = io.Copy(io.Discard, lines) // all that have the pipe have ended
	require.NoError(t, err)
	require.Error(t, cmd.Wait())
}

// If a go command is killed, what it has started ends, too.
func TestGoKilled(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\nsleep 1000 & echo $! >" + filepath.Join(dir, "pid") + "\nkill -KILL $$\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o777))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	for _, run := range []func() error{
		func() error { return Show(t.Context(), os.Stdout) },
		func() error { _, err := Output(t.Context(), "list"); return err },
	} {
		require.Error(t, run())
		text, err := os.ReadFile(filepath.Join(dir, "pid"))
		require.NoError(t, err)
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		require.NoError(t, err)
		ended := func() bool {
			stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // or it is a zombie
			return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) ||
				err == nil && strings.Contains(string(stat), ") Z ")
		}
		require.Eventually(t, ended, time.Minute, 10*time.Millisecond)
	}
}
