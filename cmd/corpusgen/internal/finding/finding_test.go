package finding

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/require"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// module returns the root of a module that has a few files.
func module(t *testing.T) string {
	root := t.TempDir()
	for _, name := range []string{"tree/tree.go", "tree/tree_test.go", "heap/heap.go", "a/twice.go", "b/twice.go", "vendor/x/once.go", ".git/once.go", "once/once.go"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		text := "package p\n"
		if name == "tree/tree_test.go" {
			text += "\nfunc helper() {}\n\nfunc FuzzInsert(f *testing.F) {}\n"
		}
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return root
}

func TestLocation(t *testing.T) {
	root := module(t)
	declared := Location{"tree/tree_test.go", 5}
	tests := []struct {
		name, place string
		want        Location
	}{
		{"in the package", "tree.go:12", Location{"tree/tree.go", 12}},
		{"a panic", "panic at tree_test.go:7", Location{"tree/tree_test.go", 7}},
		{"in another package", "heap.go:3", Location{"heap/heap.go", 3}},
		{"vendored files do not count", "once.go:4", Location{"once/once.go", 4}},
		{"ambiguous", "twice.go:3", declared},
		{"no such file", "gone.go:3", declared},
		{"a death", "fuzzing process hung or terminated unexpectedly", declared},
		{"unknown", "", declared},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := Finding{Target: "FuzzInsert", Dir: filepath.Join(root, "tree"), Place: test.place}
			require.Equal(t, test.want, f.Location(root))
		})
	}
	other := Finding{Target: "FuzzGone", Dir: filepath.Join(root, "tree")}
	require.Equal(t, Location{}, other.Location(root))
}

func findings(root string) []Finding {
	return []Finding{
		{
			Target: "FuzzInsert", Package: "example.com/tree", Dir: filepath.Join(root, "tree"), Place: "tree_test.go:7",
			Message: "tree_test.go:7: 100% lost: a, b\nindeed", Value: "&Tree{\n\tX: 1,\n}",
			File: "tree/testdata/fuzz/FuzzInsert/0123456789abcdef", Rerun: "go test -run '^FuzzInsert$/^0123456789abcdef$' example.com/tree",
		},
		{Target: "FuzzGone", Package: "example.com/tree", Dir: filepath.Join(root, "tree"), Message: "exit status 2"},
	}
}

func TestAnnotation(t *testing.T) {
	l := List{root: module(t)}
	all := findings(l.root)
	require.Equal(t, "::error file=tree/tree_test.go,line=7,title=FuzzInsert fails::FuzzInsert fails: tree_test.go:7: 100%25 lost: a, b%0Aindeed"+
		"%0Aminimal failing value: &Tree{%0A\tX: 1,%0A}%0Asaved as: tree/testdata/fuzz/FuzzInsert/0123456789abcdef"+
		"%0Ato run it again: go test -run '^FuzzInsert$/^0123456789abcdef$' example.com/tree\n", l.annotation(all[0]))
	require.Equal(t, "::error title=FuzzGone fails::FuzzGone fails: exit status 2\n", l.annotation(all[1]))
}

func TestWriteSARIF(t *testing.T) {
	l := List{root: module(t)}
	path := filepath.Join(t.TempDir(), "findings.sarif")
	l.Sarif = path
	require.NoError(t, l.Write())
	empty, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(empty), `"results": []`)
	l.findings = findings(l.root)
	require.NoError(t, l.Write())
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	golden := filepath.Join("testdata", "findings.sarif")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(golden, got, 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
	l.Sarif = filepath.Join(l.root, "tree", "tree.go", "no.sarif")
	require.Error(t, l.Write())
}
