package apitest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/internal/job"
)

// The copy of the library has all that a harness imports, and needs no other module.
func TestCopyLibrary(t *testing.T) {
	cache := t.TempDir()
	dir, err := copyLibrary(cache)
	require.NoError(t, err)
	cmd := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}",
		"./bigen", "./bigen/callseq/api", "./fuzzext")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOWORK=off", "GOPROXY=off",
		"GOMODCACHE="+filepath.Join(cache, "empty"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), library+"/fuzzext\n")
	for line := range strings.Lines(string(out)) {
		require.True(t, strings.HasPrefix(line, library+"/"), line)
	}

	again, err := copyLibrary(cache)
	require.NoError(t, err)
	require.Equal(t, dir, again)
	require.NoFileExists(t, filepath.Join(dir, "bigen", "gen_test.go"))
}

// A file that asks for a release of Go keeps its own constraint.
func TestModern(t *testing.T) {
	for text, want := range map[string]string{
		"package p\n": "//go:build go1.25\n\npackage p\n",
		"// Copyright\n\n//go:build unix || aix\n\npackage p\n": "// Copyright\n\n" +
			"//go:build (unix || aix) && go1.25\n\npackage p\n",
		"//go:build go1.26\npackage p\n": "//go:build (go1.26) && go1.25\npackage p\n",
		"// P.\npackage p\n\nconst c = `\n//go:build x\n`\n": "//go:build go1.25\n\n// P.\npackage p\n\n" +
			"const c = `\n//go:build x\n`\n",
	} {
		require.Equal(t, want, string(modern([]byte(text))))
	}
}

// A test that needs the harness skips itself if there is none, and says what to do.
func TestSkipping(t *testing.T) {
	g := &generation{apiRun: &apiRun{}, harness: &apigen.Harness{Calls: "calls"}}
	e := &job.Test{Code: "// odd1.Add(2)\ncalls.Run(t, callseq.Calls{\n\t{\"odd.Add\", 2},\n})"}
	require.Equal(t, e.Code, g.skipping(e))
	g.lent = "example.com/user"
	require.Equal(t, "// odd1.Add(2)\nt.Skip(\"only a harness can check it: the module example.com/user "+
		"does not require github.com/espalier-go/espalier, which a harness imports: run go get "+
		"github.com/espalier-go/espalier/fuzzext there first\")", g.skipping(e))
}

// Stubs are left beside tests that use them, and go with the last of these.
func TestWriteStubs(t *testing.T) {
	dir := t.TempDir()
	stubs := []byte(apigen.Generated + "\npackage p_test\n\ntype stubVisitor struct{}\n")
	g := &generation{apiRun: &apiRun{dir: dir}, harness: &apigen.Harness{Stubs: stubs}}
	tests := filepath.Join(dir, regressionFile)
	require.NoError(t, os.WriteFile(tests, []byte("p.Visit(stubVisitor{})"), 0o666))
	require.NoError(t, g.writeStubs())
	require.FileExists(t, filepath.Join(dir, stubFile))
	require.NoError(t, os.WriteFile(tests, []byte("p.Visit(nil)"), 0o666))
	require.NoError(t, g.writeStubs())
	require.NoFileExists(t, filepath.Join(dir, stubFile))
}
