package corpus_test

import (
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/stretchr/testify/require"
)

const header = "go test fuzz v1\n"

// files are corpus files, and how a target that takes one []byte reads them.
var files = []struct {
	name string
	file string
	want string
	err  string // part of the error, or empty
}{
	{name: "plain", file: header + "[]byte(\"abc\")\n", want: "abc"},
	{name: "empty value", file: header + "[]byte(\"\")\n", want: ""},
	{name: "no last newline", file: header + "[]byte(\"abc\")", want: "abc"},
	{name: "escapes", file: header + `[]byte("\x00\xff\n\u00e9\"")` + "\n", want: "\x00\xff\né\""},
	{name: "raw string", file: header + "[]byte(`a\\n`)\n", want: `a\n`},
	{name: "carriage returns", file: "go test fuzz v1\r\n[]byte(\"abc\")\r\n", want: "abc"},
	{name: "blank lines and space", file: header + "\n \t\n  []byte( \"abc\" )\t\n\n", want: "abc"},
	{name: "comment", file: header + "[]byte(\"abc\") // three letters\n", want: "abc"},
	{name: "trailing comma", file: header + "[]byte(\"abc\",)\n", want: "abc"},

	{name: "empty", file: "", err: "file is empty"},
	{name: "other version", file: "go test fuzz v2\n[]byte(\"abc\")\n",
		err: `unknown header "go test fuzz v2": want "go test fuzz v1"`},
	{name: "space after version", file: "go test fuzz v1 \n[]byte(\"abc\")\n", err: "unknown header"},
	{name: "no header", file: "[]byte(\"abc\")\n", err: "unknown header"},
	{name: "some other file", file: "\x00\x01\x02", err: "unknown header"},
	{name: "header only", file: "go test fuzz v1", err: "no value after the header"},
	{name: "no value", file: header + "\n\n", err: "no value after the header"},
	{name: "two values", file: header + "[]byte(\"a\")\n[]byte(\"b\")\n",
		err: "2 values: the target takes one []byte"},
	{name: "string", file: header + "string(\"x\")\n",
		err: "a value of type string: the target takes one []byte"},
	{name: "int", file: header + "int(1)\n", err: "a value of type int: the target takes one []byte"},
	{name: "uint8 slice", file: header + "[]uint8(\"x\")\n", err: "malformed value"},
	{name: "array", file: header + "[1]byte(\"x\")\n", err: "malformed value"},
	{name: "parenthesized type", file: header + "([]byte)(\"x\")\n", err: "malformed value"},
	{name: "bare literal", file: header + "\"x\"\n", err: "want TYPE(LITERAL)"},
	{name: "no argument", file: header + "[]byte()\n", err: "want TYPE(LITERAL)"},
	{name: "composite", file: header + "[]byte{1, 2}\n", err: "want TYPE(LITERAL)"},
	{name: "number", file: header + "[]byte(1)\n", err: "malformed value"},
	{name: "rune", file: header + "[]byte('x')\n", err: "malformed value"},
	{name: "sum", file: header + "[]byte(\"x\"+\"y\")\n", err: "want a literal"},
	{name: "cut short", file: header + "[]byte(\"ab", err: "malformed value"},
	{name: "comment line", file: header + "// nothing\n[]byte(\"x\")\n", err: "malformed value"},
}

func TestUnmarshal(t *testing.T) {
	for _, test := range files {
		t.Run(test.name, func(t *testing.T) {
			got, err := corpus.Unmarshal([]byte(test.file))
			if test.err != "" {
				require.ErrorContains(t, err, test.err)
				require.Nil(t, got)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.want, string(got))
		})
	}
}

func TestUnmarshalErrorIsShort(t *testing.T) {
	long := make([]byte, 1<<16)
	for _, file := range [][]byte{long, append([]byte(header+"int("), long...)} {
		_, err := corpus.Unmarshal(file)
		require.Error(t, err)
		require.Less(t, len(err.Error()), 1000)
	}
}

// values are values that Marshal must keep: every byte, alone and with others.
func values() [][]byte {
	all := make([]byte, 256)
	vs := [][]byte{{}, []byte("plain"), []byte("\"`\\"), []byte("\u2028é\ufeff"), all}
	for i := range all {
		all[i] = byte(i)
		vs = append(vs, []byte{byte(i)})
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		b := make([]byte, rnd.IntN(100))
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		vs = append(vs, b)
	}
	return vs
}

func TestRoundTrip(t *testing.T) {
	for _, v := range values() {
		got, err := corpus.Unmarshal(corpus.Marshal(v))
		require.NoError(t, err, "%q", v)
		require.Equal(t, v, got)
	}
}

// The name and the content of a file that go test -fuzz wrote.
func TestGolden(t *testing.T) {
	v := []byte("0\xff\n\"é\x00W")
	require.Equal(t, `go test fuzz v1
[]byte("0\xff\n\"é\x00W")
`, string(corpus.Marshal(v)))
	require.Equal(t, "e815c3930885e224", corpus.Name(v))
}

func FuzzUnmarshal(f *testing.F) {
	for _, test := range files {
		f.Add([]byte(test.file))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		v, err := corpus.Unmarshal(file)
		if err != nil {
			return
		}
		again, err := corpus.Unmarshal(corpus.Marshal(v))
		require.NoError(t, err)
		require.Equal(t, v, again)
	})
}
