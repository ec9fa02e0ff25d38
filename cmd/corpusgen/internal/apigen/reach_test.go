package apigen

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Which types a test can write, and of which the values are used by pointers.
func TestReach(t *testing.T) {
	p := packageOf(t, `import "io"`, `
		type Pointed struct{ N int }
		func NewPointed() *Pointed { return nil }
		type Plain struct{ N int }
		func NewPlain() Plain { return Plain{} }
		type Number int
		func (n Number) Double() Number { return 2 * n }
		type Counter int
		func (c *Counter) Add() { *c++ }
		type Bare struct{ N int }
		type shown struct{}
		func (shown) Show(w io.Writer) {}
		func (shown) Hide(s shown) {}
		type silent struct{}
		var (
			AShown  shown
			ASilent silent
		)
		type Node struct {
			Name string
			Next *Node
			All  map[string]Node
			List []int
		}`)
	e := newEnum(p, Options{})
	for name, want := range map[string]bool{"Pointed": true, "Plain": false, "Number": false, "Counter": true, "Bare": true} {
		require.Equal(t, want, e.byPointer(namedType(p.types.Scope().Lookup(name))), name)
	}
	for name, want := range map[string]string{
		"AShown":  "interface{Show(w io.Writer)}", // not Hide: its parameter has no name in a test
		"ASilent": "",
	} {
		got := ""
		if v := e.visible(p.types.Scope().Lookup(name).Type()); v != nil {
			got = types.TypeString(v, types.RelativeTo(p.types))
		}
		require.Equal(t, want, got, name)
	}
	node := namedType(p.types.Scope().Lookup("Node")).Underlying().(*types.Struct)
	for i, want := range []bool{false, true, true, false} {
		require.Equal(t, want, e.structural(node.Field(i).Type()), node.Field(i).Name())
	}
}

// What calls return as an interface of another package is tested by its methods.
func TestOtherPackages(t *testing.T) {
	for _, c := range []struct{ name, imports, code, want string }{
		{"an interface", `"flag"`, `func New() flag.Value { return nil }`, "p.New value.Set value.String"},
		{"a context", `"context"`, `func New() context.Context { return nil }`, "p.New"},
		{"a type", `"flag"`, `func New() *flag.Flag { return nil }`, "p.New"},
		{"an argument", `"container/list"`, `func Use(l *list.List) {}; func Do() {}`, "p.Do"},
	} {
		var got []string
		for _, o := range newEnum(packageOf(t, "import "+c.imports, c.code), Options{}).ops {
			got = append(got, o.name)
		}
		slices.Sort(got)
		require.Equal(t, c.want, strings.Join(got, " "), c.name)
	}
}

// Each operation has a name of its own, whatever the types and functions are called.
func TestNamesDiffer(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"types with the same methods for a test", `
			type left struct{}
			func (*left) On(n int) {}
			func (*left) Same() *left { return nil }
			type right struct{}
			func (*right) On(n int) {}
			func (*right) Same() *right { return nil }
			func Left() *left { return nil }
			func Right() *right { return nil }`,
			"object.On p.Left p.Right"},
		{"types with other methods", `
			type left struct{}
			func (*left) On(n int) {}
			type right struct{}
			func (*right) On(n int) {}
			func (*right) Off() {}
			func Left() *left { return nil }
			func Right() *right { return nil }`,
			"object.On objectValue.Off objectValue.On p.Left p.Right"},
		{"a type with the name of the package", `
			type P struct{}
			func (*P) On(n int) {}
			func (*P) New() {}
			func New() *P { return nil }`,
			"p.New p.New with 2 p.On"},
	} {
		var got []string
		p := packageOf(t, "", c.code)
		for _, o := range newEnum(p, Options{}).ops {
			got = append(got, o.name)
		}
		slices.Sort(got)
		require.Equal(t, c.want, strings.Join(got, " "), c.name)
	}
}

// A harness imports internal packages only from where these may be imported.
func TestImportable(t *testing.T) {
	for _, c := range []struct {
		path, module string
		away, want   bool
	}{
		{"crypto/internal/a", "", false, true},
		{"crypto/internal/a", "", true, false},
		{"crypto/internal/a", "crypto", true, true}, // the harness is in the module
		{"net/internal/a", "", false, false},
		{"net/http", "", true, true},
	} {
		e := &enum{pkg: &Package{Path: "crypto/cipher", Module: c.module}, opts: Options{Away: c.away}}
		require.Equal(t, c.want, e.importable(c.path), c.path)
	}
}
