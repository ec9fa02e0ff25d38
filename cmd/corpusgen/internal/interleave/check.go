package interleave

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"

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

// An editing edits the files of a package.
type editing struct {
	// edit returns the text of a file, except of declarations that are left as they are, and false
	// if it stays as it is.
	edit func(f loader.File, left map[ast.Node]bool) ([]byte, bool)
	// lack is a format for what is lost by a construct in something: this %s lacks ..., so %s has ...
	lack string
}

// rewritten returns the texts of files of a package with points, which compile.
func (p *program) rewritten(u *unit) map[*loader.File][]byte {
	return p.edited(u, editing{
		func(f loader.File, left map[ast.Node]bool) ([]byte, bool) {
			text, ok := u.rewrite(p, f, left)
			if ok && u.old() {
				text = loader.Upgrade(p.fset, f, text)
			}
			return text, ok
		},
		"this %s cannot have points, so %s has none, and no schedule delays goroutines there",
	})
}

// edited returns the texts of files of a package that an editing changes, which compile. A function
// whose edits do not compile has none. If that does not help, its file has none, or the whole
// package.
func (p *program) edited(u *unit, by editing) map[*loader.File][]byte {
	left := map[ast.Node]bool{}
	var lost []loss
	for {
		texts := map[*loader.File][]byte{}
		before := len(p.notes)
		for i := range u.files {
			if text, ok := by.edit(u.files[i], left); ok {
				texts[&u.files[i]] = text
			}
		}
		found := u.flaws(p, texts)
		if len(found) == 0 {
			for _, l := range lost {
				p.notes = append(p.notes, l.note)
			}
			return texts
		}
		p.notes = p.notes[:before]
		earlier := maps.Clone(left)
		for _, f := range found {
			l := p.leave(u, by, f, earlier, left)
			if l.whole { // this line says it all
				lost = slices.DeleteFunc(lost, func(other loss) bool { return other.file == l.file })
			}
			if l.note != "" {
				lost = append(lost, l)
			}
		}
		if len(left) == len(earlier) {
			p.notes = append(p.notes, by.note(found[0], "code", "package "+u.path))
			return nil
		}
	}
}

// A loss is what has no points because of a flaw: a function, or a whole file.
type loss struct {
	file  *loader.File
	whole bool
	note  string // or "" if the flaw is not the first, or not the cause
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

// leave leaves a function without points because of a flaw in it, or its file.
func (p *program) leave(u *unit, by editing, f flaw, earlier, left map[ast.Node]bool) loss {
	for i := range u.files {
		file := &u.files[i]
		if p.fset.PositionFor(file.Syntax.Pos(), false).Filename != f.file || earlier[file.Syntax] {
			continue
		}
		decl := p.declaration(file.Syntax, f.at)
		switch {
		case left[file.Syntax], decl != nil && (left[decl] && !earlier[decl] || !hasCode(decl)):
			return loss{}
		case decl != nil && !left[decl]:
			left[decl] = true
			return loss{file, false, by.note(f, p.construct(file.Syntax, f.at.Line), named(decl))}
		}
		left[file.Syntax] = true
		return loss{file, true, by.note(f, "code", "the file")}
	}
	return loss{}
}

// hasCode reports whether a declaration has statements.
func hasCode(decl ast.Decl) (has bool) {
	ast.Inspect(decl, func(n ast.Node) bool {
		_, block := n.(*ast.BlockStmt)
		has = has || block
		return !has
	})
	return has
}

// declaration returns the declaration at a place, or nil.
func (p *program) declaration(file *ast.File, at token.Position) ast.Decl {
	for _, decl := range file.Decls {
		from, to := p.fset.Position(decl.Pos()), p.fset.Position(decl.End())
		if from.Filename == at.Filename && from.Line <= at.Line && at.Line <= to.Line {
			return decl
		}
	}
	return nil
}

// note says what is lost because of a construct.
func (by editing) note(f flaw, construct, what string) string {
	return fmt.Sprintf("%s:%d: "+by.lack+": please report it (%v)", f.at.Filename, f.at.Line,
		construct, what, f.error)
}

// named says which declaration one is.
func named(decl ast.Decl) string {
	f, ok := decl.(*ast.FuncDecl)
	switch {
	case !ok:
		return "the declaration"
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
