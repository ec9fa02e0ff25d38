package apigen

import (
	"go/ast"
	"go/parser"
	"go/types"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// withTest returns a package with a test file, which may import it.
func withTest(t *testing.T, declarations, test string) *Package {
	t.Helper()
	p := packageOf(t, "", declarations)
	f, err := parser.ParseFile(p.fset, "p_test.go", test, 0)
	require.NoError(t, err)
	p.tests, p.lookup = []*ast.File{f}, ownImporter{p.lookup, p.types}
	return p
}

// An ownImporter has a package beside those of another importer.
type ownImporter struct {
	types.Importer
	own *types.Package
}

func (i ownImporter) Import(path string) (*types.Package, error) {
	if path == i.own.Path() {
		return i.own, nil
	}
	return i.Importer.Import(path)
}

// What tests write is an argument if a harness can write it, too.
func TestWritten(t *testing.T) {
	const api = `
		type Options struct {
			Name  string
			Level int
			Check func(o *Options, all []string) error
			Inner *Inner
			inner int
		}
		type Inner struct{ N int }
		type Done struct{ C chan int }
		var Default = 1
		func Limit() int { return 1 }
		var secret = 1
		func Use(Options, Done) {}`
	for _, c := range []struct{ name, code, want string }{
		{"a literal", `use(Options{Name: "a"})`, `p.Options{Name: "a"}`},
		{"by a pointer", `use(&Options{Name: "a"})`, `p.Options{Name: "a"}`},
		{"in several lines", "use(Options{\nName: \"a\",\nLevel: 1,\n})", `p.Options{Name: "a", Level: 1}`},
		{"once", `use(Options{Level: 1}, Options{Level: 1})`, `p.Options{Level: 1}`},
		{"of what the package exports", `use(Options{Level: Default + Limit()})`, `p.Options{Level: p.Default + p.Limit()}`},
		{"of the standard library", `use(Options{Name: strings.Repeat("a", 3)})`, `p.Options{Name: strings.Repeat("a", 3)}`},
		{"nested", `use(Options{Inner: &Inner{N: 1}})`, `p.Options{Inner: &p.Inner{N: 1}} p.Inner{N: 1}`},
		{"only what is nested", `n := 1; use(Options{Level: n, Inner: &Inner{N: 1}})`, `p.Inner{N: 1}`},
		{"in a table", `for _, c := range []struct{ o Options }{{Options{Level: 1}}, {Options{Level: f()}}} { use(c) }`, `p.Options{Level: 1}`},
		{"in a closure", `t.Run("", func(t *testing.T) { use(Options{Level: 1}) })`, `p.Options{Level: 1}`},
		{"a constant of a test", `const n = "a"; use(Options{Name: n + word})`, `p.Options{Name: "a" + "b"}`},
		{"nothing is set", `use(Options{})`, ``},
		{"what is not exported", `use(Options{Level: secret}, Options{inner: 1})`, ``},
		{"of the tests", `use(Options{Level: f()}, other{1})`, ``},
		{"does not compile", `use(Options{Level: "a"}, Options{None: 1})`, ``},
		{"a channel", `use(Done{C: make(chan int)})`, ``},
		{"what changes", `use(Options{Level: time.Now().Year()}, Options{Level: os.Getpid()})`, ``},
		{"long", `use(Options{Name: "` + strings.Repeat("a", maxValueLen) + `"})`, ``},
		{"a function", `use(Options{Check: func(*Options, []string) error { return nil }})`, ``},
	} {
		for _, outside := range []bool{false, true} {
			head, code := "package p\n", c.code
			if outside {
				if c.name == "what is not exported" {
					continue
				}
				head = "package p_test\nimport . \"example.com/p\"\n"
			}
			p := withTest(t, api, head+`import ("os"; "strings"; "testing"; "time"; _ "example.com/q")
				const word = "b"
				type other struct{ n int }
				func f() int { return 1 }
				func use(...any) { _, _, _ = os.Args, strings.Repeat, time.Now }
				func TestUse(t *testing.T) {`+code+`}`)
			var got []string
			for _, v := range newEnum(p, Options{}).written() {
				for _, text := range v.texts {
					got = append(got, strings.Fields(text)...)
				}
			}
			require.Equal(t, c.want, strings.Join(got, " "), c.name)
		}
	}
}

// A receiver is made by an operation, another value is an argument as it is. What a test writes is
// usable, unless calls return the type, and may set what a test cannot.
func TestAddValues(t *testing.T) {
	for _, c := range []struct{ name, declarations, skip, ops, exprs string }{
		{"arguments", `type Options struct{ Name string }
			func Use(o Options) {}
			func Refer(o *Options) {}`, "",
			"p.Options{Name: name} &p.Options{...} p.Options{} new(p.Options) p.Use p.Refer", `p.Options{Name: "a"} &p.Options{Name: "a"}`},
		{"fields alone", `type F func()
			type Options struct{ F *F; Name string }
			func Use(o Options) {}`, "",
			"p.Options{F: f, Name: name} new(p.F) p.Options{} p.Use", `p.Options{Name: "a"}`},
		{"slices", `type Options struct{ Name string }
			func Use(all []Options, into *[]Options) []Options { return nil }`, "",
			"p.Options{Name: name} []p.Options{a, b} p.Options{...} new([]p.Options) p.Options{} allOptions[0] p.Use", `[]p.Options{{Name: "b"}} p.Options{Name: "a"}`},
		{"receivers", `type Options struct{ Name string; n int }
			func (o *Options) Run() {}
			func (o *Options) Next() *Options { return o }`, "",
			"&p.Options{...} new(p.Options) options.Run options.Next", `&p.Options{Name: "a"}`},
		{"also made by a call", `type Options struct{ Name string; n int }
			func New() *Options { return nil }
			func (o *Options) Run() {}`, "",
			"&p.Options{...} Unready p.New options.Run", `&p.Options{Name: "a"}`},
		{"which can set no more", `type Options struct{ Name string }
			func New() *Options { return nil }
			func (o *Options) Run() {}`, "",
			"&p.Options{...} p.New options.Run", `&p.Options{Name: "a"}`},
		{"skipped", `type Options struct{ Name string }
			func Use(o Options) {}`, `\.\.\.`,
			"p.Options{Name: name} p.Options{} p.Use", ""},
	} {
		p := withTest(t, c.declarations, "package p\nvar _, _ = Options{Name: \"a\"}, []Options{{Name: \"b\"}}\n")
		opts := Options{}
		if c.skip != "" {
			opts.Skip = regexp.MustCompile(c.skip)
		}
		e := newEnum(p, opts)
		var ops, exprs []string
		for _, o := range e.ops {
			if o.do == read || o.do == set {
				continue
			}
			ops = append(ops, o.name)
			if o.do == written && e.unready(o) {
				ops = append(ops, "Unready")
			}
		}
		for _, k := range e.kinds {
			exprs = append(exprs, k.exprs...)
		}
		require.Equal(t, c.ops, strings.Join(ops, " "), c.name)
		require.Equal(t, c.exprs, strings.Join(exprs, " "), c.name)
	}
}
