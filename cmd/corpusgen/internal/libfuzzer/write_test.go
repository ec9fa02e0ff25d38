package libfuzzer

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSeedCorpus(t *testing.T) {
	b, err := seedCorpus([][]byte{[]byte("abc"), {}, []byte("abc")})
	require.NoError(t, err)
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	require.NoError(t, err)
	require.Equal(t, zipMark, r.Comment)
	files := map[string]string{}
	for _, f := range r.File {
		in, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(in)
		require.NoError(t, err)
		files[f.Name] = string(text)
	}
	require.Equal(t, map[string]string{
		"a9993e364706816aba3e25717850c26c9cd0d89d": "abc",
		"da39a3ee5e6b4b0d3255bfef95601890afd80709": "",
	}, files)
}
