package mistake

import (
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/stretchr/testify/require"
)

// A package may declare what Go predeclares: it has mistakes that compile, or it is known that it
// cannot have them.
func TestShadowed(t *testing.T) {
	for _, name := range types.Universe.Names() {
		for _, declare := range []string{"type %s struct{}", "func %s() {}", "var %s struct{}"} {
			code := "package p\n\nfunc F(a, b uintptr) { if a < b { F(b+1, a) }; println(-a); a++; b += a }\n\n" +
				strings.ReplaceAll(declare, "%s", name) + "\n"
			if name == "uintptr" || name == "println" {
				code = strings.ReplaceAll(code, "F(a, b uintptr)", "F(a, b uint)")
				code = strings.ReplaceAll(code, "println(-a); ", "")
			}
			f, err := parser.ParseFile(token.NewFileSet(), "p.go", code, parser.SkipObjectResolution)
			require.NoError(t, err)
			if Shadowed([]loader.File{{Syntax: f}}) != "" {
				require.Equal(t, name, Shadowed([]loader.File{{Syntax: f}}))
				continue
			}
			g, err := packageOf(t, code).Compile(t.Context())
			require.NoError(t, err, code)
			require.Zero(t, g.Left, code)
			require.NotEmpty(t, g.Mistakes)
		}
	}
	for code, want := range map[string]string{
		"type error string":                                      "",
		"type string []byte":                                     "string",
		"func (t T) len(); type T struct { int int }":            "",
		"func F(len int, string []byte) (error bool) { return }": "",
		"const (a = 1; nil = 2)":                                 "nil",
		"var x, string = 1, 2":                                   "string",
		"func append() {}":                                       "",
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p; "+code,
			parser.SkipObjectResolution)
		require.NoError(t, err)
		require.Equal(t, want, Shadowed([]loader.File{{Syntax: f}}), code)
	}
}
