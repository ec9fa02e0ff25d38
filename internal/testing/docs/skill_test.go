package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// skill is the folder of the skill for coding agents, from the root.
const skill = "docs/skills/espalier"

var frontMatter = regexp.MustCompile(`^---\nname: ([a-z-]+)\ndescription: (.+)\n---\n`)

// The skill is in the form that agents load, and names its scripts.
func TestSkill(t *testing.T) {
	t.Parallel()
	text := readPage(t, skill+"/SKILL.md").text()
	m := frontMatter.FindStringSubmatch(text)
	require.NotNil(t, m)
	require.Equal(t, filepath.Base(skill), m[1])
	require.LessOrEqual(t, len(m[2]), 1024)
	require.NotContains(t, m[2], ": ", "YAML takes it for a key")
	scripts, err := filepath.Glob(filepath.Join(root, skill, "scripts", "*.sh"))
	require.NoError(t, err)
	require.NotEmpty(t, scripts)
	for _, path := range scripts {
		require.Contains(t, text, "scripts/"+filepath.Base(path))
	}
	for _, name := range regexp.MustCompile(`scripts/[\w.]+`).FindAllString(text, -1) {
		require.FileExists(t, filepath.Join(root, skill, name))
	}
}

// plainTests has a test that fails, one that passes, and one that does not compile.
var plainTests = map[string]string{
	"plain/plain_test.go": "package plain\n\nimport \"testing\"\n\n" +
		"func TestFails(t *testing.T) { t.Fail() }\n\nfunc TestPasses(t *testing.T) {}\n",
	"broken/broken_test.go": "package broken\n\nfunc TestBroken(t *testing.T) {}\n",
}

// The scripts of the skill do what they say in a module of the reader.
func TestSkillScripts(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" || !long.Enabled() {
		t.Skipf("the scripts run with %s=1, where there is a sh", long.Env)
	}
	dir := newModule(t, clone, "examples/bst/")
	for name, text := range plainTests {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	scripts, err := filepath.Abs(filepath.Join(root, skill, "scripts"))
	require.NoError(t, err)
	run := func(dir, name string, args ...string) (out string, status int) {
		cmd := exec.Command("sh", append([]string{filepath.Join(scripts, name)}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), goVars(t)...)
		text, err := cmd.CombinedOutput()
		require.True(t, err == nil || cmd.ProcessState != nil, err)
		return string(text), cmd.ProcessState.ExitCode()
	}
	out, status := run(dir, "guide.sh")
	require.Zero(t, status, out)
	require.Equal(t, strings.TrimSpace(readPage(t, "docs/llms.txt").text()), strings.TrimSpace(out))

	bare := t.TempDir() // a module that does not require Espalier
	require.NoError(t, os.WriteFile(filepath.Join(bare, "go.mod"), []byte("module bare\n"), 0o666))
	out, status = run(bare, "guide.sh")
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "go get -tool github.com/espalier-go/espalier/cmd/corpusgen")

	out, status = run(dir, "choose.sh", "./examples/bst")
	require.Zero(t, status, out)
	require.Regexp(t, `(?m)^[\d.]+%\tInsert\t.*bst.go:\d+:$`, out)

	for _, plain := range []struct {
		pkg, test string
		status    int
		out       string
	}{
		{"./plain", "TestFails", 0, "TestFails fails in 3 of 3 runs"},
		{"./plain", "TestPasses", 1, "TestPasses fails in 0 of 3 runs"},
		{"./plain", "TestNone", 2, "./plain has no test TestNone"},
		{"./broken", "TestBroken", 2, "undefined: testing"},
	} {
		out, status = run(dir, "plain.sh", plain.pkg, plain.test)
		require.Equal(t, plain.status, status, out)
		require.Contains(t, out, plain.out)
	}
}
