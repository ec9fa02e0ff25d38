package apigen

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What is written for an operation.
func TestWriteOp(t *testing.T) {
	for _, c := range []struct{ name, declarations, want string }{
		{"a function", `func Sum(a, b int) int { return a + b }`, `c.Op("p.Sum", func() {
a, b := ints.Arg("a"), ints.Arg("b")
c.Do(func() {c.Got(p.Sum(a.V, b.V))})
})
`},
		{"a constructor", `type T struct{ n int }
			func New() (*T, error) { return nil, nil }
			func (t *T) Do() {}`, `c.Op("p.New", func() {
t := ts.Result()
c.Do(func() {
v, err := p.New()
t.V = v
c.Got(t, err)
})
})
`},
		{"a method", `type T struct{ n int }
			func New() *T { return nil }
			func (t *T) Do(other *T) {}`, `c.Op("t.Do", func() {
t, other := ts.Arg("t"), ts.Arg("other")
c.Do(func() {t.V.Do(other.V)})
}).When(ts.Any)
`},
		{"a variadic function", `func Join(sep string, all ...string) string { return "" }`, `c.Op("p.Join with 1", func() {
sep, all := texts.Arg("sep"), texts.Arg("all")
c.Do(func() {c.Got(p.Join(sep.V, all.V))})
})
`},
		{"a field", `type T struct{ N int }
			func New() *T { return nil }`, `c.Op("t.N =", func() {
t, n := ts.Arg("t"), ints.Arg("n")
c.Do(func() {t.V.N = n.V})
}).When(ts.Any)
`},
		{"parts", `type T struct{ N int; F func() }
			func Do(t T) {}`, `c.Op("p.T{N: n, F: f}", func() {
n, f, tValue := ints.Arg("n"), funcs.Arg("f"), tsValue.Result()
c.Code("p.T{N: %v, F: %v}", n, f)
c.Do(func() {
tValue.V = p.T{N: n.V, F: f.V}
c.Got(tValue)
})
})
`},
		{"the first", `type T struct{ n int }
			func (t *T) Do() {}
			func All() []*T { return nil }`, `c.Op("ts[0]", func() {
ts2, t := tSlices.Arg("ts"), ts.Result()
c.Code("%v[0]", ts2)
c.Do(func() {
t.V = ts2.V[0]
c.Got(t)
})
}).When(tSlices.Any).MayPanic()
`},
		{"a sequence", `func Each() func(func(int) bool) { return nil }`, `c.Op("range f", func() {
f, most := funcs.Arg("f"), ints.Arg("most")
c.Code("func() (all []int) {\n\tfor v := range %v {\n\t\tall = append(all, v)\n\t\tif len(all) >= %v {\n\t\t\tbreak\n\t\t}\n\t}\n\treturn all\n}()", f, most)
c.Do(func() {
c.Got(func() (all []int) {
	for v := range f.V {
		all = append(all, v)
		if len(all) >= most.V {
			break
		}
	}
	return all
}())
})
})
`},
		{"a comment that warns", `// Do panics if n is odd.
			func Do(n int) {}`, `c.Op("p.Do", func() {
n := ints.Arg("n")
c.Do(func() {p.Do(n.V)})
}).MayPanic()
`},
		{"a comment that says how long it runs", `// Do runs the loop until ctx is canceled.
			func Do(n int) {}`, `c.Op("p.Do", func() {
n := ints.Arg("n")
c.Do(func() {p.Do(n.V)})
}).MayPanic()
`},
		{"a name that warns", `func MustDo(n int) {}`, `c.Op("p.MustDo", func() {
n := ints.Arg("n")
c.Do(func() {p.MustDo(n.V)})
}).MayPanic()
`},
		{"a method that releases, as its comment says", "type T struct{ n int }\nfunc New() *T { return nil }\n// Close returns t to a pool. It must not be used after that, and panics if it was.\nfunc (t *T) Close() {}", `c.Op("t.Close", func() {
t := ts.Arg("t")
c.Do(func() {t.V.Close()})
}).When(ts.Any).Unready().MayPanic()
`},
		{"a function that releases", `type T struct{ n int }
			func New() *T { return nil }
			func Release(t *T) {}`, `c.Op("p.Release", func() {
t := ts.Arg("t")
c.Do(func() {p.Release(t.V)})
}).When(ts.Any)
`},
		{"a part of a structure", `type Node struct { Key int; next *Node }
			func Parse() *Node { return nil }`, `c.Op("node.Key =", func() {
node, key := nodes.Arg("node"), ints.Arg("key")
c.Do(func() {node.V.Key = key.V})
}).When(nodes.Any).Unready()
`},
		{"an option", `type Scanner struct { Key int }
			func New() *Scanner { return nil }`, `c.Op("scanner.Key =", func() {
scanner, key := scanners.Arg("scanner"), ints.Arg("key")
c.Do(func() {scanner.V.Key = key.V})
}).When(scanners.Any)
`},
		{"a zero value", `type T struct{ N int }
			func (t *T) Init() {}`, `c.Op("new(p.T)", func() {
t := ts.Result()
c.Do(func() {
t.V = new(p.T)
c.Got(t)
})
}).Unready()
`},
	} {
		require.Contains(t, "\n"+newEnum(packageOf(t, "", c.declarations), Options{}).body(), "\n"+c.want, c.name)
	}
}

// A new pointer to a value without identity is usable. A struct may do without one.
func TestPointed(t *testing.T) {
	e := newEnum(packageOf(t, "", `type Options struct { N *int }
		func Use(o Options) {}
		func Count(n *int) {}`), Options{})
	body := e.body()
	require.Contains(t, body, `c.Do(func() {*nPtr.V = value.V})
}).When(nPtrs.Any)
`)
	require.Contains(t, body, `c.Do(func() {p.Count(n.V)})
}).When(nPtrs.Any)
`)
	require.Contains(t, body, `optionsValue.V = p.Options{N: n.V}
c.Got(optionsValue)
})
})
`)
	require.NotContains(t, body, ".Unready()")
}

// A result that is an interface cannot be a condition.
func TestOfInterfaces(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"if got1 := f(a || b); !got1 {":    "if got1 := f(a || b); got1 != true {",
		"if got1 {\n\tt.Error(`!got1`)\n}": "if got1 != false {\n\tt.Error(`!got1`)\n}",
		"\tif got1, got2 := f(); got1 != 2 || got2 {": "\tif got1, got2 := f(); " +
			"got1 != 2 || got2 != false {",
		"if got1 := f(); len(got1) != 2 {": "if got1 := f(); reflect.ValueOf(got1).Len() != 2 {",
		"if !reflect.DeepEqual(got1, x) {": "if !reflect.DeepEqual(got1, x) {",
	} {
		require.Equal(t, want, ofInterfaces(code))
	}
}
