package headers_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	fuzz "github.com/AdaLogics/go-fuzz-headers"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/testing/gocmd"
	"github.com/stretchr/testify/require"
)

func TestScripts(t *testing.T) { testscript.Run(t, gocmd.ScriptParams(t)) }

// Inputs become the values that the library's own functions make.
func TestDecoder(t *testing.T) {
	type server struct {
		Name  string
		Ports []uint16
		On    bool
		Load  map[string]float64
	}
	decode := values.LookupDecoder("headers", "")
	require.NotNil(t, decode)
	r := rand.New(rand.NewPCG(1, 0))
	made := 0
	for range 300 {
		input := make([]byte, r.IntN(4000))
		for i := range input {
			if r.IntN(5) == 0 { // lengths are four bytes
				input[i] = byte(r.IntN(6))
			}
		}
		var want, got struct {
			S server
			N int
			B [3]byte
		}
		failed := fuzz.NewConsumer(input).GenerateStruct(&want)
		err := decode(input, &got)
		require.Equal(t, failed == nil, err == nil, err)
		if err == nil {
			made++
			require.Equal(t, fmt.Sprintf("%#v", want.S.Ports), fmt.Sprintf("%#v", got.S.Ports))
			require.Equal(t, want.S.Name, got.S.Name)
			require.Equal(t, want.N, got.N)
			_, err := bigen.Choices(bigen.For[[]uint16](), got.S.Ports)
			require.NoError(t, err)
		}
	}
	require.NotZero(t, made)

	var n uint64
	require.NoError(t, decode([]byte{1, 2, 3, 4, 5, 6, 7, 8, 1}, &n))
	require.Equal(t, uint64(0x0102030405060708), n)
	var b []byte
	require.NoError(t, decode([]byte{0, 0, 0, 2, 'a', 'b', 'c'}, &b))
	require.Equal(t, "ab", string(b))
	var runes []rune
	require.NoError(t, decode([]byte{0, 0, 0, 1, 'a'}, &runes))
	require.Equal(t, []rune("a"), runes)
	require.ErrorContains(t, decode(nil, &n), "go-fuzz-headers does not decode it: ")
	var s struct{ Keys map[[2]any]int }
	require.NoError(t, decode([]byte{1, 5}, &s))
}

// The library's own panics are errors.
func TestDecoderPanic(t *testing.T) {
	err := values.LookupDecoder("headers", "")(nil, 5)
	require.ErrorContains(t, err, "go-fuzz-headers panics: ")
}

// Only who imports this package links the library.
func TestOutOfTheWay(t *testing.T) {
	for _, dir := range []string{"..", filepath.Join("..", "internal", "values")} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, f := range files {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			require.NotContains(t, string(text), `"github.com/AdaLogics`, f)
		}
	}
}
