package gocode

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAsStatement(t *testing.T) {
	for code, want := range map[string]string{
		"x.F(1)":              "x.F(1)",
		"f[int]()":            "f[int]()",
		"func() {}()":         "func() {}()",
		"f()()":               "f()()",
		"x := 1":              "x := 1",
		"delete(m, 1)":        "delete(m, 1)",
		"len(s)":              "_ = len(s)",
		"new(T)":              "_ = new(T)",
		"x.Field":             "_ = x.Field",
		`[]byte("a")`:         `_ = []byte("a")`,
		"(*T)(nil)":           "_ = (*T)(nil)",
		"map[int]int(m)":      "_ = map[int]int(m)",
		"interface{ M() }(x)": "_ = interface{ M() }(x)",
	} {
		require.Equal(t, want, AsStatement(code))
	}
}

func TestShorten(t *testing.T) {
	require.Equal(t, "a", Shorten("a"))
	long := strings.Repeat("a", MaxResult-1) + "ä"
	require.Equal(t, strings.Repeat("a", MaxResult-1)+"...", Shorten(long))
	require.Equal(t, long[:MaxResult-1]+"b", Shorten(long[:MaxResult-1]+"b"))
	require.Equal(t, "a b c", OneLine(" a\n\tb  c\n"))
	for code, want := range map[string]string{
		"":                          "",
		"x":                         "x",
		"[]int{\n\t1, 0,\n\t2,\n}":  "[]int{1, 0, 2}",
		"[]string{\n\t\"a  b\",\n}": `[]string{"a  b"}`,
		"m{\n\t\"a\":   f(\n\t\tx,\n\t),\n\t\"bcd\": nil, /* ... */\n}": `m{"a": f(x), "bcd": nil, /* ... */}`,
		"struct {\n\tA int\n\tB T\n}{1, -2}":                            "struct {A int; B T}{1, -2}",
		"&T{X: 'a' + 1.5}":                                              "&T{X: 'a' + 1.5}",
	} {
		require.Equal(t, want, Flat(code))
	}
}

// A composite literal needs parentheses in the header of an if statement.
func TestInHeader(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"f(T{1})":           "f(T{1})",
		"T{1}":              "(T{1})",
		"p.T{1, 2}.Cut(3)":  "(p.T{1, 2}.Cut(3))",
		"x != p.T{1}":       "(x != p.T{1})",
		"x == nil":          "x == nil",
		"no code":           "no code",
		`x != "a{b}"`:       `x != "a{b}"`,
		"f(func() { g() })": "f(func() { g() })",
	} {
		require.Equal(t, want, InHeader(code))
	}
}

func TestBrief(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 60)
	for code, want := range map[string]string{
		"f(1)":                 "f(1)",
		"a.f(" + long + ")":    "a.f(...)",
		long:                   long,
		"func() {\n\tf()\n}()": "func() {\n\tf()\n}()",
		"func() (n int) {\n\tfor range a.B(1) {\n\t\tn++\n\t}\n\treturn n\n}()": "range a.B(1)",
	} {
		require.Equal(t, want, Brief(code))
	}
}
