package gocode

import (
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/require"
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
}
