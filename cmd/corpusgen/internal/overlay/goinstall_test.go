package overlay

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/internal/gorelease"
)

// An installation is one of Go that the tests have at hand.
type installation struct{ goroot, version, modcache string }

// installed returns the Go installation that the go command uses, or the one of another
// version, which it may have to fetch; if that cannot be, the test is skipped.
func installed(t *testing.T, version string) installation {
	t.Helper()
	cmd := exec.Command("go", "env", "GOROOT", "GOVERSION", "GOMODCACHE")
	if version != "" {
		if testing.Short() {
			t.Skip("another Go installation")
		}
		cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+version)
	}
	out, err := cmd.Output()
	fields := strings.Split(strings.TrimSpace(string(out)), "\n")
	if version != "" && (err != nil || len(fields) != 3 || fields[1] != version) {
		t.Skipf("%s cannot be had: %v", version, err)
	}
	require.NoError(t, err)
	require.Len(t, fields, 3)
	return installation{fields[0], fields[1], fields[2]}
}

// replaceable returns the same installation in a place where overlays can replace files.
func (i installation) replaceable(t *testing.T) installation {
	t.Helper()
	// Not a new directory each time: the go command builds the standard library again
	// for each place that an installation is in.
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	i.goroot, err = Replaceable(i.goroot, i.modcache, filepath.Join(cache, "espalier", "goroot"))
	require.NoError(t, err)
	return i
}

// goCommand returns a command that uses the installation, whatever the flags of the user.
func (i installation) goCommand(args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(i.goroot, "bin", "go"), args...)
	cmd.Env = append(os.Environ(), "GOROOT="+i.goroot, "GOTOOLCHAIN=local", "GO111MODULE=off", "GOFLAGS=-buildvcs=false")
	return cmd
}

// eachInstallation runs test for the Go installation that the go command uses, and for
// the releases that the overlay is to fit.
func eachInstallation(t *testing.T, test func(t *testing.T, i installation)) {
	running := installed(t, "")
	t.Run(running.version, func(t *testing.T) { test(t, running.replaceable(t)) })
	for _, version := range []string{gorelease.Oldest, gorelease.Newest} {
		if version != running.version {
			t.Run(version, func(t *testing.T) { test(t, installed(t, version).replaceable(t)) })
		}
	}
}
