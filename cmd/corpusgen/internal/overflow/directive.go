package overflow

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// directives are the comments //espalier:wrap of a file.
type directives struct{ list []*directive }

type directive struct {
	at       string
	from, to int // lines
	used     bool
}

// wrap is the directive that allows operations to lose bits.
const wrap = "//espalier:wrap"

func findDirectives(fset *token.FileSet, file *ast.File) *directives {
	d := &directives{}
	docs := map[*ast.CommentGroup]*ast.FuncDecl{}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Doc != nil {
			docs[f.Doc] = f
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if text, ok := strings.CutPrefix(c.Text, wrap); !ok || text != "" && text[0] != ' ' {
				continue
			}
			at := fset.Position(c.Pos())
			one := &directive{at: fmt.Sprintf("%s:%d", at.Filename, at.Line), from: at.Line, to: at.Line}
			if f := docs[group]; f != nil {
				one.from, one.to = fset.Position(f.Pos()).Line, fset.Position(f.End()).Line
			}
			d.list = append(d.list, one)
		}
	}
	return d
}

// allow reports whether a directive allows an operation.
func (d *directives) allow(fset *token.FileSet, op operation) (allowed bool) {
	if len(d.list) == 0 {
		return false
	}
	from, to := fset.Position(op.pos()).Line, fset.Position(op.end()).Line
	for _, one := range d.list {
		if one.from <= to && from <= one.to {
			one.used, allowed = true, true
		}
	}
	return allowed
}

// unused says which directives allow nothing.
func (d *directives) unused() (notes []string) {
	for _, one := range d.list {
		if !one.used {
			notes = append(notes, one.at+": this "+wrap+" allows nothing: write it at the end of a line "+
				"with an operation that may overflow, or in the doc comment of a function with one")
		}
	}
	return notes
}
