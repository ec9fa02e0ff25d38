package apigen

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Values of any type are of the types that the package tells apart. If it looks into them, they are
// made of each other, with the struct tags that it reads.
func TestAny(t *testing.T) {
	caseOf := regexp.MustCompile(`bigen\.(?:Case\[any\]|Tag)\("([^"]*)"`)
	cases := func(code string) (all []string) {
		for _, m := range caseOf.FindAllStringSubmatch(code, -1) {
			all = append(all, m[1])
		}
		return all
	}
	usual := []string{"nil", "bool", "int", "int64", "uint8", "float64", "string"}

	e := newEnum(packageOf(t, "", `func Keep(v any) {}`), Options{})
	require.Equal(t, usual, cases(e.basis()))
	require.Equal(t, "values", e.anyValue())

	e = newEnum(packageOf(t, `import ("fmt"; "time")`, `
		type Level int
		type hidden int
		func Print(v any) string {
			switch v := v.(type) {
			case Level, hidden, string, fmt.Stringer, interface{ Next() *Level }, any:
			case time.Duration:
			case []byte, map[string]any:
			case error:
				return v.Error()
			}
			_, _ = v.(time.Month)
			return ""
		}`), Options{})
	require.Equal(t, append(usual, "p.Level", "fmt.Stringer", "time.Duration", "time.Month"), cases(e.basis()))
	require.Equal(t, []string{"value", "[]byte", "map[string]any"}, cases(e.anyValue()))

	e = newEnum(packageOf(t, "", `
		type Token any
		func Put(t Token) {}`), Options{})
	require.Contains(t, e.body(), `api.Literals(bigen.Iso(values,
func(v any) p.Token { return v }, func(v p.Token) (any, bool) { return v, true })),`)

	p := packageOf(t, `import ("reflect"; "time")`, `
		func Month(v any) { _ = v.(time.Month) }
		func Day(v any) { _ = v.(time.Weekday) }
		func Encode(v any) string { return reflect.TypeOf(v).Name() }`)
	e = newEnum(p, Options{})
	require.Contains(t, strings.Join(cases(e.basis()), " "), "uint32")
	require.Contains(t, strings.Join(cases(e.basis()), " "), "time.Month time.Weekday")
	require.Equal(t, "api.Nested(values)", e.anyValue())
	long := strings.Repeat("x", 50)
	require.Equal(t, "a, "+long+",\n"+long+", b", wrapped([]string{"a", long, long, "b"}))
}

// Lists of any values have them as elements. Arrays and lists of constraints have no generator.
func TestAnyElements(t *testing.T) {
	p := packageOf(t, "", `type Key interface { any | []byte }
		type Keys []Key
		type List []any
		type Pair [2]any`)
	e := newEnum(p, Options{})
	require.Equal(t, "bigen.As[p.List](bigen.SliceOf(values, 0, 4))", e.generator(p.types.Scope().Lookup("List").Type(), 0))
	require.Empty(t, e.generator(p.types.Scope().Lookup("Pair").Type(), 0))
	require.Empty(t, e.generator(p.types.Scope().Lookup("Keys").Type(), 0))
}

// The first type that satisfies a constraint stands for a type parameter.
func TestTypeArguments(t *testing.T) {
	e := newEnum(packageOf(t, "", `
		func Sum[T ~int | ~int16](v T) T { return v }
		func Pair[K, V int8 | string](k K, v V) {}
		func Same[K, V comparable, M, N ~map[K]V](a M, b N) {}
		func Shown[T interface{ Show() }](v T) {}`), Options{})
	var names []string
	for _, o := range e.ops {
		names = append(names, o.name)
	}
	require.Equal(t, "p.Sum[int] p.Pair[string, string] p.Same[int, string, map[int]string, map[int]string]", strings.Join(names, " "))
	require.Equal(t, []Left{{"p.Shown", "no known type satisfies its constraints"}}, e.left)
}
