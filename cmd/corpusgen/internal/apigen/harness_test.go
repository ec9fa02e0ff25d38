package apigen

import (
	"go/ast"
	"go/parser"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/require"
)

// The names that a harness declares are those that no other test of the package has.
func TestFree(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"none", "", ""},
		{"another function", "package p_test\nfunc TestOther() {}\n", ""},
		{"a variable", "package p_test\nvar a, calls = 1, 2\n", "API"},
		{"a type", "package p_test\ntype calls int\n", "API"},
		{"a function", "package p_test\nfunc FuzzCalls() {}\n", "API"},
		{"a method", "package p_test\nfunc (t T) TestCalls() {}\n", ""},
		{"another package", "package p\nvar calls = 1\n", ""},
		{"a harness", "package p_test\n" + begin + "\nvar calls = 1\n", ""},
		{"not Go", "calls", ""},
	} {
		dir := t.TempDir()
		if c.file != "" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a_test.go"), []byte(c.file), 0o666))
		}
		h := &Harness{pkg: &Package{Dir: dir, Name: "p"}}
		require.Equal(t, c.want, h.free(), c.name)
	}
}

// The operation that a statement declares.
func TestOpName(t *testing.T) {
	h := &Harness{pkg: &Package{Name: "p"}, opts: Options{Skip: regexp.MustCompile("^x$")}, body: `c.Op("a", func() {}).When(any)`,
		Left: []Left{{"p.F", "why\nnot"}}}
	text := h.marked()
	require.Equal(t, begin+"\n"+skip+"^x$\n\n// Left out:\n//   - p.F: why not\n\nc.Op(\"a\", func() {}).When(any)\n"+end, text)
	for code, want := range map[string]string{
		`c.Op("a", f)`:                   "a",
		`c.Op("a b", f).When(x.Any)`:     "a b",
		`c.Op("a", f).When(x).Weight(2)`: "a",
		`d.Op("a", f)`:                   "",
		`c.Type("a")`:                    "",
		`f()`:                            "",
	} {
		require.Equal(t, want, opName(expression(t, code)), code)
	}
}

func expression(t *testing.T, code string) ast.Expr {
	t.Helper()
	x, err := parser.ParseExpr(code)
	require.NoError(t, err)
	return x
}
