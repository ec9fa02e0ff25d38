//go:build amd64 || arm64

package confine

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Where a process may do something.
const (
	nowhere = iota
	within  // the directories that it may change
	anywhere
)

// cases are what a process does to a directory.
var cases = map[string]struct {
	where int
	do    func(dir string) error
}{
	"makes a file": {within,
		func(dir string) error { return os.WriteFile(filepath.Join(dir, "new"), nil, 0o666) }},
	"writes to a file": {within,
		func(dir string) error { return writeTo(filepath.Join(dir, "file")) }},
	"truncates a file": {within,
		func(dir string) error { return os.Truncate(filepath.Join(dir, "file"), 0) }},
	"removes a file": {within,
		func(dir string) error { return os.Remove(filepath.Join(dir, "file")) }},
	"renames a file": {within,
		func(dir string) error {
			return os.Rename(filepath.Join(dir, "file"), filepath.Join(dir, "new"))
		}},
	"makes a directory": {within,
		func(dir string) error { return os.Mkdir(filepath.Join(dir, "new"), 0o777) }},
	"removes all": {within,
		func(dir string) error { return os.RemoveAll(filepath.Join(dir, "sub")) }},
	"makes a link": {within,
		func(dir string) error { return os.Symlink("file", filepath.Join(dir, "new")) }},
	"runs what does so": {within,
		func(dir string) error {
			return exec.Command("ln", "-s", "file", filepath.Join(dir, "new")).Run()
		}},
	"signals the parent": {nowhere,
		func(string) error { return syscall.Kill(os.Getppid(), syscall.SIGCONT) }},
	"changes a mode": {nowhere,
		func(dir string) error { return os.Chmod(filepath.Join(dir, "file"), 0o600) }},
	"changes an owner": {nowhere,
		func(dir string) error { return os.Chown(filepath.Join(dir, "file"), os.Getuid(), os.Getgid()) }},
	"changes times": {nowhere,
		func(dir string) error { return os.Chtimes(filepath.Join(dir, "file"), time.Now(), time.Now()) }},
	"signals itself": {anywhere,
		func(string) error { return syscall.Kill(os.Getpid(), syscall.SIGCONT) }},
	"reads a file": {anywhere,
		func(dir string) error { _, err := os.ReadFile(filepath.Join(dir, "file")); return err }},
	"reads a directory": {anywhere, func(dir string) error { _, err := os.ReadDir(dir); return err }},
	"writes to no file": {anywhere, func(string) error { return writeTo(os.DevNull) }},
	"runs a program":    {anywhere, func(string) error { return exec.Command("true").Run() }},
}

// The main thread is never confined, whichever thread the goroutine is on.
func TestDoLeavesMain(t *testing.T) {
	if err := Check(); err != nil {
		t.Skip(err)
	}
	for range 50 {
		require.NoError(t, Do(nil, func() error {
			if isMain() {
				return errors.New("on the main thread")
			}
			return nil
		}))
	}
}

func writeTo(file string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString("text")
	return errors.Join(err, f.Close())
}

// The variable of the environment that names what a process of this test does.
const variable = "ESPALIER_CONFINE"

// denied is the exit status of one that may not.
const denied = 3

func TestMain(m *testing.M) {
	if name := os.Getenv(variable); name != "" {
		if err := cases[name].do(os.Args[1]); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(denied)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestDo(t *testing.T) {
	if err := Check(); err != nil {
		t.Skip(err)
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if v, _ := version(); name == "signals the parent" && v < signals {
				t.Skip("this kernel does not confine signals")
			}
			for _, where := range []int{within, anywhere} {
				allowed, other := folder(t), folder(t)
				dir := map[int]string{within: allowed, anywhere: other}[where]
				cmd := exec.Command(os.Args[0], dir)
				cmd.Env = append(cmd.Environ(), variable+"="+name)
				var out bytes.Buffer
				cmd.Stderr = &out
				err := Do([]string{allowed}, cmd.Run)
				if c.where >= where {
					require.NoError(t, err, out.String())
				} else {
					require.Equal(t, denied, cmd.ProcessState.ExitCode(), out.String())
				}
				if c.where == anywhere || where == anywhere {
					text, err := os.ReadFile(filepath.Join(dir, "file"))
					require.NoError(t, err)
					require.Equal(t, "as it was", string(text))
					all, err := filepath.Glob(filepath.Join(dir, "*", "*"))
					require.NoError(t, err)
					require.Len(t, all, 1)
				}
			}
			// This process may do as before.
			require.NoError(t, cases["makes a file"].do(folder(t)))
		})
	}
	require.ErrorContains(t,
		Do([]string{filepath.Join(t.TempDir(), "none")}, func() error { return nil }), "none")
}

// folder returns a directory with a file and a folder.
func folder(t *testing.T) string {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), []byte("as it was"), 0o666))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sub", "file"), nil, 0o666))
	return dir
}
