package rundir

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const parentVar = "RUNDIR_TEST_PARENT"

func TestMain(m *testing.M) {
	if parent := os.Getenv(parentVar); parent != "" { // a process that is killed
		d, err := New(parent)
		if err != nil {
			panic(err)
		}
		short, err := d.Short()
		if err != nil {
			panic(err)
		}
		os.Stdout.WriteString(d.Path + " " + short + "\n")
		p, _ := os.FindProcess(os.Getpid())
		_ = p.Kill()
		select {}
	}
	os.Exit(m.Run())
}

func TestRemove(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "a", "b")
	d, err := New(parent)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(d.Path, "x"), nil, 0o666))
	short, err := d.Short()
	require.NoError(t, err)
	require.Equal(t, filepath.Clean(os.TempDir()), filepath.Dir(short))
	require.NoError(t, os.WriteFile(filepath.Join(short, "x"), nil, 0o666))
	require.NoError(t, d.Remove())
	require.NoDirExists(t, d.Path)
	require.NoDirExists(t, short)
}

// New removes the directory of a process that was killed, and no directory of a live
// process.
func TestKilled(t *testing.T) {
	parent := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), parentVar+"="+parent)
	out, err := cmd.Output()
	require.Error(t, err)
	killed, short, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	require.DirExists(t, killed)
	require.DirExists(t, short)

	live, err := New(parent)
	require.NoError(t, err)
	require.NoDirExists(t, killed)
	require.NoDirExists(t, short)
	next, err := New(parent)
	require.NoError(t, err)
	require.DirExists(t, live.Path)
	require.NoError(t, live.Remove())
	require.NoError(t, next.Remove())
}

// New removes no directory that it has not made.
func TestForeign(t *testing.T) {
	parent := t.TempDir()
	foreign := filepath.Join(parent, "mine")
	require.NoError(t, os.Mkdir(foreign, 0o777))
	d, err := New(parent)
	require.NoError(t, err)
	require.DirExists(t, foreign)
	require.NoError(t, d.Remove())
}

// New removes the directory of a process that was killed before it locked it, or while it
// removed it.
func TestUnlocked(t *testing.T) {
	parent := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(parent, "12-345"), 0o777))
	require.NoError(t, os.MkdirAll(filepath.Join(parent, "12-346", "tmp"), 0o777))
	d, err := New(parent)
	require.NoError(t, err)
	require.NoDirExists(t, filepath.Join(parent, "12-345"))
	require.NoDirExists(t, filepath.Join(parent, "12-346"))
	require.NoError(t, d.Remove())
}

func TestConcurrent(t *testing.T) {
	parent := t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				d, err := New(parent)
				if err == nil {
					_, err = os.Stat(d.Path)
				}
				if err == nil {
					err = d.Remove()
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}
