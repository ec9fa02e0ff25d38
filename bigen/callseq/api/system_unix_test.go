//go:build linux || darwin

package api_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/stretchr/testify/require"
)

// A process with the limit makes no larger file, gets an error, and goes on.
func TestLimitFile(t *testing.T) {
	const limited = "ESPALIER_LIMITED"
	name := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(name, []byte("a"), 0o666))
	if os.Getenv(limited) != "" {
		api.LimitFile(1 << 20)
		require.ErrorIs(t, os.Truncate(name, 2<<20), syscall.EFBIG)
		require.NoError(t, os.Truncate(name, 1<<20))
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestLimitFile$")
	cmd.Env = append(os.Environ(), limited+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
