package corpus_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// tree returns the names of the files below root, with their contents.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		found[filepath.ToSlash(rel)] = string(b)
		return err
	}))
	return found
}

func TestWrite(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "testdata", "fuzz", "FuzzX")
	want := map[string]string{}
	for _, v := range values()[:50] {
		path, isNew, err := corpus.Write(dir, v)
		require.NoError(t, err)
		rel := "testdata/fuzz/FuzzX/" + corpus.Name(v)
		require.Equal(t, filepath.Join(root, filepath.FromSlash(rel)), path)
		require.Equal(t, want[rel] == "", isNew)
		want[rel] = string(corpus.Marshal(v))

		_, isNew, err = corpus.Write(dir, v)
		require.NoError(t, err)
		require.False(t, isNew)
	}
	require.Equal(t, want, tree(t, root), "and no temporary file")
}

func TestWriteKeepsWhatIsThere(t *testing.T) {
	v := []byte("v")
	tests := []struct {
		name string
		old  string
		err  string
	}{
		{"same", string(corpus.Marshal(v)), ""},
		{"other line ends", "go test fuzz v1\r\n[]byte(\"v\")\r\n", ""},
		{"other value", string(corpus.Marshal([]byte("w"))), "holds another value"},
		{"corrupt", "go test fu", "is not a corpus file"},
		{"empty", "", "is not a corpus file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			dir := filepath.Join(root, "FuzzX")
			require.NoError(t, os.Mkdir(dir, 0o777))
			require.NoError(t, os.WriteFile(filepath.Join(dir, corpus.Name(v)), []byte(test.old), 0o666))
			path, isNew, err := corpus.Write(dir, v)
			require.False(t, isNew)
			if test.err == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, test.err)
				require.ErrorContains(t, err, path)
			}
			require.Equal(t, map[string]string{"FuzzX/" + corpus.Name(v): test.old}, tree(t, root))
		})
	}
}

// A file that could not be read again is not written.
func TestWriteLarge(t *testing.T) {
	if !long.Enabled() {
		t.Skip("ESPALIER_LONG=1 writes 256 MiB")
	}
	root := t.TempDir()
	_, _, err := corpus.Write(root, make([]byte, corpus.MaxFile/4))
	require.ErrorContains(t, err, "bytes: at most 268435456 are read")
	require.Empty(t, tree(t, root))
}

func TestWriteRelativeDir(t *testing.T) {
	for _, dir := range []string{"FuzzX", "FuzzX/", "./a/FuzzX", "."} {
		t.Run(dir, func(t *testing.T) {
			root := t.TempDir()
			t.Chdir(root)
			path, isNew, err := corpus.Write(dir, []byte("v"))
			require.NoError(t, err)
			require.True(t, isNew)
			require.FileExists(t, path)
			require.Len(t, tree(t, root), 1)
		})
	}
}

func TestWriteError(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "testdata"), nil, 0o666))
	_, isNew, err := corpus.Write(filepath.Join(root, "testdata", "fuzz", "FuzzX"), []byte("v"))
	require.ErrorContains(t, err, "testdata")
	require.False(t, isNew)
}

// If several writers write one value, exactly one of them makes the file.
func TestWriteConcurrently(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "FuzzX")
	const writers = 16
	made := make(chan bool, writers)
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			_, isNew, err := corpus.Write(dir, []byte("v"))
			require.NoError(t, err)
			made <- isNew
		})
	}
	wg.Wait()
	close(made)
	count := 0
	for isNew := range made {
		if isNew {
			count++
		}
	}
	require.Equal(t, 1, count)
	require.Len(t, tree(t, root), 1)
}

func TestRead(t *testing.T) {
	root := t.TempDir()
	for name, file := range map[string]string{
		"0first":      "go test fuzz v1\n[]byte(\"1\")\n",
		"1corrupt":    "go test fuzz v1\n[]byte(\"1",
		"2second":     "go test fuzz v1\r\n[]byte(\"2\")\r\n",
		"3string":     "go test fuzz v1\nstring(\"x\")\n",
		"4sub/5third": "go test fuzz v1\n[]byte(\"3\")\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(file), 0o666))
	}
	entries, err := corpus.Read(root)
	require.Equal(t, []corpus.Entry{{"0first", []byte("1")}, {"2second", []byte("2")}}, entries)
	require.ErrorContains(t, err, filepath.Join(root, "1corrupt")+": malformed value")
	require.ErrorContains(t, err, filepath.Join(root, "3string")+": a value of type string")
	require.NotContains(t, err.Error(), "second")
}

// A link is not an entry, and go test must not follow it. A broken link affects nothing else.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	for to, from := range map[string]string{"nowhere": "broken", "loop": "loop", "good": "link"} {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Skip(err)
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "good"), corpus.Marshal([]byte("v")), 0o666))
	err := corpus.Check(dir)
	require.ErrorContains(t, err, filepath.Join(dir, "link")+
		" is a link: put a copy of the file in its place")
	require.NotContains(t, err.Error(), "does not exist")
	entries, err := corpus.Read(dir)
	require.Equal(t, []corpus.Entry{{"good", []byte("v")}}, entries)
	require.ErrorContains(t, err, filepath.Join(dir, "link")+
		" is a link: put a copy of the file in its place")
	for _, name := range []string{"broken", "loop"} {
		require.ErrorContains(t, err, filepath.Join(dir, name)+" is a link to a file that does not exist")
	}

	// Nor is it an entry that is there already.
	require.NoError(t, os.Symlink("nowhere", filepath.Join(dir, corpus.Name([]byte("w")))))
	_, _, err = corpus.Write(dir, []byte("w"))
	require.ErrorContains(t, err, "is a link to a file")
}

func TestReadMissing(t *testing.T) {
	entries, err := corpus.Read(filepath.Join(t.TempDir(), "none"))
	require.NoError(t, err)
	require.Empty(t, entries)
}
