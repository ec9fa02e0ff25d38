package apigen

import (
	"go/ast"
	"go/parser"
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What stands for an interface that nothing implements, and what the pool has.
func TestStub(t *testing.T) {
	const one = ", api.Stub[p.I](\"stubI{log}\", stubI{log}))"
	for _, c := range []struct{ name, imports, declarations, pool, code string }{
		{"no results", "", `type I interface { Visit(n *int, all ...string) }
			func Walk(i I) {}`, one, `type stubI struct{ log *callLog }

func (s stubI) Visit(_ *int, all ...string) {
	s.log.add("Visit", all)
}
`},
		{"an error", "", `type I interface { Get(key string) (s int, err error) }
			func Walk(i I) {}`, one, `type stubI struct{ log *callLog }

func (s stubI) Get(key string) (_ int, _ error) {
	s.log.add("Get", key)
	return
}
`},
		{"types", `import ("fmt"; "time")`, `type I interface { fmt.Stringer; All() (bool, time.Month, *T, map[string]T, any, I, func()) }
			type T struct{}
			func Walk(i I) {}`, one, `type stubI struct{ log *callLog }

func (s stubI) All() (_ bool, _ time.Month, _ *p.T, _ map[string]p.T, _ any, _ p.I, _ func()) {
	s.log.add("All")
	return
}

func (s stubI) String() (_ string) {
	s.log.add("String")
	return
}
`},
		{"no instance of its own", "", `type I = G[int]
			type G[T any] interface { Add(T) I }
			func Walk(i G[int]) {}`, `, api.Stub[p.G[int]]("stubG{log}", stubG{log}))`, `type stubG struct{ log *callLog }

func (s stubG) Add(a1 int) (_ p.I) {
	s.log.add("Add", a1)
	return
}
`},
		{"no name", "", `func Walk(i interface{ Less(a, b int) bool }) {}`, `api.Stub[interface{Less(a int, b int) bool}]("stubLess{log}", stubLess{log}))`, "type stubLess struct{ log *callLog }\n"},
		{"the names of tests and of the user", "", `type Helper interface { Help() }
			func Walk(i Helper) {}`, `("stubHelperValues{log}", stubHelperValues{log})`, "type stubHelperValues struct{ log *callLog }\n"},
		{"a value of the package", "", `type I interface { Visit() }
			type T struct{}
			func New() *T { return nil }
			func (*T) Visit() {}
			func Walk(i I) {}`, `is := api.Type[p.I](c, "i")`, ""},
		{"a method that is not exported", "", `type I interface { visit() }
			func Walk(i I) {}
			func Do() {}`, "", ""},
		{"a type that is not exported", "", `type I interface { Visit(t) }
			type t int
			func Walk(i I) {}
			func Do() {}`, "", ""},
		{"an alias that is not exported", "", `type I interface { Visit(t) }
			type t = int
			func Walk(i I) {}
			func Do() {}`, "", ""},
		{"only a receiver", "", `func New(c chan int) t { return 0 }
			type t int
			func (t) Visit() {}
			func Do() {}`, "", ""},
	} {
		p := packageOf(t, c.imports, c.declarations)
		tested, err := parser.ParseFile(p.fset, "p_test.go", "package p\ntype stubHelper int", 0)
		require.NoError(t, err)
		p.tests = []*ast.File{tested}
		e := newEnum(p, Options{Own: "// stubI\ntype stubHelperValue int\n"})
		h := &Harness{pkg: p, names: e.imports.names, body: e.body()}
		stubs, err := h.stubFile(e.writeStubs(h.body))
		require.NoError(t, err, c.name)
		require.Contains(t, strings.ReplaceAll(h.body, ",\n", ", "), c.pool, c.name)
		require.Equal(t, c.code == "", stubs == nil, c.name)
		require.Contains(t, string(stubs), c.code, c.name)
		p.lookup = withStd{p.lookup, p}
		if stubs != nil {
			failed, err := h.errorsOf(stubs, function)
			require.NoError(t, err, c.name)
			require.Empty(t, failed, c.name)
		}
	}
}

// withStd imports a package, and the standard library.
type withStd struct {
	types.Importer
	p *Package
}

func (w withStd) Import(path string) (*types.Package, error) {
	if path == w.p.Path {
		return w.p.types, nil
	}
	return w.Importer.Import(path)
}

// A receiver is what a call has returned, no stub, and arguments are there from the start.
func TestStubIsNoReceiver(t *testing.T) {
	body := newEnum(packageOf(t, "", `type I interface { Visit() I }
		func Wrap(i I) I { return i }`), Options{}).body()
	require.Contains(t, body, `c.Op("p.Wrap", func() {
i, result := is.Arg("i"), is.Result()
c.Do(func() {
result.V = p.Wrap(i.V)
c.Got(result)
})
})
`)
	require.Contains(t, body, `c.Do(func() {
result.V = i.V.Visit()
c.Got(result)
})
}).When(is.Any)
`)
}
