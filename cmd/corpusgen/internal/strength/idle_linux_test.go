package strength

import (
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A process that waits sleeps. One that computes does not, and there is none without threads.
func TestSleeps(t *testing.T) {
	start := func(script string) int {
		cmd := exec.Command("/bin/sh", "-c", script)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		require.NoError(t, cmd.Start())
		t.Cleanup(func() {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			_ = cmd.Wait()
		})
		return cmd.Process.Pid
	}
	waits := start("sleep 600; true")
	require.Eventually(t, func() bool { return sleeps(waits) }, time.Minute, 10*time.Millisecond)
	computes := start("sleep 600 & while :; do :; done")
	require.Never(t, func() bool { return sleeps(computes) }, 200*time.Millisecond, 10*time.Millisecond)
	require.False(t, sleeps(-1))
}
