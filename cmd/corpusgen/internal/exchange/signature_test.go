package exchange

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

const source = `package p

import (
	"testing"

	"example.com/other"
	"github.com/espalier-go/espalier/fuzzext"
	old "github.com/espalier-go/espalier/fuzzext/headers"
)

type alias = string

func named(t *testing.T, b []byte, n int)     {}
func maker() func(*testing.T, rune, float32)  { return nil }
func generic[T any](x T) func(*testing.T, T)  { return nil }
func helper(f *testing.F)                     { f.Fuzz(func(t *testing.T, s string) {}) }

func FuzzLiteral(f *testing.F) {
	f.Add("x", true)
	f.Fuzz(func(t *testing.T, s string, b bool) {})
}
func FuzzGrouped(f *testing.F) { f.Fuzz(func(_ *testing.T, a, b uint16, c []uint8) {}) }
func FuzzNamed(f *testing.F)   { f.Fuzz(named) }
func FuzzMade(f *testing.F)    { f.Fuzz(maker()) }
func FuzzAlias(x *testing.F)   { x.Fuzz(func(t *testing.T, s alias, i int32, u byte) {}) }
func FuzzVariable(f *testing.F) {
	fn := func(t *testing.T, d float64) { f.Log(other.Name) }
	if true {
		f.Fuzz((fn))
	}
}
func FuzzValid(f *testing.F)   { f.Fuzz(fuzzext.Valid(other.Gen[int](), func(*fuzzext.T, int) {})) }
func FuzzFuzz(f *testing.F)    { fuzzext.Fuzz(f, other.Gen[int](), func(*fuzzext.T, int) {}) }
func FuzzHeaders(f *testing.F) { f.Fuzz(old.Valid(other.Gen[int](), func(*fuzzext.T, int) {})) }

func FuzzHelper(f *testing.F)  { helper(f) }
func FuzzOther(f *testing.F)   { f.Fuzz(other.Func) }
func FuzzForeign(f *testing.F) { f.Fuzz(func(t *testing.T, s other.Text) {}) }
func FuzzEmpty(f *testing.F)   {}
`

const external = `package p_test

import "testing"

func FuzzExternal(f *testing.F) { f.Fuzz(func(t *testing.T, i8 int8, i64 int64, u uint, u32 uint32, u64 uint64) {}) }
`

const tagged = `//go:build special

package p

import "testing"

func FuzzTagged(f *testing.F) { f.Fuzz(func(t *testing.T, b []byte) {}) }
`

func TestSignatureOf(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"p_test.go":   source,
		"x_test.go":   external,
		"tag_test.go": tagged,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	bytes := reflect.TypeFor[[]byte]()
	tests := map[string][]reflect.Type{
		"FuzzLiteral":  {reflect.TypeFor[string](), reflect.TypeFor[bool]()},
		"FuzzGrouped":  {reflect.TypeFor[uint16](), reflect.TypeFor[uint16](), bytes},
		"FuzzNamed":    {bytes, reflect.TypeFor[int]()},
		"FuzzMade":     {reflect.TypeFor[rune](), reflect.TypeFor[float32]()},
		"FuzzAlias":    {reflect.TypeFor[string](), reflect.TypeFor[int32](), reflect.TypeFor[byte]()},
		"FuzzVariable": {reflect.TypeFor[float64]()},
		"FuzzValid":    {bytes},
		"FuzzFuzz":     {bytes},
		"FuzzHeaders":  {bytes},
		"FuzzExternal": {reflect.TypeFor[int8](), reflect.TypeFor[int64](), reflect.TypeFor[uint](),
			reflect.TypeFor[uint32](), reflect.TypeFor[uint64]()},
		"FuzzHelper":  nil,
		"FuzzOther":   nil,
		"FuzzForeign": nil,
		"FuzzEmpty":   nil,
		"FuzzAbsent":  nil,
		"FuzzTagged":  nil,
	}
	for target, want := range tests {
		got, ok := signatureOf(dir, target, nil)
		require.Equal(t, want, got, target)
		require.Equal(t, want != nil, ok, target)
	}
	got, ok := signatureOf(dir, "FuzzTagged", []string{"special"})
	require.True(t, ok)
	require.Equal(t, []reflect.Type{bytes}, got)
	_, ok = signatureOf(t.TempDir(), "FuzzX", nil)
	require.False(t, ok)
}
