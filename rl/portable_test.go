package rl

import (
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// Choices are the same on every platform, so no compiler may fuse a multiplication with an
// addition, which rounds differently. With an empty build cache, each platform
// compiles what rl imports.
func TestNothingIsFused(t *testing.T) {
	t.Parallel()
	if !long.Enabled() {
		t.Skip("compiles the package for another platform")
	}
	fused := regexp.MustCompile(`(?m)\((\S+\.go:\d+)\)\s+V?FN?M(?:ADD|SUB)\S*`)
	platforms := []string{"GOARCH=arm64", "GOARCH=ppc64le", "GOARCH=riscv64"}
	for _, platform := range platforms {
		cmd := exec.Command("go", "build", "-gcflags=-S", ".")
		cmd.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0", platform)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", platform, out)
		require.Contains(t, string(out), "TEXT", "no assembly")
		require.Empty(t, fused.FindAllString(string(out), -1), platform)
	}
}
