package interleave

import (
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/overflow"
)

const sums = `// Package p adds.
package p

var shared int

func f(x int) {
	shared += x
	shared++
}

func g(x int) int { return -x }

func h() {}
`

// program reads a package of one file, which is of a module that asks for a release.
func sumsOf(t *testing.T, release string) (*program, *unit) {
	found, err := loader.List(t.Context(), []string{"-deps"}, pointPath)
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte(sums), 0o666))
	l := loader.Package{ImportPath: "p", Dir: dir, GoFiles: []string{"a.go"},
		Module: &loader.Module{Path: "p", Dir: dir, GoVersion: release}}
	p := newProgram()
	require.NoError(t, p.check(l, loader.Exports(found)))
	p.checks, err = newChecks(l)
	require.NoError(t, err)
	return p, p.units[0]
}

// Files get checks after points, on the same lines.
func TestChecked(t *testing.T) {
	t.Parallel()
	for _, pointed := range []bool{false, true} {
		p, u := sumsOf(t, "1.25")
		var texts map[*loader.File][]byte
		if pointed {
			p.findShared()
			texts = p.rewritten(u)
			require.Len(t, texts, 1)
		}
		texts, err := p.checked(u, texts)
		require.NoError(t, err)
		text := string(texts[&u.files[0]])
		lines := strings.Split(text, "\n")
		assert.Equal(t, pointed, strings.Contains(lines[6], "espalierPoint.Before(shared)"), text)
		assert.Contains(t, lines[6], "espalierOverflow.Add(")
		assert.Contains(t, lines[7], "espalierOverflow.Add(")
		assert.Contains(t, lines[10], "return espalierOverflow.Neg(x)")
		assert.Equal(t, 3, p.checks.sites.Checked)
		assert.Empty(t, p.notes)
	}
}

// Files of modules without type parameters ask for a release with them. Lines keep their numbers.
func TestCheckedOld(t *testing.T) {
	t.Parallel()
	p, u := sumsOf(t, "1.12")
	texts, err := p.checked(u, nil)
	require.NoError(t, err)
	assert.Regexp(t, `^//go:build go1.18\n\n//line .*a.go:1\n// Package p adds.\n`,
		string(texts[&u.files[0]]))
	assert.Empty(t, p.notes)

	p, u = sumsOf(t, "1.12")
	p.points = true
	p.findShared()
	texts = p.rewritten(u)
	assert.Empty(t, p.notes)
	text := string(texts[&u.files[0]])
	assert.Regexp(t, `^//go:build go1.18\n\n//line .*a.go:1\n// Package p adds.\n`, text)
	assert.Contains(t, text, "espalierPoint.Before(shared)")
}

// What does not compile with checks has none, and a line says so.
func TestCheckedFallsBack(t *testing.T) {
	t.Parallel()
	p, u := sumsOf(t, "1.25")
	p.checks.pkg = types.NewPackage(p.checks.path, filepath.Base(overflow.Dir))
	p.checks.pkg.MarkComplete()
	texts, err := p.checked(u, nil)
	require.NoError(t, err)
	assert.Empty(t, texts)
	assert.Zero(t, p.checks.sites.Checked)
	require.Len(t, p.notes, 2)
	assert.Contains(t, p.notes[0], "a.go:7: this assignment cannot be checked for overflow, so "+
		"nothing in function f is: please report it")
	assert.Contains(t, p.notes[1], "so nothing in function g is")
}
