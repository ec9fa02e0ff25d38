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
	const one = ", api.Stub[p.I](\"stubI{}\", stubI{}))"
	for _, c := range []struct{ name, imports, declarations, pool, code string }{
		{"no results", "", `type I interface { Visit(n *int, all ...string) }
			func Walk(i I) {}`, one, `type stubI struct{}

func (s stubI) Visit(*int, ...string) {}
`},
		{"an error", "", `type I interface { Get(key string) (s int, err error) }
			func Walk(i I) {}`, `, api.Stub[p.I]("stubI{s: 1}", stubI{s: 1}), api.Stub[p.I]("stubI{s: 2}", stubI{s: 2}), api.Stub[p.I]("stubI{s: 3}", stubI{s: 3}), api.Stub[p.I]("stubI{s: 5}", stubI{s: 5}), api.Stub[p.I]("stubI{on: true}", stubI{on: true}))`, `type stubI struct {
	s  int
	on bool
}

func (s stubI) Get(string) (r1 int, r2 error) {
	r1 = s.s
	if s.on {
		r2 = errors.New("error")
	}
	return
}
`},
		{"values", `import ("fmt"; "time")`, `type I interface { fmt.Stringer; All() (bool, time.Month, []byte, *T, map[string]T, any, I, func()) }
			type T struct{}
			func Walk(i I) {}`, `api.Stub[p.I]("stubI{all2: 3}", stubI{all2: 3}), api.Stub[p.I]("stubI{all1: true, all2: 5, string3: \"a\"}", `, `type stubI struct {
	all1    bool
	all2    time.Month
	string3 string
	on      bool
}

func (s stubI) All() (r1 bool, r2 time.Month, r3 []byte, r4 *p.T, r5 map[string]p.T, r6 any, r7 p.I, r8 func()) {
	r1 = s.all1
	r2 = s.all2
	if s.on {
		r3, r4, r5, r6, r7 = []byte{1}, new(p.T), map[string]p.T{}, "a", s
	}
	return
}

func (s stubI) String() (r1 string) {
	return s.string3
}
`},
		{"no instance of its own", "", `type I = G[int]
			type G[T any] interface { Add(T) I }
			func Walk(i G[int]) {}`, `, api.Stub[p.G[int]]("stubG{}", stubG{}), api.Stub[p.G[int]]("stubG{on: true}", stubG{on: true}))`, `type stubG struct{ on bool }

func (s stubG) Add(int) (r1 p.I) {
	if s.on {
		r1 = s
	}
	return
}
`},
		{"no name", "", `func Walk(i interface{ Less(a, b int) bool }) {}`, `("stubLess{}", stubLess{}), api.Stub[interface{Less(a int, b int) bool}]("stubLess{less1: true}", stubLess{less1: true}))`, "type stubLess struct{ less1 bool }\n"},
		{"the names of tests and of the user", "", `type Helper interface { Help() }
			func Walk(i Helper) {}`, `("stubHelperValues{}", stubHelperValues{})`, "type stubHelperValues struct{}\n"},
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
