package exchange

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// Files in a ZIP file have a valid time, which is always the same.
func TestExportZip(t *testing.T) {
	var archive bytes.Buffer
	r := &Exporter{Session: &session.Session{}, zip: zip.NewWriter(&archive)}
	isNew, err := r.write(&session.Target{Name: "FuzzX"}, "value.json", []byte("{}"))
	require.NoError(t, err)
	assert.True(t, isNew)
	require.NoError(t, r.zip.Close())

	read, err := zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
	require.NoError(t, err)
	require.Len(t, read.File, 1)
	assert.Equal(t, "FuzzX/value.json", read.File[0].Name)
	assert.True(t, read.File[0].Modified.Equal(zipTime))
	f, err := read.File[0].Open()
	require.NoError(t, err)
	text, err := io.ReadAll(f)
	require.NoError(t, err)
	assert.Equal(t, "{}", string(text))
}
