package campaign

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/internal/engine"
)

func TestTokens(t *testing.T) {
	dir := t.TempDir()
	code, dict := filepath.Join(dir, "x.go"), filepath.Join(dir, "x.dict")
	require.NoError(t, os.WriteFile(code, []byte(`package x

import (
	"errors"
	"fmt"
)

type T struct {
	A int `+"`json:\"tagged\"`"+`
}

const wanted = "SLEEPING"

var table = map[string]int{"key": 1 << 20, "x": 65537}

func f(s string) error {
	if s == "raw"+`+"`\n`"+` || s[0] == 'a' || s == string('☃') {
		return fmt.Errorf("a message %q", s)
	}
	panic(errors.New("other"))
}
`), 0o666))
	require.NoError(t, os.WriteFile(dict,
		[]byte("# comment\n\nname=\"a\\\"\\\\\\x00\"\nother@2=\"key\"\n  \"b\"\n"), 0o666))

	got := tokens(nil, []string{code, filepath.Join(dir, "none.go")})
	want := engine.Tokens{Texts: []string{"SLEEPING", "key", "raw", "☃"}, Numbers: []uint64{20, 65537}}
	require.Equal(t, want, got)

	texts, err := readDictionary(dict)
	require.NoError(t, err)
	got = tokens(texts, []string{code})
	want.Texts = []string{"SLEEPING", "a\"\\\x00", "b", "key", "raw", "☃"}
	require.Equal(t, want, got)

	t.Setenv(engine.RunDir, dir)
	require.Empty(t, engine.ReadTokens())
	want.Numbers = append(want.Numbers, ^uint64(0))
	require.NoError(t, want.Write(dir))
	require.Equal(t, want, engine.ReadTokens())
}

func TestDictionaryErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.dict")
	for text, want := range map[string]string{
		"x":           `:1: want NAME="TEXT" or "TEXT": x`,
		"\nx=\"":      `:2: want NAME="TEXT" or "TEXT": x="`,
		`x="a`:        `:1: want NAME="TEXT" or "TEXT": x="a`,
		`x="\n"`:      `:1: want \\, \" or \xNN: x="\n"`,
		`x="\x1"`:     `:1: want \\, \" or \xNN: x="\x1"`,
		`x="\xgg"`:    `:1: want two hexadecimal digits after \x: x="\xgg"`,
		`x="a" # "b"`: `:1: a quote within the text must be \": x="a" # "b"`,
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		_, err := readDictionary(path)
		require.EqualError(t, err, path+want, text)
	}
	_, err := readDictionary(path + "x")
	require.ErrorIs(t, err, os.ErrNotExist)
}
