package corpus_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// argTypes are the types that testing.F supports.
var argTypes = []reflect.Type{
	reflect.TypeFor[[]byte](), reflect.TypeFor[string](), reflect.TypeFor[bool](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](),
	reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](),
	reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
}

// randomArgs returns an argument of each type. Some floats are infinities and NaNs of all kinds.
func randomArgs(r *rand.Rand) []any {
	args := make([]any, len(argTypes))
	for i, typ := range argTypes {
		b := make([]byte, 8)
		for j := range b {
			b[j] = [...]byte{0, 0xff, 0x7f, byte(r.Uint32())}[r.IntN(4)]
		}
		args[i] = engine.ReadArguments(b, []reflect.Type{typ})[0]
	}
	return args
}

func TestArgs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range long.Count(100, 50000) {
		args := randomArgs(r)
		got, err := corpus.UnmarshalArgs(corpus.MarshalArgs(args))
		require.NoError(t, err)
		require.Equal(t, engine.ArgumentTypes(args), engine.ArgumentTypes(got))
		require.Equal(t, engine.AppendArguments(nil, args), engine.AppendArguments(nil, got), "%s",
			corpus.MarshalArgs(args))
	}
}

func TestUnmarshalArgs(t *testing.T) {
	tests := []struct {
		file string
		want []any
		err  string
	}{
		{"string(\"a\")\nint(-1)\n", []any{"a", -1}, ""},
		{"bool(true)\r\nbool(false)\r\n", []any{true, false}, ""},
		{"byte('\\xff')\nbyte(0x10)\nuint8(255)", []any{byte(255), byte(16), byte(255)}, ""},
		{"rune('é')\nrune(-1)\nint32(7)", []any{'é', rune(-1), int32(7)}, ""},
		{"float32(+Inf)\nfloat64(-Inf)\nfloat64(1)\nfloat64(-0)",
			[]any{float32(math.Inf(1)), math.Inf(-1), 1.0, math.Copysign(0, -1)}, ""},

		{"", nil, "no value after the header"},
		{"int(1.5)", nil, "int is not a floating-point type"},
		{"int8(128)", nil, "value out of range"},
		{"byte('é')x", nil, "malformed value"},
		{"byte('世')", nil, "the character is not a byte"},
		{"complex128(1)", nil, "complex128 is not an integer type that testing.F supports"},
		{"complex128(1.5)", nil, "complex128 is not a floating-point type"},
		{"string(1)", nil, "string is not an integer type"},
		{"int(x)", nil, "want a literal"},
		{"string(-\"a\")", nil, "want a literal"},
		{"int(1, 2)", nil, "want TYPE(LITERAL)"},
		{"[]int(1)", nil, "? is not an integer type"},
	}
	for _, test := range tests {
		got, err := corpus.UnmarshalArgs([]byte(header + test.file))
		if test.err != "" {
			require.ErrorContains(t, err, test.err, test.file)
			continue
		}
		require.NoError(t, err, test.file)
		require.Equal(t, test.want, got)
	}
	for file, want := range map[string]string{
		"":                        "file is empty",
		"go test fuzz v2\nint(1)": "unknown header",
		"go test fuzz v1":         "no value",
	} {
		_, err := corpus.UnmarshalArgs([]byte(file))
		require.ErrorContains(t, err, want)
	}
}

// echoAll is a fuzz target that prints what the engine reads, in an order of its own.
const echoAll = `package echo

import (
	"fmt"
	"math"
	"testing"
)

func FuzzEcho(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, s string, o bool, f4 float32, f8 float64, i int, i1 int8, i2 int16, i4 int32, i8 int64, u uint, u1 uint8, u2 uint16, u4 uint32, u8 uint64) {
		fmt.Println("<", b, []byte(s), o, math.Float32bits(f4), math.Float64bits(f8), i, i1, i2, i4, i8, u, u1, u2, u4, u8, ">")
	})
}
`

// The engine reads the arguments that are written.
func TestEngineReadsArgs(t *testing.T) {
	if !long.Enabled() {
		t.Skip("builds a test binary")
	}
	run := echoing(t, echoAll)
	r := rand.New(rand.NewPCG(3, 4))
	wd := t.TempDir()
	var want []string
	for range 100 {
		a := randomArgs(r)
		_, _, err := corpus.WriteArgs(filepath.Join(wd, "testdata", "fuzz", "FuzzEcho"), a)
		require.NoError(t, err)
		want = append(want,
			fmt.Sprintln("<", a[0], []byte(a[1].(string)), a[2], math.Float32bits(a[3].(float32)),
				math.Float64bits(a[4].(float64)),
				a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], ">"))
	}
	out, err := run(wd)
	require.NoError(t, err, out)
	for _, line := range want {
		require.Contains(t, out, line)
	}
}

// If a file with the same name holds other arguments, it stays.
func TestWriteArgsKeepsWhatIsThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "FuzzX")
	args := []any{"a", 1}
	path, isNew, err := corpus.WriteArgs(dir, args)
	require.NoError(t, err)
	require.True(t, isNew)
	_, isNew, err = corpus.WriteArgs(dir, args)
	require.NoError(t, err)
	require.False(t, isNew)
	require.NoError(t, os.WriteFile(path, corpus.MarshalArgs([]any{"b", 1}), 0o666))
	_, _, err = corpus.WriteArgs(dir, args)
	require.ErrorContains(t, err, "holds another value")
}
