package ossfuzz

import (
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert/yaml"

	"github.com/stretchr/testify/require"
)

var project = Project{
	Name:      "user",
	Repo:      "https://example.com/user",
	Below:     "/inner",
	Toolchain: "go1.26.8",
	Args:      []string{"-tags=a b", "./..."},
}

// What must be YAML is, and has what the services read.
func TestYAML(t *testing.T) {
	found := map[string]map[string]any{}
	for _, f := range Files(project) {
		if strings.HasPrefix(path.Ext(f.Path), ".y") {
			var v map[string]any
			require.NoError(t, yaml.Unmarshal(f.Data, &v), f.Path)
			found[f.Path] = v
		}
	}
	require.Len(t, found, 6)
	require.Equal(t, map[string]any{
		"homepage": "https://example.com/user", "main_repo": "https://example.com/user",
		"primary_contact": "", "language": "go",
		"fuzzing_engines": []any{"libfuzzer"}, "sanitizers": []any{"address"},
	}, found["project.yaml"])
	require.Equal(t, map[string]any{"language": "go"}, found[".clusterfuzzlite/project.yaml"])
	modes, builds := map[string]bool{}, 0
	for name, workflow := range found {
		jobs, ok := workflow["jobs"].(map[string]any)
		if !ok {
			continue
		}
		for _, job := range jobs {
			steps := job.(map[string]any)["steps"].([]any)
			build := with(steps[0])
			require.Equal(t, "go", build["language"], name)
			if path.Base(name) == "cflite_build.yml" {
				require.Len(t, steps, 1, name)
				require.Equal(t, true, build["upload-build"])
				require.Equal(t, "address", build["sanitizer"])
				builds++
				continue
			}
			require.Len(t, steps, 2, name)
			run := with(steps[1])
			require.Equal(t, build["sanitizer"], run["sanitizer"], name)
			require.Equal(t, run["mode"] == "coverage", run["sanitizer"] == "coverage", name)
			modes[run["mode"].(string)] = true
		}
	}
	require.Equal(t,
		map[string]bool{"code-change": true, "batch": true, "prune": true, "coverage": true}, modes)
	require.Equal(t, 1, builds)
}

func with(step any) map[string]any { return step.(map[string]any)["with"].(map[string]any) }

// The expressions of workflows are not templates.
func TestFiles(t *testing.T) {
	for _, f := range Files(project) {
		text := string(f.Data)
		require.True(t, strings.HasSuffix(text, "\n"), f.Path)
		require.Equal(t, path.Base(f.Path) == "build.sh", f.Exec, f.Path)
		if strings.Contains(f.Path, "workflows") {
			require.Contains(t, text, "${{ secrets.GITHUB_TOKEN }}", f.Path)
			continue
		}
		require.NotContains(t, text, "{{", f.Path)
		switch path.Base(f.Path) {
		case "Dockerfile":
			require.Contains(t, text, "\nENV GOTOOLCHAIN=go1.26.8\n", f.Path)
			require.Contains(t, text, "\nWORKDIR $SRC/user/inner\n", f.Path)
		case "build.sh":
			require.Contains(t, text, `-o "$OUT" -tags='a b' ./...`+"\n", f.Path)
		}
	}
}

func TestScript(t *testing.T) {
	text := string(fill("coverage.sh", coverage{
		Target:  "FuzzX",
		Package: "example.com/it's",
		Dir:     "/it's here",
		Corpus:  "/tmp/x",
		Types:   "int,[]byte",
		Binary:  "x.test",
	}))
	require.Contains(t, text, `cd "$out"'/it'\''s here' 2>/dev/null`)
	require.Contains(t, text, `-types 'int,[]byte' -o '/tmp/x' "$FUZZ_CORPUS_DIR"`)
	require.Contains(t, text, `exec "$out/coverage/"'x.test' -test.run '^FuzzX$' "$@"`)
}
