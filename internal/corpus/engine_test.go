package corpus_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// echo is a fuzz target that prints its argument.
const echo = `package echo

import (
	"fmt"
	"testing"
)

func FuzzEcho(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) { fmt.Printf("<%x>\n", b) })
}
`

// The engine's own reader is internal to the standard library, so a test binary
// shows how it reads a file.
func TestEngineAgrees(t *testing.T) {
	if !long.Enabled() {
		t.Skip("builds a test binary")
	}
	run := echoing(t, echo)
	for _, test := range files {
		t.Run(test.name, func(t *testing.T) {
			wd := t.TempDir()
			dir := filepath.Join(wd, "testdata", "fuzz", "FuzzEcho")
			require.NoError(t, os.MkdirAll(dir, 0o777))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "x"), []byte(test.file), 0o666))
			out, err := run(wd)
			if test.err != "" {
				require.Error(t, err, out)
				return
			}
			require.NoError(t, err, out)
			require.Equal(t, fmt.Sprintf("<%x>\nPASS\n", test.want), out)
		})
	}
	t.Run("written", func(t *testing.T) {
		wd := t.TempDir()
		for _, v := range values() {
			_, _, err := corpus.Write(filepath.Join(wd, "testdata", "fuzz", "FuzzEcho"), v)
			require.NoError(t, err)
		}
		out, err := run(wd)
		require.NoError(t, err, out)
		for _, v := range values() {
			require.Contains(t, out, fmt.Sprintf("<%x>\n", v))
		}
	})
}

// echoing builds a test binary, and returns a function that runs its target FuzzEcho in a
// directory.
func echoing(t *testing.T, source string) func(wd string) (string, error) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module echo\n"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(root, "echo_test.go"), []byte(source), 0o666))
	bin := filepath.Join(root, "echo.exe")
	build := exec.Command(goTool, "test", "-c", "-o", bin)
	build.Dir = root
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return func(wd string) (string, error) {
		cmd := exec.Command(bin, "-test.run=^FuzzEcho$")
		cmd.Dir = wd
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
}
