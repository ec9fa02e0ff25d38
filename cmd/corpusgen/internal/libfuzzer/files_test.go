package libfuzzer

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/require"
)

func TestDictionary(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.go")
	require.NoError(t, os.WriteFile(file, []byte(`package x

import "errors"

const magic = 0xcafe

type T struct{ F int `+"`json:\"tag\"`"+` }

var err = errors.New("message")

func f(s string, n uint64) bool {
	if n == 7 || n == 0x1_0000 || n == magic {
		panic("message")
	}
	return s == "a\"b\\\n" || s == "x" || s == "`+strings.Repeat("long", 9)+`"
}
`), 0o666))
	got, err := Dictionary([]string{file})
	require.NoError(t, err)
	require.Equal(t, Mark+`
"\x00\x00\x01\x00"
"\x00\x01\x00\x00"
"a\"b\\\x0a"
"\xca\xfe"
"\xfe\xca"
`, string(got))

	got, err = Dictionary(nil)
	require.NoError(t, err)
	require.Nil(t, got)
	_, err = Dictionary([]string{filepath.Join(t.TempDir(), "none.go")})
	require.Error(t, err)
}

func TestSeedCorpus(t *testing.T) {
	b, err := SeedCorpus([][]byte{[]byte("abc"), {}, []byte("abc")})
	require.NoError(t, err)
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	require.NoError(t, err)
	require.Equal(t, ZipMark, r.Comment)
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

func TestOptions(t *testing.T) {
	require.Equal(t, Mark+"\n[libfuzzer]\nmax_len = 65536\n", string(Options("", true)))
	require.Equal(t, Mark+"\n[libfuzzer]\ndict = x.dict\n", string(Options("x.dict", false)))
}
