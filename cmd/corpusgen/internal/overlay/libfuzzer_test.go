package overlay

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/gocmd"
	"github.com/stretchr/testify/require"
)

// TestLibFuzzer: all edits for libFuzzer fit the supported releases of Go. The scripts of
// corpusgen build with them.
func TestLibFuzzer(t *testing.T) {
	toolchains, err := gocmd.Toolchains()
	require.NoError(t, err)
	for _, tc := range toolchains {
		o, err := MakeLibFuzzer(tc.GOROOT, tc.GOVERSION, gocmd.TempDir(t))
		require.NoError(t, err, tc.GOVERSION)
		require.Empty(t, o.Missing, tc.GOVERSION)
		replaced := readList(t, o.File)
		for name, want := range map[string]string{
			"internal/fuzz/worker.go":             "espalierServe(fn)",
			"internal/fuzz/fuzz.go":               "espalierSeeds(opts)",
			"internal/fuzz/espalier_libfuzzer.go": "func espalierStart(",
			"internal/fuzz/espalier_arguments.go": "func ReadArguments(",
			"testing/fuzz.go":                     "espalierTypes = types",
			"testing/espalier.go":                 "package testing",
			"runtime/libfuzzer.go":                "f := espalierNumber; f != nil",
		} {
			text, err := os.ReadFile(replaced[filepath.Join(tc.GOROOT, "src", filepath.FromSlash(name))])
			require.NoError(t, err, name)
			require.Contains(t, string(text), want, name)
		}
	}
}

// TestLibFuzzerMissing: without comparisons, the rest is made; without the place for the fuzz
// function, nothing is.
func TestLibFuzzerMissing(t *testing.T) {
	sources, err := readSources(running(t).GOROOT)
	require.NoError(t, err)
	for _, name := range libFuzzer.others {
		sources[name], err = os.ReadFile(sourcePath(running(t).GOROOT, name))
		require.NoError(t, err)
	}
	o, err := libFuzzer.edit("go1.99",
		mutilation{"runtime/libfuzzer.go", "func libfuzzerTraceCmp4(",
			"func libfuzzerTraceCmpX("}.apply(t, sources))
	require.NoError(t, err)
	require.True(t, o.Lacks("comparisons"))
	require.Contains(t, o.Missing[0], "runtime/libfuzzer.go has no functions libfuzzerTraceCmp1 to 8")
	require.NotContains(t, o.files, "runtime/libfuzzer.go")
	require.Contains(t, string(o.files["worker.go"]), "espalierServe(fn)")

	_, err = libFuzzer.edit("go1.99",
		mutilation{"testing/fuzz.go", "types = append(types, t)",
			"types = slices.Concat(types, []reflect.Type{t})"}.apply(t, sources))
	require.ErrorContains(t, err, "testing/fuzz.go has no assignment to types in (*F).Fuzz")
}
