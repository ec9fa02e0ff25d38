package overflow

import (
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
)

var update = flag.Bool("update", false, "write the golden file")

// edit edits a file, whose text it returns, without imports but of the standard library.
func edit(t *testing.T, text string) (string, Sites) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", text, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	_, err = config.Check("example.com/p", fset, []*ast.File{f}, info)
	require.NoError(t, err)
	p := &Package{fset, info, types.SizesFor("gc", "amd64"), "espalier2", "example.com/p/" + Dir}
	edited, sites := p.Edit(loader.File{Syntax: f, Text: []byte(text)}, nil)
	return string(edited), sites
}

// What becomes of each kind of operation.
func TestEdit(t *testing.T) {
	t.Parallel()
	input, err := os.ReadFile(filepath.Join("testdata", "edits.input"))
	require.NoError(t, err)
	text, sites := edit(t, string(input))
	assert.Equal(t, strings.Count(string(input), "\n"), strings.Count(text, "\n"))
	var b strings.Builder
	b.WriteString(text)
	fmt.Fprintf(&b, "\n%d operations are checked.\n", sites.Checked)
	for _, group := range []struct {
		why  string
		list []Site
	}{{"like hashing", sites.Hashes}, {"meant", sites.Meant}, {"allowed", sites.Wraps},
		{"left", sites.Inexact}} {
		fmt.Fprintf(&b, "\n%s:\n", group.why)
		for _, s := range group.list {
			fmt.Fprintf(&b, "\t%s: %s\n", s.At, s.Code)
		}
	}
	fmt.Fprintf(&b, "\n%s\n", strings.Join(sites.Unused, "\n"))
	golden := filepath.Join("testdata", "edits.golden")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), b.String())
	require.Empty(t, run(t, text, "build"))
}

// run runs a go command in a module that has a file and the package that it imports.
func run(t *testing.T, text string, command ...string) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/p\n\ngo 1.25\n", "p.go": text, Dir + "/overflow.go": string(Source),
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	cmd := exec.Command("go", append(command, ".")...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// Programs where nothing overflows, but for hash functions, print what they print without checks.
func TestSame(t *testing.T) {
	t.Parallel()
	input, err := os.ReadFile(filepath.Join("testdata", "same.input"))
	require.NoError(t, err)
	text, sites := edit(t, string(input))
	text = strings.Replace(text, "package p", "package main", 1)
	assert.Equal(t, run(t, string(input), "run"), run(t, text, "run"))
	assert.Greater(t, sites.Checked, 30)
	var hashes []string
	for _, s := range sites.Hashes {
		hashes = append(hashes, s.Code)
	}
	assert.Contains(t, hashes, "h*5 - 430675100")
	assert.Contains(t, hashes, "acc += int64(c) * prime2")
}

// The compiler inlines the checks.
func TestInlined(t *testing.T) {
	t.Parallel()
	const source = `package p

func f(x, y int, a, b int32, n uint) {
	x = x + y
	x = x - y
	x = x * y
	x = -x
	x = x / y
	x = x << n
	x = x << 3
	a = a * b
	a = int32(x)
	_ = a
}
`
	text, sites := edit(t, source)
	require.Equal(t, 9, sites.Checked)
	out := run(t, text, "build", "-gcflags=-m")
	for i, name := range []string{"Add", "Sub", "Mul", "Neg", "Divisor", "Shl", "ShlBy", "MulSmall",
		"Narrow"} {
		assert.Regexp(t, fmt.Sprintf(`p.go:%d:\d+: inlining call to overflow\.%s\[`, i+4, name), out)
	}
}
