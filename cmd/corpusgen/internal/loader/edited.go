package loader

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// Oldest is the oldest release of Go with what edited files need: type parameters.
const Oldest = "go1.18"

// Upgrade lets the text of an edited file of an older module use type parameters, by a build
// constraint. A file that has one has been chosen by it already. No line moves.
func Upgrade(fset *token.FileSet, f File, text []byte) []byte {
	const constraint = "//go:build "
	for _, group := range f.Syntax.Comments {
		for _, c := range group.List {
			if c.Pos() < f.Syntax.Package && strings.HasPrefix(c.Text, constraint) {
				return bytes.Replace(text, []byte(c.Text), []byte(constraint+Oldest), 1)
			}
		}
	}
	name := fset.PositionFor(f.Syntax.Pos(), false).Filename
	return fmt.Appendf(nil, "%s%s\n\n//line %s:1\n%s", constraint, Oldest, name, text)
}

// Unused returns a prefix of names that files do not use.
func Unused(files []File) string {
	for n := 1; ; n++ {
		prefix, used := "espalier", false
		if n > 1 {
			prefix += fmt.Sprint(n)
		}
		for _, f := range files {
			ast.Inspect(f.Syntax, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				used = used || ok && strings.HasPrefix(id.Name, prefix)
				return !used
			})
		}
		if !used {
			return prefix
		}
	}
}
