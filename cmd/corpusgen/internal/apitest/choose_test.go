package apitest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/mistake"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/stretchr/testify/require"
)

// The name of a test is of what it calls, and no other test has it.
func TestNames(t *testing.T) {
	g := &generation{pkg: &apigen.Package{Name: "deque"}}
	taken := map[string]bool{"TestNew": true}
	for _, c := range [][2]string{
		{"stack.Push then stack.Pop", "TestStackPushThenPop"},
		{"stack.Push then stack.Pop", "TestStackPushThenPop_2"},
		{"stack.Push then cursor.Next", "TestStackPushThenCursorNext"},
		{"deque.Parse rejects empty", "TestParseRejectsEmpty"},
		{"deque.New with 2", "TestNewWith2"},
		{"range seq", "TestRangeSeq"},
	} {
		require.Equal(t, c[1], g.funcOf(job.Test{Op: c[0]}, taken).Name)
	}
	for _, want := range []string{"TestNewReturnsTrue", "TestNewOf3", "TestNew_2", "TestNew_3"} {
		require.Equal(t, want, g.funcOf(job.Test{Op: "deque.New", Titles: []string{"deque.New returns true", "deque.New of 3"}}, taken).Name)
	}
}

// What a changelog says of later versions stands above the heading of the other one.
func TestNews(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"CHANGELOG.md": "# Changelog\n\n## [1.3.0]\n\nAdd since 1.2.0\n\n## [1.2.0] - 2020\n\nRemove\n",
		"HISTORY":      "v1.3.0\nParse\nv1.2.0\nNew\n",
		"NEWS.txt":     "no heading of the version\n",
		"README.md":    "1.4.0\nRead\n1.2.0\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	require.Equal(t, "# Changelog\n\n## [1.3.0]\n\nAdd since 1.2.0\n\nv1.3.0\nParse\n", string(news(dir, "example.com/m@v1.2.0")))
	require.Empty(t, news(dir, "v1.2.00"))
}

// What a mistake changes is told in a line.
func TestDescribeMistake(t *testing.T) {
	for _, c := range []struct {
		kind                mistake.Kind
		before, after, want string
	}{
		{mistake.Statement, "\tq.n++", "", "Q.F: q.n++ is left out"},
		{mistake.Statement, "func (q *Q) F() { q.n++ }", "func (q *Q) F() {  }", "Q.F: q.n++ is left out"},
		{mistake.Statement, "if a {\n\tf(1,\n\t\t2)\n}", "if a {\n\t\n}", "Q.F: f(1, 2) is left out"},
		{mistake.Statement, "\tm[k] = v", "\tif false { m[k] = v }", "Q.F: m[k] = v is left out"},
		{mistake.Condition, "\tif a > b {", "\tif a <= b {", "Q.F: if a > b is if a <= b"},
		{mistake.Constant, "\tf(" + strings.Repeat("a, ", 30) + "1)", "\tf(" + strings.Repeat("a, ", 30) + "0)",
			"Q.F: a part of f(" + strings.Repeat("a, ", 19) + "a... is another one (constant)"},
	} {
		m := mistake.Mistake{Func: "Q.F", Kind: c.kind, Before: c.before, After: c.after}
		require.Equal(t, c.want, describeMistake(m))
	}
}
