package corpora

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/stretchr/testify/require"
)

const source = "package p\n\nfunc FuzzX(f *testing.F) {\n\tf.Fuzz(fuzzext.Valid(gen, prop))\n}\n"

// edited returns an edit of a file with the source, for entries with the seeds.
func edited(t *testing.T, seeds ...string) *edit {
	file := filepath.Join(t.TempDir(), "x_test.go")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o666))
	target := &session.Target{
		Workshop: &session.Workshop{Package: gotest.Package{Path: "p"}},
		Name:     "FuzzX",
	}
	var entries []session.FileEntry
	for _, seed := range seeds {
		entries = append(entries, session.FileEntry{
			Target: target,
			Entry:  job.Entry{Code: &job.Code{Seed: seed, File: file, Line: 4}},
		})
	}
	edits := editsOf(entries)
	require.Len(t, edits, 1)
	return edits[0]
}

// Two entries of the same value make one line.
func TestPromoteTwice(t *testing.T) {
	changed, added, err := edited(t, "fuzzext.Add(f, gen, 1)", "fuzzext.Add(f, gen, 1)",
		"fuzzext.Add(f, gen, 2)").insert([]byte(source))
	require.NoError(t, err)
	require.Len(t, added, 2)
	require.Equal(t, 1, strings.Count(string(changed), "fuzzext.Add(f, gen, 1)\n"))
	require.Equal(t, 1, strings.Count(string(changed), "fuzzext.Add(f, gen, 2)\n"))
}

// Several lines in a function of one line make no empty ones.
func TestPromoteOneLine(t *testing.T) {
	const src = "package p\n\n\nfunc FuzzX(f *testing.F) {f.Fuzz(1) }\n"
	changed, _, err := edited(t, "fuzzext.Add(f, gen, 1)", "fuzzext.Add(f, gen, 2)").insert([]byte(src))
	require.NoError(t, err)
	require.Equal(t, "package p\n\n\nfunc FuzzX(f *testing.F) {\n\tfuzzext.Add(f, gen, 1)\n"+
		"\tfuzzext.Add(f, gen, 2)\n\tf.Fuzz(1) }\n", string(changed))
}

// What somebody writes into the file while it is compiled stays.
func TestPromoteKeepsChanges(t *testing.T) {
	x := edited(t, "fuzzext.Add(f, gen, 1)")
	run := gotest.Run
	defer func() { gotest.Run = run }()
	gotest.Run = func(*exec.Cmd, func()) error {
		return os.WriteFile(x.file, []byte("package other\n"), 0o666)
	}
	s := &session.Session{
		Flags:  &gotest.Flags{Own: session.NewFlagSet("promote")},
		Output: session.NewOutput(false),
		Tmp:    &rundir.Dir{Path: t.TempDir()},
	}
	require.ErrorContains(t, x.run(t.Context(), s),
		"x_test.go stays: another process has changed it: run promote again")
	b, err := os.ReadFile(x.file)
	require.NoError(t, err)
	require.Equal(t, "package other\n", string(b))
}

// Of a file that is not formatted, only what is inserted changes.
func TestPromoteInsertsOnly(t *testing.T) {
	const seed, added = "fuzzext.Add(f, gen, T{\n1, math.Inf(1)})",
		"fuzzext.Add(f, gen, T{\n\t\t1, math.Inf(1)})\n"
	for name, c := range map[string]struct{ before, after string }{
		"a block of imports": {
			"package p\n\nimport (\n  \"x\"  \n)\nfunc FuzzX( f *testing.F ) {\n  f.Fuzz( 1 )\n}\n",
			"package p\n\nimport (\n\t\"math\"\n  \"x\"  \n)\nfunc FuzzX( f *testing.F ) {\n  " + added +
				"  f.Fuzz( 1 )\n}\n"},
		"one import": {
			"package p\nimport   \"x\"\n\n\n\nfunc FuzzX( f *testing.F ) {\n  f.Fuzz( 1 )\n}\n",
			"package p\nimport   (\n\t\"math\"\n\t\"x\"\n)\n\n\n\nfunc FuzzX( f *testing.F ) {\n  " + added +
				"  f.Fuzz( 1 )\n}\n"},
		"a line": {
			"package p\n\n\nimport m \"math\"\n\n\nfunc FuzzX( f *testing.F ) {f.Fuzz( 1 ) }\n",
			"package p\n\n\nimport (\n\t\"math\"\n\tm \"math\"\n)\n\n\nfunc FuzzX( f *testing.F ) {\n\t" + added +
				"\tf.Fuzz( 1 ) }\n"},
		"formatted": {
			"package p\n\nimport (\n\t\"fmt\"\n\t\"x\"\n)\n\nfunc FuzzX() { f.Fuzz(1) }\n",
			"package p\n\nimport (\n\t\"fmt\"\n\t\"math\"\n\t\"x\"\n)\n\nfunc FuzzX() {\n\t" + added + "\tf.Fuzz(1)\n}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			x := edited(t, seed)
			line := strings.Count(c.before[:strings.Index(c.before, "f.Fuzz")], "\n") + 1
			x.entries[0].Entry.Code.Line = line
			changed, _, err := x.insert([]byte(c.before))
			require.NoError(t, err)
			require.Equal(t, c.after, string(changed))
		})
	}
}

// Numbers that need package math import it, however the file imports others.
func TestPromoteImportsMath(t *testing.T) {
	for imports, want := range map[string]string{
		"":                                "\n\nimport \"math\"",
		"\n\nimport \"os\"":               "\n\nimport (\n\t\"math\"\n\t\"os\"\n)",
		"\n\nimport (\n\t\"os\"\n)":       "\n\nimport (\n\t\"math\"\n\t\"os\"\n)",
		"\n\nimport (\"os\";\"testing\")": "\n\nimport (\"math\"; \"os\";\"testing\")",
		"\n\nimport (\n\t\"math\"\n)":     "\n\nimport (\n\t\"math\"\n)",
	} {
		require.Equal(t, "package p"+want+"\n", string(withMath([]byte("package p"+imports+"\n"))))
	}
}
