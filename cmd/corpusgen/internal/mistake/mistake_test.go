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
		{"a table with keys", "var t = map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true, 8: true, 9: true, 10: true, 11: true, 12: true, 13: true, 14: true, 15: true, 16: true}", []string{}},
		{"a table of structs", "var t = []struct{ n int }{{7}, {7}, {7}, {7}, {7}, {7}, {7}, {7}, {7}, {7}, {7}, {7}, {7}, {7}, {7}, {8}}", []string{}},
		{"code in a table", "var t = []func() int{f, f, f, f, f, f, f, f, f, f, f, f, f, f, f, func() int { return 7 }}; func f() int { panic(0) }", []string{"constant: 7 -> 6"}},
		{"a few constants", "var t = []int{7}", []string{"constant: 7 -> 6"}},
		{"arguments", "func F(a, b int, c string) { F(b, a, c) }", []string{
			"statement: F(b, a, c) ->", "arguments: F(b, a, c) -> F(a, b, c)",
		}},
		{"errors", "func F(f func() error) error { if err := f(); err != nil { return err }; return f() }",
			[]string{"error: err != nil -> false", "error: return err -> return nil",
				"error: return f() -> _ = f(); return nil"}},
		{"defers", "func F(f func()) { defer f() }", []string{"defer: defer f() ->"}},
		{"locks", `import "sync"; func F(mu *sync.Mutex, f func()) { mu.Lock(); defer mu.Unlock(); f() }`,
			[]string{"lock: mu.Lock(); defer mu.Unlock(); -> ; ;", "statement: f() ->"}},
		{"kept", "func F(a int) int {\n\ta++ //corpusgen:keep it does not matter\n\treturn -a\n}",
			[]string{"arithmetic: -a -> a"}},
		{"what does not compile alone",
			"type N int; func F(a int, x N) (int, any) { for { if a > 0 { return 1, 1<<a + x } } }",
			[]string{"condition: > -> <=", "boundary: > -> >=", "constant: 0 -> 1",
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

// A literal number changes within its expression, if that is another value then, and another program
// than with another operator.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		typ, code string
		want      string // or "" if it stays
	}{
		{"float64", "1e20", ""},
		{"float32", "1e8", ""},
		{"float64", "1e8", "9.9999999e+07"},
		{"float64", "0.25", "0.0"},
		{"float64", "7.0 / 4", "6.0 / 4"},
		{"float64", "1e20 + 3", ""},
		{"float64", "2.5", "1.5"},
		{"int", "0", "1"},
		{"int8", "-128", "-127"},
		{"uint8", "^uint8(0)", "^uint8(1)"},
		{"int", "0 * 7", "1 * 7"},
		{"int", "10 / 1", "9 / 1"},
		{"int", "0 * k + 8", "1 * k + 8"},
		{"int", "k - 0*2", "k - 1*2"},
		{"int", "local*3", "local*2"},
		{"int", `len("abc") + 1`, `len("abc") + 0`},
		{"int", "(k)", ""},
		{"rune", "'b'", "'a'"},
		{"rune", "'\\n' + 1", "'\\t' + 1"},
		{"time.Duration", "2 * time.Minute", "1 * time.Minute"},
		{"time.Duration", "time.Minute * 2", "time.Minute * 1"},
		{"time.Duration", "time.Duration(1500) * time.Second", "time.Duration(1499) * time.Second"},
		{"uint64", "1<<63 - 1", "1<<62 - 1"},
		{"T", "7", "6"},
		{"T", "0", "1"},
		{"float32", "k + 16777216.0", ""},
		{"int", "0 /\n1", "1 /\n1"},
	} {
		t.Run(c.typ+" "+c.code, func(t *testing.T) {
			p := packageOf(t, "package p\n\nimport \"time\"\n\nconst k = 5\n\nvar d time.Duration\n\n"+
				"func F[T int | float32]() "+c.typ+" { const local = 4; return "+c.code+" }\n")
			g, err := p.Compile(t.Context())
			require.NoError(t, err)
			require.Zero(t, g.Left)
			if c.want == "" {
				require.Empty(t, g.Mistakes)
				return
			}
			require.Len(t, g.Mistakes, 1)
			c.code, _, _ = strings.Cut(c.code, "\n") // the line that changes
			c.want, _, _ = strings.Cut(c.want, "\n")
			require.Equal(t, strings.Replace(g.Mistakes[0].Before, c.code, c.want, 1), g.Mistakes[0].After)
		})
	}
}

// A number in a comparison changes, unless that is the boundary mistake again: the results of two
// mistakes of a comparison of integers differ for some.
func TestBoundaries(t *testing.T) {
	holds := func(op string, x, c int) bool {
		return map[string]bool{"<": x < c, "<=": x <= c, ">": x > c, ">=": x >= c}[op]
	}
	boundary := map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
	for op, other := range boundary {
		for _, number := range []int{-2, -1, 0, 1, 2} {
			for _, code := range []string{"x %s %d", "%[2]d %[1]s x"} {
				code = fmt.Sprintf(code, op, number)
				differ := false
				changed := number - 1
				if number < 0 {
					changed = number + 1
				} else if number == 0 {
					changed = 1
				}
				for x := -9; x < 9; x++ {
					a, b := holds(other, x, number), holds(op, x, changed)
					if !strings.HasPrefix(code, "x") {
						a, b = holds(other, number, x), holds(op, changed, x)
					}
					differ = differ || a != b
				}
				g, err := packageOf(t, "package p\n\nfunc F(x int) bool { return "+code+" }\n").
					Compile(t.Context())
				require.NoError(t, err)
				kinds := map[Kind]int{}
				for _, m := range g.Mistakes {
					kinds[m.Kind]++
				}
				want := map[Kind]int{Condition: 1, Boundary: 1}
				if differ {
					want[Constant] = 1
				}
				require.Equal(t, want, kinds, code)
			}
		}
	}
	g, err := packageOf(t, "package p\n\nfunc F(x float64) bool { return x < 0 }\n").Compile(t.Context())
	require.NoError(t, err)
	require.Len(t, g.Mistakes, 3)
}

// Arguments change places, unless nobody could notice.
func TestArguments(t *testing.T) {
	for code, want := range map[string]int{
		"z.Sub(x, y)":                                1,
		"z.Add(x, y)":                                0,
		"(z).GCD(nil, nil, x, y)":                    0,
		"new(holder).Xor(x, y)":                      0,
		"(new(holder).Quo)(x, y)":                    1,
		"math.Pow(a, b)":                             1,
		"math.Max(a, b)":                             0,
		"bytes.Equal(p, q)":                          0,
		"bytes.Compare(p, q)":                        1,
		"slices.Equal(p, q)":                         0,
		"slices.Equal[[]byte](p, q)":                 0,
		"slices.Compare(p, q)":                       1,
		"maps.Equal(m, map[int]int{})":               0,
		"same.EqualFold(s, string(p))":               0,
		"same.HasPrefix(s, string(p))":               1,
		"errors.Join(err, io.EOF)":                   0,
		"min(a, b)":                                  0,
		"reflect.DeepEqual(a, any(b))":               0,
		"Equal(p, q)":                                1,
		"errors.Is(err, io.EOF)":                     1,
		"func(a, b int) int { return a }(1, len(p))": 1,
	} {
		p := packageOf(t, `package p

import ("bytes"; "errors"; "io"; "maps"; "math"; "math/big"; "reflect"; "slices"; same "strings")

var _, _, _, _, _, _, _, _ = bytes.Equal, errors.Is, io.EOF, math.Max, reflect.DeepEqual,
	same.Split, maps.Equal[map[int]int, map[int]int], slices.Equal[[]int]

type holder struct{ big.Int }

func Equal(p, q []byte) bool { return p == nil }

func F(x, y, z *big.Int, a, b float64, p, q []byte, m map[int]int, s string, err error) {
	_ = `+code+`
}
`)
		g, err := p.Compile(t.Context())
		require.NoError(t, err)
		n := 0
		for _, m := range g.Mistakes {
			if m.Kind == Arguments {
				n++
			}
		}
		require.Equal(t, want, n, code)
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

// Declarations that are the same have other mistakes, whatever is between them.
func TestSameDeclarations(t *testing.T) {
	ids := func(code string) (ids []string) {
		p := packageOf(t, "package p\n"+code)
		for range 2 { // not only at first
			ids = nil
			g, err := p.Compile(t.Context())
			require.NoError(t, err)
			for _, m := range g.Mistakes {
				ids = append(ids, m.ID, m.FuncID)
			}
		}
		return ids
	}
	const init = "\nfunc init() { x++ }\nvar _ = -x\n"
	one, two := ids("var x int"+init), ids("var x int"+init+init)
	require.Equal(t, one, two[:len(one)])
	seen := map[string]int{}
	for i := 0; i < len(two); i += 2 {
		seen[two[i]]++
	}
	require.Len(t, seen, len(two)/2)
	for i := range one {
		require.NotEqual(t, two[i], two[len(one)+i])
	}
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
