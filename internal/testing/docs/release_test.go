package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The script of releases refuses what would make a wrong one, and tags what is right.
func TestRelease(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("releases are made on Linux")
	}
	t.Parallel()
	dir := t.TempDir()
	run := func(name string, args ...string) (string, error) {
		c := exec.Command(name, args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a",
			"GIT_COMMITTER_EMAIL=a@example.com")
		out, err := c.CombinedOutput()
		return string(out), err
	}
	must := func(name string, args ...string) string {
		t.Helper()
		out, err := run(name, args...)
		require.NoError(t, err, out)
		return out
	}
	refuse := func(want string, args ...string) {
		t.Helper()
		out, err := run(".ci/release", args...)
		require.Error(t, err)
		require.Contains(t, out, want)
	}
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
	}
	script, err := os.ReadFile(filepath.Join(root, ".ci", "release"))
	require.NoError(t, err)
	write(".ci/release", string(script), 0o777)
	write("CHANGELOG.md", "# Changelog\n\n## v0.2.0\n\n- new\n\n## v0.1.0\n\n- old\n", 0o666)
	must("git", "init", "-q")

	refuse("there are changes that are not committed", "tag", "v0.2.0")
	must("git", "add", ".")
	must("git", "commit", "-q", "-m", "first")
	refuse("0.2 is not a version such as v0.2.0", "tag", "0.2")
	refuse(`CHANGELOG.md has no section "## v0.3.0": rename the section Unreleased`, "tag", "v0.3.0")
	refuse("v0.2.0 is not checked out: run git checkout v0.2.0", "build", "v0.2.0", "dist")
	refuse("usage: .ci/release tag VERSION", "tag")
	require.Equal(t, "- new\n", must(".ci/release", "notes", "v0.2.0"))
	require.Equal(t, "now run: git push origin v0.2.0\n", must(".ci/release", "tag", "v0.2.0"))
	require.Equal(t, "v0.2.0\n\n- new",
		strings.TrimSpace(must("git", "for-each-ref", "--format=%(contents)", "refs/tags/v0.2.0")))
	refuse("the tag v0.2.0 exists", "tag", "v0.2.0")
}
