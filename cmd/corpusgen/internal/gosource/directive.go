package gosource

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// Directives are the comments of a file that begin with a word such as //espalier:wrap. One at the
// end of a line is about the line, one in the doc comment of a function about the function.
type Directives struct {
	fset *token.FileSet
	list []*directive
}

type directive struct {
	at, reason string
	from, to   int // lines
	used       bool
}

// FindDirectives returns the comments of a file that begin with a word.
func FindDirectives(fset *token.FileSet, file *ast.File, word string) *Directives {
	d := &Directives{fset: fset}
	docs := map[*ast.CommentGroup]*ast.FuncDecl{}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Doc != nil {
			docs[f.Doc] = f
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			text, ok := strings.CutPrefix(c.Text, word)
			if !ok || text != "" && text[0] != ' ' {
				continue
			}
			at := fset.Position(c.Pos())
			one := &directive{
				at: fmt.Sprintf("%s:%d", at.Filename, at.Line), reason: strings.TrimSpace(text),
				from: at.Line, to: at.Line,
			}
			if f := docs[group]; f != nil {
				one.from, one.to = fset.Position(f.Pos()).Line, fset.Position(f.End()).Line
			}
			d.list = append(d.list, one)
		}
	}
	return d
}

// Cover reports whether a directive is about a line of what is from pos to end, and notes its use.
func (d *Directives) Cover(pos, end token.Pos) (covered bool) {
	if len(d.list) == 0 {
		return false
	}
	from, to := d.fset.Position(pos).Line, d.fset.Position(end).Line
	for _, one := range d.list {
		if one.from <= to && from <= one.to {
			one.used, covered = true, true
		}
	}
	return covered
}

// Unused returns where directives are that cover nothing.
func (d *Directives) Unused() (places []string) {
	for _, one := range d.list {
		if !one.used {
			places = append(places, one.at)
		}
	}
	return places
}

// Bare returns where directives are that give no reason.
func (d *Directives) Bare() (places []string) {
	for _, one := range d.list {
		if one.reason == "" {
			places = append(places, one.at)
		}
	}
	return places
}

// Nosplit reports whether a function may not call others.
func Nosplit(n *ast.FuncDecl) bool {
	return n.Doc != nil && slices.ContainsFunc(n.Doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//go:nosplit")
	})
}
