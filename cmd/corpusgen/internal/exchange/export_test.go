package exchange

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/atomicfile"
	"github.com/espalier-go/espalier/internal/testing/require"
)

// Files in a ZIP file have a valid time, which is always the same.
func TestExportZip(t *testing.T) {
	var archive bytes.Buffer
	r := &Exporter{Session: &session.Session{}, zip: zip.NewWriter(&archive)}
	isNew, err := r.write(&session.Target{Name: "FuzzX"}, "value.json", []byte("{}"))
	require.NoError(t, err)
	require.True(t, isNew)
	require.NoError(t, r.zip.Close())

	read, err := zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
	require.NoError(t, err)
	require.Len(t, read.File, 1)
	require.Equal(t, "FuzzX/value.json", read.File[0].Name)
	require.True(t, read.File[0].Modified.Equal(zipTime))
	f, err := read.File[0].Open()
	require.NoError(t, err)
	text, err := io.ReadAll(f)
	require.NoError(t, err)
	require.Equal(t, "{}", string(text))
}

// An unfinished file is beside the corpus, not in it. What earlier exports have left there goes.
func TestExportUnfinished(t *testing.T) {
	s := &session.Session{Dir: t.TempDir(), Pkgs: make([]gotest.Package, 1)}
	target := &session.Target{Workshop: &session.Workshop{Session: s}, Name: "FuzzX"}
	place := filepath.Join(s.Dir, "FuzzX")
	require.NoError(t, os.Mkdir(place, 0o777))
	var left []string
	for _, dir := range []string{s.Dir, place} {
		path := filepath.Join(dir, atomicfile.Prefix+"ABC234")
		require.NoError(t, os.WriteFile(path, nil, 0o666))
		old := time.Now().Add(-24 * time.Hour)
		require.NoError(t, os.Chtimes(path, old, old))
		left = append(left, path)
	}
	_, err := (&Exporter{Session: s}).write(target, "value", []byte("{}"))
	require.NoError(t, err)
	require.Exists(t, filepath.Join(place, "value"))
	for _, path := range left { // each directory in which one is made is swept first
		require.NotExists(t, path)
	}
}

// Extracting ends soon behind the limit, whatever the archive claims.
func TestExtract(t *testing.T) {
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	w, err := z.Create("zeros")
	require.NoError(t, err)
	_, err = w.Write(make([]byte, 1000))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	read, err := zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
	require.NoError(t, err)
	to := filepath.Join(t.TempDir(), "0")
	n, err := extract(read.File[0], to, 10)
	require.NoError(t, err)
	require.Equal(t, int64(11), n)
	info, err := os.Stat(to)
	require.NoError(t, err)
	require.Equal(t, int64(11), info.Size())
}
