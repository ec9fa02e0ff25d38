package overlay

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/atomicfile"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/internal/testing/require"
	"github.com/espalier-go/espalier/internal/testing/tempdir"
)

func TestWrite(t *testing.T) {
	goroot := copyOf(t, nil)
	o, err := Make(goroot, "go1.0", tempdir.New(t))
	require.NoError(t, err)

	dir := filepath.Join(tempdir.New(t), "new", "dir")
	file, err := o.Write(dir)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "overlay.json"), file)
	replaced := readList(t, file)
	require.Len(t, replaced, len(readList(t, o.File)))
	for from, to := range replaced {
		require.Equal(t, dir, filepath.Dir(to))
		got, err := os.ReadFile(to)
		require.NoError(t, err)
		require.Equal(t, string(o.files[filepath.Base(from)]), string(got))
	}

	// A second call writes nothing.
	before := state(t, dir)
	require.Len(t, before, len(replaced)+2)
	_, err = o.Write(dir)
	require.NoError(t, err)
	require.Equal(t, before, state(t, dir))

	// Another overlay replaces it completely.
	other, err := Make(copyOf(t, map[string]func(string) string{"trace.go": func(s string) string {
		return strings.ReplaceAll(s, "fakePC uint", "fakePC uintptr")
	}}), "go1.0", tempdir.New(t))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, atomicfile.Prefix+"x"), []byte("half"), 0o666))
	_, err = other.Write(dir)
	require.NoError(t, err)
	after := state(t, dir)
	require.Len(t, after, len(before)-1)
	require.NotContains(t, after, "trace.go")
	require.NotContains(t, after[sums], " trace.go")
	require.Equal(t, len(after), strings.Count(after[sums], "\n"))
	require.NotContains(t, after["overlay.json"], goroot)

	// The directory may exist if it is empty.
	_, err = o.Write(tempdir.New(t))
	require.NoError(t, err)
}

// TestWriteNothing: Write changes no directory that is not as Write has left it.
func TestWriteNothing(t *testing.T) {
	goroot := copyOf(t, nil)
	o, err := Make(goroot, "go1.0", tempdir.New(t))
	require.NoError(t, err)
	empty := tempdir.New(t)
	for name, test := range map[string]struct {
		dir  func(t *testing.T) string
		path string
		want string
	}{
		"a foreign file":       {written1(o), "notes.txt", "notes.txt"},
		"a hidden one":         {written1(o), ".git", ".git"},
		"a changed one":        {written1(o), "worker.go", "worker.go"},
		"a changed list":       {written1(o), "SHA256SUMS", "SHA256SUMS"},
		"a changed JSON":       {written1(o), "overlay.json", "overlay.json"},
		"a directory":          {written1(o), filepath.Join("sub", "x"), "sub"},
		"sources of the user":  {func(t *testing.T) string { return tempdir.New(t) }, "worker.go", "worker.go"},
		"other sums":           {func(t *testing.T) string { return tempdir.New(t) }, "SHA256SUMS", "SHA256SUMS"},
		"the Go installation":  {func(*testing.T) string { return enginePath(goroot) }, "", "counters_supported.go"},
		"the overlay's origin": {func(*testing.T) string { return filepath.Dir(o.File) }, "", "espalier_arguments.go"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := test.dir(t)
			if test.path != "" {
				path := filepath.Join(dir, test.path)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
				require.NoError(t, os.WriteFile(path, []byte("mine"), 0o666))
			}
			before := state(t, dir)
			_, err := o.Write(dir)
			require.ErrorContains(t, err, dir+" holds "+test.want+", which corpusgen has not written, or which has been changed since: ")
			require.Equal(t, before, state(t, dir))
		})
	}
	file := filepath.Join(empty, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	_, err = o.Write(file)
	require.ErrorContains(t, err, file)
}

// written1 returns a function that writes o into a new directory.
func written1(o *Overlay) func(t *testing.T) string {
	return func(t *testing.T) string {
		dir := tempdir.New(t)
		_, err := o.Write(dir)
		require.NoError(t, err)
		return dir
	}
}

// TestWriteStopped: wherever a Write stops, the next one succeeds.
func TestWriteStopped(t *testing.T) {
	first, err := Make(copyOf(t, nil), "go1.0", tempdir.New(t))
	require.NoError(t, err)
	second, err := Make(copyOf(t, map[string]func(string) string{
		"fuzz.go":  func(s string) string { return s + "\n// changed\n" },
		"trace.go": func(s string) string { return strings.ReplaceAll(s, "fakePC uint", "fakePC uintptr") },
	}), "go1.0", tempdir.New(t))
	require.NoError(t, err)

	fresh := tempdir.New(t)
	_, err = second.Write(fresh)
	require.NoError(t, err)
	files, err := second.in(fresh)
	require.NoError(t, err)
	step := 1
	if !long.Enabled() {
		step = 3
	}
	for stop := 0; stop <= len(files); stop += step {
		dir := tempdir.New(t)
		_, err := first.Write(dir)
		require.NoError(t, err)
		// The same steps as in Write, up to some file.
		old, err := written(dir)
		require.NoError(t, err)
		files, err := second.in(dir)
		require.NoError(t, err)
		for name, b := range files {
			old[sumLine(name, b)] = true
		}
		require.NoError(t, writeFile(dir, sums, sumsOf(old)))
		n := 0
		for name, b := range files {
			if n++; n > stop {
				break
			}
			require.NoError(t, writeFile(dir, name, b))
		}
		_, err = second.Write(dir)
		require.NoError(t, err)
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, entries, len(files)+1)
	}
}
