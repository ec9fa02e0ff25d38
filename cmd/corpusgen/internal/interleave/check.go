package interleave

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
)

// A flaw is why a package does not compile.
type flaw struct {
	error
	at   token.Position // as line directives have it
	file string
}

// key identifies a flaw in the package as it is, and with points.
func (f flaw) key() string { return fmt.Sprintf("%s:%d: %v", f.at.Filename, f.at.Line, f.error) }

// errors type-checks files of the package.
func (u *unit) errors(fset *token.FileSet, files []loader.File, info *types.Info) (found []flaw) {
	var syntax []*ast.File
	for _, f := range files {
		syntax = append(syntax, f.Syntax)
	}
	config := u.config
	config.Error = func(err error) {
		if e := (types.Error{}); errors.As(err, &e) {
			found = append(found, flaw{errors.New(e.Msg), fset.Position(e.Pos),
				fset.PositionFor(e.Pos, false).Filename})
		}
	}
	_, _ = config.Check(u.path, fset, syntax, info)
	return found
}

// rewritten returns the texts of files of a package with points, which compile. A function whose
// points do not compile has none. If that does not help, its file has none, or the whole package.
func (p *program) rewritten(u *unit) map[*loader.File][]byte {
	left := map[ast.Node]bool{}
	for {
		texts := map[*loader.File][]byte{}
		for i := range u.files {
			if text, ok := u.rewrite(p, u.files[i], left); ok {
				texts[&u.files[i]] = text
			}
		}
		found := u.flaws(p, texts)
		if len(found) == 0 {
			return texts
		}
		for _, f := range found {
			if !p.leave(u, f, left) {
				return nil
			}
		}
	}
}

// flaws returns what is wrong with the files of a package with points, and not without.
func (u *unit) flaws(p *program, texts map[*loader.File][]byte) (found []flaw) {
	if len(texts) == 0 {
		return nil
	}
	var files []loader.File
	for i := range u.files {
		f := u.files[i]
		if text, ok := texts[&u.files[i]]; ok {
			name := p.fset.PositionFor(f.Syntax.Pos(), false).Filename
			syntax, err := parser.ParseFile(p.fset, name, text, parser.SkipObjectResolution)
			if list := (scanner.ErrorList{}); errors.As(err, &list) {
				found = append(found, flaw{errors.New(list[0].Msg), list[0].Pos, name})
				continue
			}
			f = loader.File{Syntax: syntax, Text: text}
		}
		files = append(files, f)
	}
	if len(found) > 0 {
		return found
	}
	for _, f := range u.errors(p.fset, files, nil) {
		if !u.known[f.key()] {
			found = append(found, f)
		}
	}
	return found
}

// leave leaves a function without points because of a flaw in it, or a file. It reports false if
// the whole package is left.
func (p *program) leave(u *unit, f flaw, left map[ast.Node]bool) bool {
	for _, file := range u.files {
		if p.fset.PositionFor(file.Syntax.Pos(), false).Filename != f.file {
			continue
		}
		for _, decl := range file.Syntax.Decls {
			from, to := p.fset.Position(decl.Pos()), p.fset.Position(decl.End())
			if from.Filename != f.at.Filename || f.at.Line < from.Line || f.at.Line > to.Line {
				continue
			}
			if left[decl] {
				break
			}
			left[decl] = true
			p.lost(f, p.construct(file.Syntax, f.at.Line), named(decl))
			return true
		}
		if !left[file.Syntax] {
			left[file.Syntax] = true
			p.lost(f, "code", "this file")
			return true
		}
	}
	p.lost(f, "code", "package "+u.path)
	return false
}

// lost notes that something has no points because of a construct.
func (p *program) lost(f flaw, construct, what string) {
	p.notes = append(p.notes, fmt.Sprintf("%s:%d: this %s cannot have points: %s has none, and "+
		"no goroutine is delayed there; please report it (%v)", f.at.Filename, f.at.Line, construct,
		what, f.error))
}

// named says which declaration one is.
func named(decl ast.Decl) string {
	f, ok := decl.(*ast.FuncDecl)
	switch {
	case !ok:
		return "this declaration"
	case f.Recv != nil && len(f.Recv.List) > 0:
		return "method " + f.Name.Name
	}
	return "function " + f.Name.Name
}

// construct names the innermost statement that begins on a line, or the last one before it.
func (p *program) construct(file *ast.File, line int) (name string) {
	name = "declaration"
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || p.fset.Position(n.Pos()).Line > line || p.fset.Position(n.End()).Line < line {
			return false
		}
		switch n.(type) {
		case *ast.GoStmt:
			name = "go statement"
		case *ast.SelectStmt:
			name = "select statement"
		case *ast.SendStmt:
			name = "send statement"
		case *ast.RangeStmt:
			name = "range statement"
		case *ast.AssignStmt, *ast.IncDecStmt:
			name = "assignment"
		case *ast.DeferStmt:
			name = "defer statement"
		case *ast.BlockStmt:
		case ast.Stmt:
			name = "statement"
		}
		return true
	})
	return name
}
