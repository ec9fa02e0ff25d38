package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/eval/others"
	"github.com/stretchr/testify/require"
)

// Each module is listed once, with its version and patterns.
func TestModules(t *testing.T) {
	files := map[string]string{}
	for _, m := range modules() {
		require.Regexp(t, `^v\d`, m.version, m.path)
		require.NotEmpty(t, m.patterns, m.path)
		file := m.file()
		require.Empty(t, files[file], "%s and %s have one file", m.path, files[file])
		files[file] = m.path
	}
	require.GreaterOrEqual(t, len(files), 60)
}

func TestRead(t *testing.T) {
	out := "\x16=== RUN   TestA\n\x16=== RUN   TestA/b_0x4b4ee0\nlog\x16    --- PASS: TestA/b_0x4b4ee0 (0.00s)\n" +
		"\x16--- FAIL: TestA (0.01s)\n\x16=== RUN   TestB\n\x16--- SKIP: TestB (0.00s)\n\x16=== RUN   TestC\n"
	require.Equal(t, outcomes{"TestA": "fail", "TestA/b_0x…": "pass", "TestB": "skip", "TestC": "none"},
		read([]byte(out)))
}

func TestDiffers(t *testing.T) {
	for _, c := range []struct {
		plain, with string
		differs     bool
	}{
		{"pass", "pass", false},
		{"pass", "fail", true},
		{"pass fail pass", "fail fail fail", false},
		{"pass pass pass", "fail absent fail", true},
	} {
		got := comparison{plain: strings.Fields(c.plain), with: strings.Fields(c.with)}
		require.Equal(t, c.differs, got.differs(), c)
	}
}

// The results of a module are in its file, and are reported.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	m := modules()[0]
	r := result{module: m.path, version: m.version, tests: []comparison{
		{m.path, "TestA", []string{"pass"}, []string{"pass"}},
		{m.path, "TestB", []string{"pass"}, []string{"fail"}},
	}}
	r.note("of %s", "two\nlines")
	file := filepath.Join(dir, m.file())
	require.NoError(t, others.Write(file, r.text()))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "module\t"+m.path+"\t"+m.version+"\t2\t1\t")
	require.Contains(t, string(text), "note\tof two | lines\n")
	require.Contains(t, string(text), "differs\t"+m.path+"\tTestB\tpass\tfail\n")
	var report strings.Builder
	require.NoError(t, printReport(&report, dir, regexp.MustCompile("")))
	require.Contains(t, report.String(), "TestB: pass; with points fail: not yet known")
	left, err := filepath.Glob(filepath.Join(dir, "*.new"))
	require.NoError(t, err)
	require.Empty(t, left)
}
