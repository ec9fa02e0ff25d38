package gotest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A test and a fuzz target of one file run the same property if they pass on the same expressions,
// and do nothing else but add seeds.
func TestSame(t *testing.T) {
	const head = "package p\nimport \"github.com/espalier-go/espalier/fuzzext\"\n"
	for text, want := range map[string]string{
		`func FuzzX(f *testing.F) { f.Fuzz(fuzzext.Valid(gen(0, 9), prop)) }
		func TestX(t *testing.T) { fuzzext.Check(t, gen(0,  9), prop) }`: "FuzzX",
		`func FuzzOther(f *testing.F) { fuzzext.Fuzz(f, g, func(t *fuzzext.T, v int) { t.Log(v) }) }
		func TestX(t *testing.T) { t.Parallel(); fuzzext.Check(t, g, func(t *fuzzext.T, v int) {
			t.Log(v)
		}) }`: "",
		`func FuzzX(f *testing.F) { fuzzext.Fuzz(f, g, func(t *fuzzext.T, v int) { t.Log(v) }) }
		func TestX(t *testing.T) { t.Parallel(); fuzzext.Check(t, g, func(t *fuzzext.T, v int) { t.Log(v) }) }`: "FuzzX",
		`func FuzzX(f *testing.F) { fuzzext.Add(f, g, 1); f.Add([]byte("x")); f.Fuzz(fuzzext.Valid(g, prop)) }
		func TestX(t *testing.T) { fuzzext.Check(t, g, prop) }`: "FuzzX",
		`func FuzzX(f *testing.F) { f.Fuzz(fuzzext.Valid(g, prop)) }
		func TestX(t *testing.T) { fuzzext.Check(t, g, other) }`: "",
		`func FuzzX(f *testing.F) { fuzzext.Sequence(f, model) }
		func TestX(t *testing.T) { fuzzext.Sequence(t, model) }`: "FuzzX",
		`func FuzzX(f *testing.F) { fuzzext.Sequence(f, model) }
		func TestX(t *testing.T) { fuzzext.Sequence(t, model, fuzzext.Bubble()) }`: "",
		`func FuzzX(f *testing.F) { f.Fuzz(fuzzext.Valid(g, prop)) }
		func TestX(t *testing.T) { fuzzext.Check(t, g, prop, fuzzext.Bubble()) }`: "",
		`func FuzzX(f *testing.F) { f.Fuzz(fuzzext.Valid(g, prop)) }
		func TestX(t *testing.T) { setUp(); fuzzext.Check(t, g, prop) }`: "",
		`func FuzzX(f *testing.F) { g := other; f.Fuzz(fuzzext.Valid(g, prop)) }
		func TestX(t *testing.T) { fuzzext.Check(t, g, prop) }`: "",
		`func FuzzX(f *testing.F) { f.Fuzz(plain(g, prop)) }
		func TestX(t *testing.T) { fuzzext.Check(t, g, prop) }`: "",
		`func FuzzX(f *testing.F) { f.Fuzz(quick.Valid(g, prop)) }
		func TestX(t *testing.T) { quick.Check(t, g, prop) }`: "",
		`func FuzzX(f *testing.F) {}
		func TestX(t *testing.T) {}`: "",
	} {
		path := filepath.Join(t.TempDir(), "x_test.go")
		require.NoError(t, os.WriteFile(path, []byte(head+text), 0o666))
		var pkg Package
		pkg.readTests([]string{path})
		require.NoError(t, pkg.Err)
		require.Len(t, pkg.Checks, 1)
		require.Equal(t, want, pkg.Checks[0].Same, text)
	}
}
