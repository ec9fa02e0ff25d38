package apigen

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The names that a harness declares are those that no other test of the package has.
func TestFree(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"none", "package p_test", ""},
		{"another function", "package p_test\nfunc TestOther() {}\n", ""},
		{"a variable", "package p_test\nvar a, calls = 1, 2\n", "API"},
		{"a type", "package p_test\ntype calls int\n", "API"},
		{"a function", "package p_test\nfunc FuzzCalls() {}\n", "API"},
		{"another package", "package p\nvar calls = 1\n", ""},
		{"a method", "package p_test\nfunc (t T) calls() {}\n", ""},
		{"a local variable", "package p_test\nfunc TestOther() { calls := 1 }\n", ""},
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "", c.file, 0)
		require.NoError(t, err, c.name)
		h := &Harness{pkg: &Package{Name: "p", tests: []*ast.File{f}}}
		require.Equal(t, c.want, h.free(), c.name)
	}
}

// What does not compile is dropped, until the rest does. An error outside of all parts is one of
// corpusgen.
func TestCompiled(t *testing.T) {
	const good, bad = "func Good() int { return 1 }\n", "func Bad() int { return Good(1) }\n"
	for _, c := range []struct {
		name, code string
		dropped    []string
		err        string
	}{
		{"all compile", good, nil, ""},
		{"one does not", bad + good, []string{"Bad"}, ""},
		{"one needs it", bad + good + "func Worse() int { return Bad() }\n", []string{"Bad", "Worse"}, ""},
		{"before all", "var x = y\n" + good, nil, "undefined: y"},
		{"no Go", "func", nil, "do not compile"},
		{"a function of the user", good + "func Uses() { mine(); theirs() }\n", nil, ""},
		{"a function of nobody", good + "func Uses() { other() }\n", []string{"Uses"}, ""},
		{"one is no Go", "func Bad() int { return #1 }\n" + good, []string{"Bad"}, ""},
		{"nothing is dropped", "func Kept() int { return Good(1) }\n" + good, []string{"Kept"}, "too many arguments"},
	} {
		theirs, err := parser.ParseFile(token.NewFileSet(), "", "package p_test\nfunc theirs() {}\n", 0)
		require.NoError(t, err)
		h := &Harness{pkg: &Package{Path: "p", Name: "p", tests: []*ast.File{theirs}, lookup: importer.ForCompiler(token.NewFileSet(), "gc", nil)}}
		h.find("package p_test\nvar calls = api.New(f)\nfunc TestCalls(t *testing.T) { fuzzext.Sequence(t, calls) }\nfunc mine() {}\n")
		require.Equal(t, map[string]bool{"TestCalls": true, "mine": true}, h.Own)
		var dropped []string
		code := c.code
		text, err := h.compiled(func() (string, error) { return "package p_test\n" + code, nil }, function, func(name, why string) {
			dropped = append(dropped, name)
			if name != "Kept" {
				code = regexp.MustCompile(`func `+name+`.*\n`).ReplaceAllString(code, "")
			}
		})
		require.Equal(t, c.dropped, dropped, c.name)
		require.Equal(t, c.err == "", err == nil, c.name)
		if err != nil {
			require.Contains(t, err.Error(), c.err, c.name)
		} else {
			require.Contains(t, string(text), "func Good()", c.name)
		}
	}
}

// The lines that a run rewrites, and the operation that an error is of.
func TestOperation(t *testing.T) {
	h := &Harness{pkg: &Package{Name: "p"}, opts: Options{Skip: regexp.MustCompile("^x$")}, body: `c.Op("a", func() {}).When(any)`,
		Left: []Left{{"p.F", "why\nnot"}}}
	text := h.marked()
	require.Equal(t, begin+"\n"+skip+"^x$\n\n// Left out:\n//   - p.F: why not\n\nc.Op(\"a\", func() {}).When(any)\n"+end, text)
	for code, want := range map[string]string{
		`c.Op("a", f)`:                                   `"a"`,
		"\tc.Op(\"a \\\"b\", f).When()":                  `"a \"b"`,
		`api.Make("a{}", f)`:                             `"a{}"`,
		`api.Expr[[]a]("b\"", b)`:                        `"b\""`,
		`as := api.Type[[]p.A](c, "a", api.Literals(g))`: `"a"`,
		`d.Op("a", f)`:                                   "",
		`c.Type("a")`:                                    "",
	} {
		got := ""
		if m := operation.FindStringSubmatch(code); m != nil {
			got = m[1]
		}
		require.Equal(t, want, got, code)
	}
}

// A file without a test of calls at once says why, and what to do.
func TestNote(t *testing.T) {
	const old = "package p_test\nvar mine = api.New(func(c *api.C) {\n" + begin + "\n" + end + "\n})\n\nfunc TestMine(t *testing.T) { fuzzext.Sequence(t, mine) }\n"
	const one = "func TestConcurrentCalls(t *testing.T) { fuzzext.Sequence(t, linear.Of(mine), fuzzext.Schedules()) }"
	for _, c := range []struct {
		name          string
		multi, linear bool
		values        bool
		old, want     string // want is a regular expression
	}{
		{"no such type", false, true, false, "", "^$"},
		{"the file is new", true, true, true, "", "^$"},
		{"it cannot be imported", true, false, true, "", `^no TestConcurrentCalls: .* run go get \S+/linear in its module`},
		{"nor for an older file", true, false, true, old, `^no TestConcurrentCalls: .* run go get \S+/linear in its module`},
		{"an older file", true, true, true, old, ": " + regexp.QuoteMeta(one) + "$"},
		{"which has one", true, true, true, old + one, "^$"},
		{"no values", true, true, false, old + one, "^no function returns a value that is api.Concurrent, so TestConcurrentCalls has nothing to call: declare "},
		{"but the user has", true, true, false, old + one + "// x := xs.Result()", "^$"},
	} {
		h := &Harness{pkg: &Package{Name: "p", linear: c.linear}, multi: c.multi, values: c.values}
		text, err := h.Write([]byte(c.old))
		require.NoError(t, err, c.name)
		require.Regexp(t, c.want, h.Note, c.name)
		require.Equal(t, c.multi && c.linear && (c.old != old), strings.Contains(string(text), "linear.Of("), c.name)
	}
}

// If operations of the user make the values of a type, its methods remain.
func TestOwn(t *testing.T) {
	p := packageOf(t, "", `type T struct{ n int }
		func New() *T { return nil }
		func (t *T) Do() {}
		func Sum(a, b int) int { return a + b }`)
	for own, want := range map[string]bool{"": false, "t := ts.Result()": true, "t := others.Result()": false, "t := nots.Result()": false} {
		body := newEnum(p, Options{Skip: regexp.MustCompile(`^p\.New|^new`), Own: OwnText("ts.Result()\n" + end + own)}).body()
		require.Equal(t, want, strings.Contains(body, "c.Do(func() {t.V.Do()})\n}).When(ts.Any)"), own)
	}
}
