package overlay

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/espalier-go/espalier/internal/safefile"
	"github.com/espalier-go/espalier/internal/testing/gocmd"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// TestInstallations: the overlay fits the supported releases of Go. With it, the engine
// passes its own tests and ours.
func TestInstallations(t *testing.T) {
	eachInstallation(t, func(t *testing.T, i gocmd.Toolchain) {
		dir := gocmd.TempDir(t)
		o, err := Make(i.GOROOT, i.GOVERSION, dir)
		require.NoError(t, err)
		require.Empty(t, o.Missing)
		require.False(t, o.Lacks(KnownFailures))
		require.NoError(t, o.Check(t.Context()))
		require.NoError(t, o.Check(t.Context()))

		// Our test is in testdata. The list adds it to internal/fuzz.
		list := readList(t, o.File)
		ours, err := filepath.Abs(filepath.Join("testdata", "glue_test.go"))
		require.NoError(t, err)
		list[filepath.Join(enginePath(i.GOROOT), "espalier_glue_test.go")] = ours
		b, err := json.Marshal(map[string]any{"Replace": list})
		require.NoError(t, err)
		file := filepath.Join(dir, "test.json")
		require.NoError(t, os.WriteFile(file, b, 0o666))

		out, err := goCommand(i, "test", "-v", "-overlay="+file, "internal/fuzz").CombinedOutput()
		require.NoError(t, err, string(out))
		for _, test := range []string{"TestHandTake", "TestTakeNothing", "TestMinimizeInput",
			"TestUnmarshalMarshal"} {
			require.Contains(t, string(out), "--- PASS: "+test)
		}
		require.NotContains(t, string(out), "--- SKIP")
	})
}

// readList returns what the list of an overlay replaces by what.
func readList(t *testing.T, file string) map[string]string {
	t.Helper()
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	var list struct{ Replace map[string]string }
	require.NoError(t, json.Unmarshal(b, &list))
	return list.Replace
}

// state describes all files below dir.
func state(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		require.NoError(t, err)
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		rel, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		files[rel] = info.ModTime().Format(time.RFC3339Nano) + string(b)
		return nil
	}))
	return files
}

// copyOf copies the engine's sources, as edited, into a Go installation of its own.
func copyOf(t *testing.T, edits map[string]func(string) string) string {
	t.Helper()
	sources, err := readSources(running(t).GOROOT)
	require.NoError(t, err)
	goroot := gocmd.TempDir(t)
	require.NoError(t, os.MkdirAll(enginePath(goroot), 0o777))
	for name, b := range sources {
		if edit := edits[name]; edit != nil {
			b = []byte(edit(string(b)))
		}
		require.NoError(t, os.WriteFile(filepath.Join(enginePath(goroot), name), b, 0o666))
	}
	return goroot
}

func TestMake(t *testing.T) {
	goroot := copyOf(t, nil)
	pristine := state(t, goroot)
	dir := filepath.Join(gocmd.TempDir(t), "new", "dir")
	o, err := Make(goroot, "go1.0", dir)
	require.NoError(t, err)
	require.Equal(t, dir, filepath.Dir(filepath.Dir(o.File)))
	list := readList(t, o.File)
	for _, name := range []string{"worker.go", "fuzz.go", "trace.go"} {
		require.FileExists(t, list[filepath.Join(enginePath(goroot), name)])
		require.Contains(t, list, filepath.Join(enginePath(goroot), name))
	}
	for from, to := range list {
		require.Equal(t, filepath.Dir(o.File), filepath.Dir(to))
		require.Equal(t, enginePath(goroot), filepath.Dir(from))
	}

	// A second call returns the same and writes nothing.
	before := state(t, dir)
	require.Len(t, before, len(list)+1)
	again, err := Make(goroot, "go1.0", dir)
	require.NoError(t, err)
	require.Equal(t, o, again)
	require.Equal(t, before, state(t, dir))

	// A corrupted file is repaired, and no other file is written.
	corrupted := list[filepath.Join(enginePath(goroot), "fuzz.go")]
	require.NoError(t, os.WriteFile(corrupted, []byte("package"), 0o666))
	_, err = Make(goroot, "go1.0", dir)
	require.NoError(t, err)
	after := state(t, dir)
	rel, err := filepath.Rel(dir, corrupted)
	require.NoError(t, err)
	require.Contains(t, after[rel], "espalierSeeds")
	delete(before, rel)
	delete(after, rel)
	require.Equal(t, before, after)

	// The name of the directory depends on all that the overlay depends on.
	for name, other := range map[string]struct{ goroot, version string }{
		"version": {goroot, "go1.0.1"},
		"goroot":  {copyOf(t, nil), "go1.0"},
		"sources": {copyOf(t,
			map[string]func(string) string{"mem.go": func(s string) string {
				return s + "\n// changed\n"
			}}), "go1.0"},
	} {
		another, err := Make(other.goroot, other.version, dir)
		require.NoError(t, err)
		require.NotEqual(t, o.File, another.File, name)
	}
	require.Equal(t, pristine, state(t, goroot))

	// An installation that has changed.
	require.NoError(t, os.Remove(filepath.Join(enginePath(goroot), "pcg.go")))
	another, err := Make(goroot, "go1.0", dir)
	require.Error(t, err) // it declares godebugSeed
	require.Nil(t, another)
}

func TestMakeTogether(t *testing.T) {
	goroot, dir := copyOf(t, nil), gocmd.TempDir(t)
	var made [8]*Overlay
	var errs [len(made)]error
	var wg sync.WaitGroup
	for i := range made {
		wg.Go(func() { made[i], errs[i] = Make(goroot, "go1.0", dir) })
	}
	wg.Wait()
	for i := range made {
		require.NoError(t, errs[i])
		require.Equal(t, made[0], made[i])
	}
	for name := range state(t, dir) {
		require.NotContains(t, name, safefile.Prefix)
	}
}

func TestMakeNowhere(t *testing.T) {
	_, err := Make(gocmd.TempDir(t), "go1.0", gocmd.TempDir(t))
	require.ErrorContains(t, err, "the Go installation has no sources of its fuzzing engine in ")

	file := filepath.Join(gocmd.TempDir(t), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	_, err = Make(copyOf(t, nil), "go1.0", file)
	require.Error(t, err)
}

// TestCheck: edits that fit may fail to compile.
func TestCheck(t *testing.T) {
	if !long.Enabled() {
		t.Skip("builds a package of the standard library")
	}
	i := replaceable(t, running(t))
	o, err := Make(i.GOROOT, i.GOVERSION, gocmd.TempDir(t))
	require.NoError(t, err)
	worker := filepath.Join(filepath.Dir(o.File), "worker.go")
	b, err := os.ReadFile(worker)
	require.NoError(t, err)
	changed := strings.Replace(string(b), "espalierBegin(ws, mem, vals)", "espalierBegin(ws, vals)", 1)
	require.NotEqual(t, string(b), changed)
	require.NoError(t, os.WriteFile(worker, []byte(changed), 0o666))
	for range 2 { // a failed check is not remembered as a success
		err = o.Check(t.Context())
		require.ErrorContains(t, err, "the fuzzing engine of "+i.GOVERSION+
			" is not one that corpusgen knows: with the overlay it does not compile: ")
		require.ErrorContains(t, err, "espalierBegin")
	}
}
