package apigen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// The expressions of a type have that type.
func TestStandard(t *testing.T) {
	for i, s := range standards {
		if i%long.Count(8, 1) > 0 {
			continue
		}
		e := newEnum(packageOf(t, "", ""), Options{})
		typ := s.typ
		if dot := strings.LastIndexByte(typ, '.'); dot > 0 {
			path := strings.TrimPrefix(typ[:dot], "*")
			typ = strings.Replace(typ, path, e.imports.named(path), 1)
		}
		text := "package p\n\nimport ()\n\n"
		for _, x := range s.exprs {
			text += fmt.Sprintf("var _ %s = %s\n", typ, strings.ReplaceAll(x, "$.", e.imports.named(s.path)+"."))
		}
		file, err := (&Harness{names: e.imports.names}).file(text, nil)
		require.NoError(t, err)
		packageOf(t, strings.TrimPrefix(string(file), "package p\n"), "")
	}
}

// A struct that is data is made of its fields.
func TestData(t *testing.T) {
	body := newEnum(packageOf(t, `import ("image"; "net/http"; "strings")`,
		`func Draw(r image.Rectangle) {}
		func Read(c http.Cookie, s strings.Reader) {}
		func Move(p image.Point) {}`), Options{}).body()
	require.Contains(t, body, "image.Point{X: x.V, Y: y.V}")
	require.Contains(t, body, "image.Rectangle{Min: min.V, Max: max.V}")
	require.NotContains(t, body, "http.Cookie{")
	require.NotContains(t, body, "strings.Reader{")
}
