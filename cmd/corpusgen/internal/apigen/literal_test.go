package apigen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Literals of the package that tell most join the usual ones; what only messages hold does not.
func TestLiterals(t *testing.T) {
	p := packageOf(t, `import "fmt"`, `
		type Level uint8
		const (
			Low  Level = 3
			High Level = 200
		)
		type Flag uint8
		const (
			Bold Flag = 1 << iota
			Italic
			Under
		)
		type Color int
		const (
			Red Color = iota
			Green
			Blue
		)
		type Unit string
		const (
			Metre  Unit = "m"
			Second Unit = "s"
			Broken Unit = "\xff" // no generator of texts makes it
		)
		type Share float64
		const (
			All  Share = 1
			Half Share = 0.5
			Most Share = 0.9
		)
		var (
			unit Unit
			share Share
			color Color
			flag Flag
			level Level
			small int8
			large uint64
			ratio float64
			wave  complex128
			yes   bool
			text  string
		)
		func parse(s string) bool { return s == "magic" || len(s) == 4096 || len(s) == 123456 }
		func again(s string) bool { return s == "magic" || len(s) == 300 }
		func say() { fmt.Println("a message", 77) }`)
	tested, err := parser.ParseFile(p.fset, "p_test.go", `package p
		func TestParse(t *testing.T) {
			for _, c := range []struct{ name, text string }{{name: "a case", text: "1.2.3"}, {"second", "1.2.4"}} {
				t.Run("third", func(t *testing.T) {
					if !parse(c.text) { t.Errorf("a message") }
				})
			}
			for _, c := range []test{{"fourth", "2*3"}} {
				parse(c.text)
			}
			parse(longText)
			parse(`+"`"+strings.Repeat("<a>\n", 100)+"`"+`)
		}
		const longText = "`+strings.Repeat("`", 4*maxTestedLen)+`"
		const longest = "`+strings.Repeat("b", maxLongLen+1)+`"
		type test struct{ description, text string }`, 0)
	require.NoError(t, err)
	p.tests = []*ast.File{tested}
	e := newEnum(p, Options{})
	for name, want := range map[string]string{
		"level": `0 1 10 100 200 3`,
		"small": `0 1 -1 10 100 3`,
		"large": `0 1 10 100 200 3 300 4096`,
		"ratio": `0 1 -1 0.5 10 100`,
		"wave":  `0 1 1i`,
		"yes":   `false true`,
		"text":  "",
		"color": `p.Red p.Green p.Blue`, // and no others
		"unit":  "",
		"share": `0 1 -1 0.5 10 100`,
		"flag":  `0 1 10 100 200 3`,
	} {
		require.Equal(t, want, strings.Join(e.literals(p.types.Scope().Lookup(name).Type()), " "), name)
	}
	require.Equal(t, []string{"", "a", "b", "ab", "magic", "m", "s", "1.2.3", "2*3", "1.2.4", strings.Repeat("<a>\n", 100), strings.Repeat("`", 4*maxTestedLen)}, e.texts)
	code := e.known(knownTexts + "...")
	require.Contains(t, code, "`<a>\n<a>\n")
	require.Contains(t, code, "\"``")
}

// A large enumeration has its range alone.
func TestLargeEnumeration(t *testing.T) {
	p := packageOf(t, "", "type Feature int; const (\nFirst Feature = 2 + iota\n"+strings.Repeat("_\n", 5)+"Second\n)")
	list := ""
	for i := range maxEnum {
		list += fmt.Sprintf("F%d\n", i)
	}
	whole := packageOf(t, "", "type Feature int; const (\nFirst Feature = 2 + iota\n"+list+")")
	for p, want := range map[*Package]string{
		p:     "bigen.Prefer(bigen.IntRange[p.Feature](-10000, 10000), 0, 1, -1, 10, 100, 2)",
		whole: "bigen.Prefer(bigen.IntRange[p.Feature](-10000, 10000), 0, 1, -1, 10, 100, 2)",
	} {
		require.Equal(t, want, newEnum(p, Options{}).basic(p.types.Scope().Lookup("Feature").Type()))
	}
}

// Of many texts, the first few have most of the words, those first that most texts have.
func TestWordiest(t *testing.T) {
	texts := []string{"a", "b", "x and y", "a and b", "(a and b)", "not c", "(a)"}
	require.Equal(t, []string{"(a and b)", "x and y", "not c", "a"}, wordiest(texts)[:4])
}
