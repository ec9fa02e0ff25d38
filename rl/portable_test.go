package rl

import (
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Choices are the same on every platform. So no compiler may fuse a multiplication and an
// addition, which would round otherwise than both.
func TestNothingIsFused(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the package for another platform")
	}
	fused := regexp.MustCompile(`(?m)\((\S+\.go:\d+)\)\s+V?FN?M(?:ADD|SUB)\S*`)
	for _, platform := range []string{"GOARCH=arm64", "GOARCH=ppc64le", "GOARCH=riscv64"} {
		cmd := exec.Command("go", "build", "-gcflags=-S", ".")
		cmd.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0", platform)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", platform, out)
		require.Contains(t, string(out), "TEXT", "nothing is shown")
		require.Empty(t, fused.FindAllString(string(out), -1), platform)
	}
}
