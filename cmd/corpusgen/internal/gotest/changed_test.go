package gotest

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadHunks(t *testing.T) {
	diff := `diff --git a/a b.go b/a b.go
--- a/a b.go
+++ b/a b.go	
@@ -3 +3 @@ func F() {
-	x
+	y
@@ -9,2 +9,3 @@ func G() {
+++ b/text of a line
@@ -20,4 +21,0 @@ func H() {
diff --git a/gone.go b/gone.go
--- a/gone.go
+++ /dev/null
@@ -1,3 +0,0 @@
diff --git a/new/b.go b/new/b.go
--- /dev/null
+++ b/new/b.go
@@ -0,0 +1,7 @@
`
	path := func(name string) string { return filepath.Join("root", filepath.FromSlash(name)) }
	require.Equal(t, map[string][]lines{
		path("a b.go"):   {{3, 3}, {9, 11}, {21, 22}},
		path("new/b.go"): {{1, 7}},
	}, readHunks("root", diff))
}

func TestChangedFile(t *testing.T) {
	source := `package p

func F() int { return 1 }

func asm()

//line other.go:100
func (t *T[A]) G() {
	if x {
	}
}

func (T[A]) H() {}
`
	find := func(changed ...lines) ChangedFile {
		f := ChangedFile{Package: "p", Source: []byte(source)}
		f.find(changed)
		return f
	}
	require.Equal(t, []string{"p.F", "p.(*T[A]).G", "p.(T[A]).H"},
		find(lines{1, math.MaxInt}).Functions)
	require.Empty(t, find(lines{1, 2}, lines{4, 6}).Functions)
	f := find(lines{9, 9}, lines{13, 13})
	require.Equal(t, []string{"p.(*T[A]).G", "p.(T[A]).H"}, f.Functions)
	marked, err := f.Mark(f.Source, "c();")
	require.NoError(t, err)
	require.Equal(t, `package p

func F() int { return 1 }

func asm()

//line other.go:100
func (t *T[A]) G() {c();
	if x {
	}
}

func (T[A]) H() {c();}
`, string(marked))

	// So is another source with the same functions.
	edited := strings.Replace(source, "if x {", "point(); if x {", 1)
	marked, err = f.Mark([]byte(edited), "c();")
	require.NoError(t, err)
	require.Contains(t, string(marked), "G() {c();\n\tpoint(); if x {")
	_, err = f.Mark([]byte("package p\n"), "c();")
	require.ErrorContains(t, err, "its functions are not those of its source")
	broken := ChangedFile{Package: "p", Source: []byte("package p\nfunc F() {")}
	broken.find([]lines{{1, 9}})
	require.Empty(t, broken.Functions)
}

// A revision is one that git knows, and no option of git.
func TestReadChangeRevision(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, args := range [][]string{{"init", "-q"},
		{"-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "--allow-empty",
			"-m", "x"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Skipf("git: %v: %s", err, out)
		}
	}
	require.NoError(t, os.WriteFile("file", []byte("x"), 0o666))
	_, err := ReadChange(t.Context(), "HEAD")
	require.NoError(t, err)
	for _, rev := range []string{"--output=file", "--no-index", "nonsense", "HEAD file", ""} {
		_, err := ReadChange(t.Context(), rev)
		require.ErrorContains(t, err, " is not a revision: git: ")
	}
	b, err := os.ReadFile("file")
	require.NoError(t, err)
	require.Equal(t, "x", string(b))
}

// No setting of git, of a user or of the environment, decides what has changed.
func TestReadChangeSettings(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Skipf("git: %v: %s", err, out)
		}
	}
	root, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	text := strings.Repeat("// line\n", 20)
	write := func(name, text string) { require.NoError(t, os.WriteFile(name, []byte(text), 0o666)) }
	run("init", "-q")
	write("é.go", text)
	write(".gitattributes", "*.go diff=other\n")
	run("add", ".")
	run("-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "-m", "x")
	all := strings.SplitAfter(text, "\n")
	all[2], all[5] = "// third\n", "// sixth\n"
	write("é.go", strings.Join(all, ""))
	check := func(setting string) {
		t.Helper()
		c, err := ReadChange(t.Context(), "HEAD")
		require.NoError(t, err, setting)
		require.Equal(t, map[string][]lines{
			filepath.Join(root, "é.go"): {{3, 3}, {6, 6}},
		}, c.files, setting)
	}
	for _, setting := range []string{
		"diff.interHunkContext=9", "diff.context=9", "diff.algorithm=patience", "diff.noprefix=true",
		"diff.mnemonicPrefix=true", "diff.relative=true", "diff.external=false", "diff.orderFile=none",
		"diff.submodule=log", "diff.ignoreSubmodules=all", "diff.renames=copies", "color.ui=always",
		"core.quotePath=true", "diff.other.textconv=true", "diff.other.command=false",
		"diff.indentHeuristic=true", "diff.wordRegex=.", "diff.colorMoved=zebra",
	} {
		name, value, _ := strings.Cut(setting, "=")
		run("config", name, value)
		check(setting)
		run("config", "--unset", name)
	}
	for _, variable := range []string{"GIT_DIFF_OPTS=--unified=9", "GIT_EXTERNAL_DIFF=false"} {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
		check(variable)
		require.NoError(t, os.Unsetenv(name))
	}
}
