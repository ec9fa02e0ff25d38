package apigen

import (
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What values of a type there are before any call, and which names they get.
func TestKind(t *testing.T) {
	p := packageOf(t, `import ("context"; "io"; "math/big"; "time")`, `
		type Point struct{ X, Y int }
		func (Point) Compare(Point) int { return 0 }
		func (Point) Less(Point) (bool, error) { return false, nil }
		type secret struct{ n int }
		func (s *secret) Show() string { return "" }
		func Use(any, error, context.Context, io.Reader, func(a, b int) int, func(int) bool, func(string) string, func(int) int, func(), func(int, ...string) error, *big.Int, Point, *Point, []byte, map[string]int, func(a, b any) int, func(a, b any) bool, func(a, b Point) int, func(a, b time.Time) bool, func(a, b []int) int, func(string, io.Reader) (io.Reader, error), func([]int, int) []int) {}
		func Double(n int) int { return 2 * n }
		func Make() *secret { return nil }
		func known(s string) bool { return s == "telling" }`)
	e := newEnum(p, Options{})
	const (
		ints  = "bigen.Prefer(bigen.IntRange[int](-10000, 10000), 0, 1, -1, 10, 100, 2)"
		texts = `bigen.Prefer(bigen.String(4000), known...)`
	)
	for _, c := range []struct{ typ, name, gen, exprs string }{
		{"any", "x", "values", `errors.New("error")`},
		{"error", "err", "", `io.EOF errors.New("error")`},
		{"context.Context", "context", "", strings.Join(e.standard(p.std("context").Scope().Lookup("Context").Type()), " ")},
		{"io.Reader", "reader", "", ""},
		{"func(a int, b int) int", "f", "", "cmp.Compare[int]"},
		{"func(a any, b any) int", "f", "", `func(any, any) (_ int) { log.add("f"); return }`},
		{"func(a any, b any) bool", "f", "", `func(any, any) bool { log.add("f"); return true } func(any, any) (_ bool) { log.add("f"); return }`},
		{"func(a example.com/p.Point, b example.com/p.Point) int", "f", "", `func(a p.Point, b p.Point) (_ int) { log.add("f", a.X, a.Y, b.X, b.Y); return }`},
		{"func(a time.Time, b time.Time) bool", "f", "", `func(time.Time, time.Time) bool { log.add("f"); return true } func(time.Time, time.Time) (_ bool) { log.add("f"); return }`},
		{"func(a []int, b []int) int", "f", "", `func(a []int, b []int) (_ int) { log.add("f", a, b); return }`},
		{"func(int) bool", "f", "", `func(a1 int) bool { log.add("f", a1); return true } func(a1 int) (_ bool) { log.add("f", a1); return }`},
		{"func(string) string", "f", "", `func(v string) string { return v } func(a1 string) (_ string) { log.add("f", a1); return }`},
		{"func(int) int", "f", "", `func(v int) int { return v } func(a1 int) (_ int) { log.add("f", a1); return }`},
		{"func()", "f", "", `func() { log.add("f") }`},
		{"func(int, ...string) error", "f", "", `func(a1 int, a2 ...string) (failed error) { log.add("f", a1, a2); failed = errors.New("error"); return } func(a1 int, a2 ...string) (_ error) { log.add("f", a1, a2); return }`},
		{"func(string, io.Reader) (io.Reader, error)", "f", "", `func(_ string, v1 io.Reader) (io.Reader, error) { return v1, nil } func(a1 string, _ io.Reader) (_ io.Reader, failed error) { log.add("f", a1); failed = errors.New("error"); return } func(a1 string, _ io.Reader) (_ io.Reader, _ error) { log.add("f", a1); return }`},
		{"func([]int, int) []int", "f", "", `func(v []int, _ int) []int { return v } func(a1 []int, a2 int) (_ []int) { log.add("f", a1, a2); return }`},
		{"*math/big.Int", "int", "bigen.For[*big.Int]()", ""},
		{"example.com/p.Point", "point", "", ""},
		{"*example.com/p.Point", "point", "", ""},
		{"[]byte", "data", `bigen.Prefer(bigen.Bytes(0, 4000), knownBytes...)`, ""},
		{"map[string]int", "m", "bigen.MapOf(" + texts + ", " + ints + ", 0, 4)", ""},
	} {
		var found *kind
		for v := range p.types.Scope().Lookup("Use").(*types.Func).Signature().Params().Variables() {
			if types.TypeString(v.Type(), nil) == c.typ {
				found = e.kind(v.Type())
			}
		}
		require.NotNil(t, found, c.typ)
		name, _ := wordsOf(found.typ)
		require.Equal(t, c.name, name, c.typ)
		require.Equal(t, c.gen, found.gen, c.typ)
		require.Equal(t, c.exprs, strings.Join(found.exprs, " "), c.typ)
		require.Equal(t, c.gen+c.exprs != "", (&kind{gen: found.gen, exprs: found.exprs}).always(), c.typ)
	}
}
