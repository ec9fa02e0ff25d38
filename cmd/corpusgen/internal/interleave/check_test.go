package interleave

import (
	"go/ast"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const soundA = `package p

var shared int

func f(c chan int) {
	shared++
	select {
	case c <- 1:
	default:
	}
}

func g() { shared++ }
`

const soundB = `package p

var clash int

func h() { shared++ }
`

// If edits do not compile, a function, a file or a package has no points, and one line says so.
// Edits that are right remain.
func TestFlaws(t *testing.T) {
	t.Parallel()
	found, err := loader.List(t.Context(), []string{"-deps"}, pointPath)
	require.NoError(t, err)
	exports := loader.Exports(found)
	inSelect := func(edit string) func(*rewriter, ast.Node) {
		return func(w *rewriter, n ast.Node) {
			if s, ok := n.(*ast.SelectStmt); ok {
				w.Close(s.Body.Lbrace+1, edit)
			}
		}
	}
	const whole = "so the file has none"
	const f = "a.go:7: this select statement cannot have points, so function f has none, and no " +
		"schedule delays goroutines there: please report it "
	for name, c := range map[string]struct {
		edit    func(*rewriter, ast.Node)
		notes   []string
		pointed []string // functions that have points
	}{
		"sound":             {nil, nil, []string{"f", "g", "h"}},
		"a wrong type":      {inSelect(` var _ int = ""; case 7: `), []string{f}, []string{"g", "h"}},
		"an unknown name":   {inSelect(" case none: "), []string{f}, []string{"g", "h"}},
		"two":               {inSelect(" case none, nothing: "), []string{f}, []string{"g", "h"}},
		"no syntax":         {inSelect(" case ( "), []string{"a.go:8: this send "}, []string{"g", "h"}},
		"a brace too many":  {inSelect(" }}} "), []string{"function f has none"}, []string{"g", "h"}},
		"an import":         {atName("; import _ \"none\""), []string{whole}, []string{"h"}},
		"an unused import":  {atName("; import \"none\""), []string{whole}, []string{"h"}},
		"a name of another": {atName("; var clash = 1"), []string{whole}, []string{"h"}},
		"everything":        {everywhere, []string{"function f", "function g", "function h"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range map[string]string{"a.go": soundA, "b.go": soundB} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
			}
			p := newProgram()
			p.sabotage = c.edit
			l := loader.Package{ImportPath: "p", Dir: dir, GoFiles: []string{"a.go", "b.go"}}
			require.NoError(t, p.check(l, exports))
			p.findShared()
			u := p.units[0]
			var pointed []string
			texts := p.rewritten(u)
			for i := range u.files {
				text := string(u.files[i].Text)
				if other, ok := texts[&u.files[i]]; ok {
					text = string(other)
				}
				for _, part := range strings.Split(text, "\nfunc ")[1:] {
					if name, body, _ := strings.Cut(part, "("); strings.Contains(body, "espalierPoint.Here") {
						pointed = append(pointed, name)
					}
				}
			}
			require.Equal(t, c.pointed, pointed)
			require.Len(t, p.notes, len(c.notes))
			for i, note := range p.notes {
				require.Contains(t, note, c.notes[i])
			}
		})
	}
}

// Packages of the standard library compile with points, and so do the packages of this module.
func TestOthersCompile(t *testing.T) {
	if !long.Enabled() {
		t.Skip("it takes 15 seconds of CPU time")
	}
	found, err := loader.List(t.Context(), []string{"-deps"}, "net/http", "go/types", "encoding/json",
		"github.com/espalier-go/espalier/...")
	require.NoError(t, err)
	exports := loader.Exports(found)
	compiled := 0
	for _, l := range found {
		if len(l.GoFiles) == 0 || l.Error != nil || l.ImportPath == "unsafe" || l.ImportPath == "sync" ||
			strings.HasSuffix(l.ImportPath, ".test") {
			continue
		}
		p := newProgram()
		if p.check(l, exports) != nil {
			continue // it needs what cgo makes
		}
		p.findShared()
		p.notes = nil
		p.rewritten(p.units[0])
		assert.Empty(t, p.notes, l.ImportPath)
		compiled++
	}
	require.Greater(t, compiled, 300)
}

// atName returns edits after the name of the package in the first file.
func atName(edit string) func(*rewriter, ast.Node) {
	return func(w *rewriter, n ast.Node) {
		if n == ast.Node(w.file) && w.file == w.files[0].Syntax {
			w.Close(w.file.Name.End(), edit)
		}
	}
}

func everywhere(w *rewriter, n ast.Node) {
	if f, ok := n.(*ast.FuncDecl); ok {
		w.Insert(f.Body.Lbrace+1, " none(); ")
	}
}
