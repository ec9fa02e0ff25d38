package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// The packages that CI names exist. A step that runs late would be the first to tell otherwise.
func TestPackagesOfCI(t *testing.T) {
	t.Parallel()
	paths := []string{".ci/run"}
	workflows, err := filepath.Glob(filepath.Join(root, ".github", "workflows", "*.yml"))
	require.NoError(t, err)
	require.NotEmpty(t, workflows)
	for _, w := range workflows {
		rel, err := filepath.Rel(root, w)
		require.NoError(t, err)
		paths = append(paths, rel)
	}
	named := regexp.MustCompile(`(?:^|\s)\./([\w/{},.]+)`)
	for _, path := range paths {
		text, err := os.ReadFile(filepath.Join(root, path))
		require.NoError(t, err)
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			for _, dir := range expand(strings.TrimSuffix(m[1], "...")) {
				require.DirExists(t, filepath.Join(root, dir), path)
			}
		}
	}
}

// The workflows of the guide are what GitHub Actions reads.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	if !long.Enabled() {
		t.Skipf("actionlint runs with %s=1", long.Env)
	}
	for _, p := range guide(t) {
		for _, b := range p.blocks {
			if b.kind() == "yaml" {
				cmd := exec.Command("go", "tool", "-modfile=.ci/tools.mod", "actionlint", "-")
				cmd.Dir, cmd.Stdin = root, strings.NewReader(strings.Join(b.lines, "\n")+"\n")
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s: %s", b.at(0), out)
			}
		}
	}
}

// expand returns the words that a shell makes of a word with at most one pair of braces.
func expand(word string) (words []string) {
	before, rest, ok := strings.Cut(word, "{")
	if !ok {
		return []string{word}
	}
	list, after, _ := strings.Cut(rest, "}")
	for _, w := range strings.Split(list, ",") {
		words = append(words, before+w+after)
	}
	return words
}
