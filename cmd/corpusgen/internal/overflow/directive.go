package overflow

import (
	"go/ast"
	"go/token"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
)

// wrap is the directive that allows operations to lose bits.
const wrap = "//espalier:wrap"

func findDirectives(fset *token.FileSet, file *ast.File) *gosource.Directives {
	return gosource.FindDirectives(fset, file, wrap)
}

// unused says which directives allow nothing.
func unused(d *gosource.Directives) (notes []string) {
	for _, at := range d.Unused() {
		notes = append(notes, at+": this "+wrap+" allows nothing: write it at the end of a line "+
			"with an operation that may overflow, or in the doc comment of a function with one")
	}
	return notes
}
