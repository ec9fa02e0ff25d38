package finding

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// module returns the root of a module that has a few files.
func module(t *testing.T) string {
	root := t.TempDir()
	for _, name := range []string{"tree/tree.go", "tree/tree_test.go", "heap/heap.go", "a/twice.go",
		"b/twice.go", "vendor/x/once.go", ".git/once.go", "once/once.go"} {
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
			Target: "FuzzInsert", Package: "example.com/tree", Dir: filepath.Join(root, "tree"),
			Place:   "tree_test.go:7",
			Message: "tree_test.go:7: 100% lost: a, b\nindeed", Value: "&Tree{\n\tX: 1,\n}",
			File:  "tree/testdata/fuzz/FuzzInsert/0123456789abcdef",
			Rerun: "go test -run '^FuzzInsert$/^0123456789abcdef$' example.com/tree",
		},
		{Target: "FuzzGone", Package: "example.com/tree", Dir: filepath.Join(root, "tree"),
			Message: "exit status 2"},
	}
}

func TestAnnotation(t *testing.T) {
	l := List{root: module(t)}
	all := findings(l.root)
	require.Equal(t, "::error file=tree/tree_test.go,line=7,title=FuzzInsert fails::FuzzInsert "+
		"fails: tree_test.go:7: 100%25 lost: a, b%0Aindeed"+
		"%0Aminimal failing value: &Tree{%0A\tX: 1,%0A}%0Asaved as: "+
		"tree/testdata/fuzz/FuzzInsert/0123456789abcdef"+
		"%0Ato run it again: go test -run '^FuzzInsert$/^0123456789abcdef$' example.com/tree\n",
		l.annotation(all[0]))
	require.Equal(t, "::error title=FuzzGone fails::FuzzGone fails: exit status 2\n",
		l.annotation(all[1]))
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

// The job summary has each failure with its line in the repository and its command. Nothing in them
// is Markdown.
func TestMarkdown(t *testing.T) {
	root := module(t)
	l := List{
		root:    filepath.Join(root, "tree"),
		Command: "fuzz",
		Table:   [][]string{{"target", "failures"}, {"a|b_c", "1"}},
		Legend:  "Counts <failures>.",
	}
	env := map[string]string{
		"GITHUB_WORKSPACE":  root,
		"GITHUB_SERVER_URL": "https://git.example",
		"GITHUB_REPOSITORY": "o/r",
		"GITHUB_SHA":        "abc",
	}
	l.findings = findings(root)
	l.findings[1].Message = "say ``` or\n````\n"
	require.Equal(t, `### corpusgen fuzz: 2 failures

| target | failures |
| --- | --- |
| a\|b\_c | 1 |

Counts \<failures\>.

#### FuzzInsert fails at tree\_test.go:7 ([source](<https://git.example/o/r/blob/abc/tree/tree_test.go#L7>))

!!!
tree_test.go:7: 100% lost: a, b
indeed
!!!

Minimal failing value:

!!!go
&Tree{
	X: 1,
}
!!!

To run it again:

!!!sh
go test -run '^FuzzInsert$/^0123456789abcdef$' example.com/tree
!!!

#### FuzzGone fails

!!!!!
say !!! or
!!!!
!!!!!

`, strings.ReplaceAll(l.markdown(func(name string) string { return env[name] }), "`", "!"))
	for range maxShown {
		l.findings = append(l.findings, Finding{
			Target:  "FuzzGone",
			Message: strings.Repeat("x", 2*maxText),
		})
	}
	got := l.markdown(func(string) string { return "" })
	require.Contains(t, got, "\nAnd 2 more failures.\n")
	require.Less(t, len(got), maxShown*(maxText+100)+1000)
	require.Contains(t, got, "fails at tree\\_test.go:7\n")
}

// Steps of a job append to one summary.
func TestWriteJob(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary")
	t.Setenv("GITHUB_STEP_SUMMARY", path)
	l := List{Command: "mutate -check"}
	require.NoError(t, l.Write())
	l.Command = "fuzz"
	require.NoError(t, l.Write())
	require.NoError(t, (&List{}).Write())
	l.Idle = "nothing was fuzzed"
	require.NoError(t, l.Write())
	l.findings = []Finding{{Target: "FuzzX", Message: "no"}}
	require.NoError(t, l.Write())
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "### corpusgen mutate -check: 0 failures\n\n\n"+
		"### corpusgen fuzz: 0 failures\n\n\n"+
		"### corpusgen fuzz: nothing was fuzzed\n\n\n"+
		"### corpusgen fuzz: 1 failure\n\n\n#### FuzzX fails\n\n```\nno\n```\n\n", string(got))
}
