// Package gocmd is what tests that run the go command share: scripts in the place of a user, the
// releases of Go to run with, directories that cost little, and whether clang can link a fuzz
// target.
package gocmd

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// cheap are flags that make builds cheaper and that no script depends on.
const cheap = "-vet=off -ldflags=-s"

// flags returns the flags of the go command in scripts. With -trimpath, the build cache
// knows the packages of a script from the last run, whose $WORK was another.
func flags() string {
	if long.Enabled() {
		return cheap
	}
	return cheap + " -trimpath"
}

// ScriptParams returns the parameters of a run of the scripts in testdata/script. In $WORK, each
// script has a module of its own, example.com/user, that requires this one as it is in the working
// tree.
func ScriptParams(t *testing.T) testscript.Params {
	env := goEnv(t)
	root := filepath.Dir(env["GOMOD"])
	dependOn(t, root)
	gomod, err := os.ReadFile(env["GOMOD"])
	require.NoError(t, err)
	gosum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	gomod = []byte(strings.Replace(string(gomod), "module github.com/espalier-go/espalier",
		"module example.com/user", 1) +
		"\nrequire github.com/espalier-go/espalier v0.0.0\n" +
		"\nreplace github.com/espalier-go/espalier => " + strconv.Quote(root) + "\n")

	goflags := strings.TrimSpace(env["GOFLAGS"] + " -mod=mod " + flags())
	return testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB",
				"GONOSUMDB", "GOPRIVATE", "GOTOOLCHAIN"} {
				e.Setenv(name, env[name])
			}
			e.Setenv("GOENV", "off")
			e.Setenv("GOWORK", "off")
			e.Setenv("GOGC", long.GC)
			e.Setenv("GOFLAGS", goflags)
			e.Setenv("ESPALIER_ROOT", root)
			return errors.Join(
				os.WriteFile(filepath.Join(e.WorkDir, "go.mod"), gomod, 0o666),
				os.WriteFile(filepath.Join(e.WorkDir, "go.sum"), gosum, 0o666))
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	}
}

// dependOn makes the go command run the test again after any file of the tree has
// changed: the go command records which directories a test lists.
func dependOn(t *testing.T, root string) {
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || path == root {
			return err
		}
		_, notNested := os.Stat(filepath.Join(path, "go.mod"))
		if strings.HasPrefix(d.Name(), ".") || notNested == nil { // a hidden directory, or another module
			return fs.SkipDir
		}
		return nil
	}))
}

// goEnv returns the environment of the go command that runs this test.
func goEnv(t *testing.T) map[string]string {
	out, err := exec.Command("go", "env", "-json").Output()
	require.NoError(t, err)
	var env map[string]string
	require.NoError(t, json.Unmarshal(out, &env))
	return env
}
