package apigen

import (
	"strings"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/stretchr/testify/require"
)

// withText gives a package of packageOf the text that mistakes are made in.
func withText(t *testing.T, imports, declarations string) *Package {
	t.Helper()
	p := packageOf(t, imports, declarations)
	text := "package p\n" + imports + "\n" + declarations
	p.sources = []loader.File{{Syntax: p.files[0], Text: []byte(text)}}
	return p
}

// A package has the mistakes of package mistake, which link to package api.
func TestMistakes(t *testing.T) {
	m, err := withText(t, "", `func F(a int) bool { return a > 0 }`).Mistakes(Chosen, false)
	require.NoError(t, err)
	program, err := m.Compile(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, program.Mistakes)
	linked := false
	for _, text := range program.Texts {
		linked = linked || strings.Contains(string(text), "linkname espalierMade "+apiPath+".mistakeMade")
	}
	require.True(t, linked)
}

// What reaches beyond the process has none, unless that is confined.
func TestMistakesAreHarmless(t *testing.T) {
	p := withText(t, `import "os"`, `func F(a int) { if a > 0 { os.Exit(a) } }`)
	for _, confined := range []bool{false, true} {
		m, err := p.Mistakes(Chosen, confined)
		require.NoError(t, err)
		program, err := m.Compile(t.Context())
		require.NoError(t, err)
		require.Equal(t, confined, len(program.Mistakes) > 0)
	}
}

// A package that declares what mistakes need has none, and the error says why.
func TestMistakesShadowed(t *testing.T) {
	_, err := withText(t, "", `func F(a int) int { return a }; type bool int8`).Mistakes(Chosen, true)
	require.ErrorContains(t, err, "declares bool")
}
