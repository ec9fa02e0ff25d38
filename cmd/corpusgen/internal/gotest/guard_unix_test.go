//go:build unix

package gotest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

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
