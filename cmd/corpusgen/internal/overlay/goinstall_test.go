package overlay

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/gocmd"
	"github.com/stretchr/testify/require"
)

// running returns the Go installation that runs the test.
func running(t *testing.T) gocmd.Toolchain {
	t.Helper()
	i, err := gocmd.Running()
	require.NoError(t, err)
	return i
}

// eachInstallation runs test with the releases of Go that the overlay must fit, each in a
// place where overlays can replace its files.
func eachInstallation(t *testing.T, test func(t *testing.T, i gocmd.Toolchain)) {
	all, err := gocmd.Toolchains()
	require.NoError(t, err)
	for _, i := range all {
		t.Run(i.GOVERSION, func(t *testing.T) {
			t.Parallel()
			test(t, replaceable(t, i))
		})
	}
}

// replaceable returns the same installation in a place where overlays can replace files.
func replaceable(t *testing.T, i gocmd.Toolchain) gocmd.Toolchain {
	t.Helper()
	var err error
	i.GOROOT, err = Replaceable(i.GOROOT, i.GOMODCACHE, gocmd.TempDir(t))
	require.NoError(t, err)
	return i
}

// goCommand returns a command that uses the installation, whatever the flags of the user.
func goCommand(i gocmd.Toolchain, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(i.GOROOT, "bin", "go"), args...)
	cmd.Env = append(os.Environ(), "GOROOT="+i.GOROOT, "GOTOOLCHAIN=local", "GO111MODULE=off",
		"GOFLAGS=-buildvcs=false -vet=off")
	return cmd
}
