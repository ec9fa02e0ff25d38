package mistake

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/stretchr/testify/require"
)

var std = token.NewFileSet()

// source imports packages of the standard library.
var source = importer.ForCompiler(std, "source", nil)

// packageOf returns a package of one file. Its name sorts before those of the helpers.
func packageOf(t testing.TB, code string) *Package {
	f, err := parser.ParseFile(std, "a.go", code, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{},
	}
	check := func(files []loader.File, info *types.Info) (found []types.Error) {
		var syntax []*ast.File
		for _, f := range files {
			syntax = append(syntax, f.Syntax)
		}
		config := types.Config{Importer: source, Error: func(err error) {
			if e := (types.Error{}); errors.As(err, &e) {
				found = append(found, e)
			}
		}}
		_, _ = config.Check("example.com/p", std, syntax, info)
		return found
	}
	files := []loader.File{{Syntax: f, Text: []byte(code)}}
	require.Empty(t, check(files, info))
	return &Package{
		Path: "example.com/p", Fset: std, Files: files, Info: info, Prefix: loader.Unused(files),
		Check: func(files []loader.File) []types.Error { return check(files, nil) },
	}
}

// Each operator, by what changes: the kind, and the line before and after.
func TestOperators(t *testing.T) {
	for _, c := range []struct {
		name, code string
		want       []string
	}{
		{"conditions", "func F(a, b int, ok bool) bool { return a == b && !ok }", []string{
			"condition: { return a == b && !ok } -> { return a != b && !ok }",
			"condition: { return a == b && !ok } -> { return a == b && !!ok }",
		}},
		{"labels", "func F(a int) { switch { case a == a+a: panic(a) } }", []string{
			"condition: a == a+a -> a != a+a", "arithmetic: a == a+a -> a == a-a", "statement: panic(a) ->",
		}},
		{"boundaries", "func F(a, b string) bool { return a < b }", []string{
			"condition: < -> >=", "boundary: < -> <=",
		}},
		{"conditions of a type of their own", "type B bool; func F(a, b int) B { return a < b }",
			[]string{}},
		{"arithmetic", "func F(a, b uint8) uint8 { return -a*b%a }", []string{
			"arithmetic: % -> *", "arithmetic: * -> /", "arithmetic: -a -> a",
		}},
		{"texts are not numbers", "func F(a, b string) string { return a + b }", []string{}},
		{"counting", "func F(a int, xs []int) int { a += xs[0]; a--; return a }", []string{
			"statement: a += xs[0] ->", "statement: a-- ->", "arithmetic: += -> -=",
			"constant: 0 -> 1", "arithmetic: a-- -> a++",
		}},
		{"constants", `const c = 3; func F(a string, b rune) bool { return a == "x" && b == 'b' || c == 3 && a != "" }`,
			[]string{`"x" -> ""`, `'b' -> 'a'`, `"" -> "x"`}},
		{"constants that must be", "func F(a int) any { return [3]int{2: a} }", []string{}},
		{"a capacity", "func F(n int) []int { return make([]int, n, 10) }", []string{}},
		{"a table", "var t = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2, 1}", []string{}},
		{"a few constants", "var t = []int{7}", []string{"constant: 7 -> 6"}},
		{"arguments", "func F(a, b int, c string) { F(b, a, c) }", []string{
			"statement: F(b, a, c) ->", "arguments: F(b, a, c) -> F(a, b, c)",
		}},
		{"errors", "func F(f func() error) error { if err := f(); err != nil { return err }; return f() }",
			[]string{"error: err != nil -> false", "error: return err -> return nil",
				"error: return f() -> return nil"}},
		{"defers", "func F(f func()) { defer f() }", []string{"defer: defer f() ->"}},
		{"locks", `import "sync"; func F(mu *sync.Mutex, f func()) { mu.Lock(); defer mu.Unlock(); f() }`,
			[]string{"lock: mu.Lock(); defer mu.Unlock(); -> ; ;", "statement: f() ->"}},
		{"kept", "func F(a int) int {\n\ta++ //corpusgen:keep it does not matter\n\treturn -a\n}",
			[]string{"arithmetic: -a -> a"}},
		{"what does not compile alone",
			"type N int; func F(a int, x N) (int, any) { for { if a > 2 { return 1, 1<<a + x } } }",
			[]string{"condition: > -> <=", "boundary: > -> >=", "constant: 2 -> 1",
				"constant: return 1, -> return 0,", "arithmetic: + -> -", "arithmetic: << -> >>"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := packageOf(t, "package p\n\n"+c.code+"\n")
			g, err := p.Compile(t.Context())
			require.NoError(t, err)
			var got []string
			for _, m := range g.Mistakes {
				got = append(got, fmt.Sprintf("%s: %s -> %s", m.Kind, m.Before, m.After))
			}
			all := strings.Join(got, "\n")
			for _, want := range c.want {
				kind, change, ok := strings.Cut(want, ": ")
				if !ok {
					kind, change = "", want
				}
				before, after, _ := strings.Cut(change, " ->")
				after = strings.TrimSpace(after)
				found := false
				for _, m := range g.Mistakes {
					found = found || (kind == "" || string(m.Kind) == kind) &&
						strings.Replace(m.Before, before, after, 1) == m.After
				}
				require.True(t, found, "%s in\n%s", want, all)
			}
			if len(c.want) == 0 {
				require.NotContains(t, all, "boundary")
				require.NotContains(t, all, "arithmetic")
				require.NotContains(t, all, "constant")
			}
		})
	}
}

// Each mistake of a program compiles without the others.
func TestEachCompiles(t *testing.T) {
	p := packageOf(t, sameSource)
	g, err := p.Compile(t.Context())
	require.NoError(t, err)
	require.Greater(t, len(g.Mistakes), 40)
	for _, m := range g.Mistakes {
		p.left = map[int]bool{}
		for _, other := range g.Mistakes {
			p.left[other.Number] = other.Number != m.Number
		}
		_, flaws, err := p.program(t.Context())
		require.NoError(t, err)
		require.Empty(t, flaws, m)
	}
}

// The identity of a mistake does not depend on lines, comments and other functions.
func TestIdentity(t *testing.T) {
	ids := func(code string) (ids []string) {
		g, err := packageOf(t, "package p\n"+code).Compile(t.Context())
		require.NoError(t, err)
		for _, m := range g.Mistakes {
			if m.Func == "F" {
				ids = append(ids, m.ID)
			}
		}
		return ids
	}
	first := ids("func F(a, b int) int { if a < b { return a }; return b + a }")
	require.Len(t, first, 3)
	require.Equal(t, first, ids(`
func G(a int) int { return -a }

// F is not what it was.
func F(a, b int) int {
	if a < b { // or so
		return a
	}
	return b + a
}`))
	require.NotEqual(t, first, ids("func F(a, b int) int { if a < b { return a }; return a + b }"))
}

// A directive without a reason, and one without code, are named.
func TestKeep(t *testing.T) {
	p := packageOf(t, "package p\n\nfunc F(a int) int {\n\ta++ //corpusgen:keep\n\n"+
		"\t//corpusgen:keep it is empty\n\treturn a\n}\n")
	_, err := p.Compile(t.Context())
	require.NoError(t, err)
	require.Len(t, p.Notes, 2)
	require.Contains(t, p.Notes[0], "a.go:4: this //corpusgen:keep gives no reason")
	require.Contains(t, p.Notes[1], "a.go:6: this //corpusgen:keep keeps nothing")
}
