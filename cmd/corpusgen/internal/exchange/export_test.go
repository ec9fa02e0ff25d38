package exchange

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
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
