package overlay

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// A source is a parsed file of internal/fuzz.
type source struct {
	text []byte
	fset *token.FileSet
	ast  *ast.File
}

// A change replaces what is from pos to end.
type change struct {
	pos, end token.Pos
	text     string
}

func parse(name string, text []byte) (*source, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &source{text, fset, f}, nil
}

// declarations returns the names that the source declares in its package.
func (s *source) declarations() []string {
	var ids []*ast.Ident
	for _, d := range s.ast.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				ids = append(ids, d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				ids = append(ids, declared(spec)...)
			}
		}
	}
	var names []string
	for _, id := range ids {
		if id.Name != "_" && id.Name != "init" {
			names = append(names, id.Name)
		}
	}
	return names
}

// declared returns the names of types, variables and constants.
func declared(spec ast.Spec) []*ast.Ident {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return []*ast.Ident{spec.Name}
	case *ast.ValueSpec:
		return spec.Names
	}
	return nil
}

// apply returns the text with changes, which do not overlap, made. Of several at one
// position, the first comes first.
func (s *source) apply(changes []change) []byte {
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.pos, b.pos) })
	var b bytes.Buffer
	at := 0
	for _, c := range changes {
		b.Write(s.text[at:s.offset(c.pos)])
		b.WriteString(c.text)
		at = s.offset(c.end)
	}
	b.Write(s.text[at:])
	return b.Bytes()
}

func (s *source) offset(pos token.Pos) int { return s.fset.PositionFor(pos, false).Offset }

// of returns the text of a node.
func (s *source) of(n ast.Node) string {
	return string(s.text[s.offset(n.Pos()):s.offset(n.End())])
}

// between returns the text from the end of a to the start of b; it is not empty if b comes
// first.
func (s *source) between(a, b ast.Node) string {
	if b.Pos() < a.End() {
		return s.of(b)
	}
	return string(s.text[s.offset(a.End()):s.offset(b.Pos())])
}

// function returns the declaration of a function, or of a method of *recv; nil if there
// is none.
func (s *source) function(recv, name string) *ast.FuncDecl {
	for _, d := range s.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != name || fn.Body == nil || (fn.Recv != nil) != (recv != "") {
			continue
		}
		if recv == "" || s.of(fn.Recv.List[0].Type) == "*"+recv {
			return fn
		}
	}
	return nil
}

// find returns the outermost nodes below n that read as text.
func (s *source) find(n ast.Node, text string) []ast.Node {
	var found []ast.Node
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil || s.of(n) != text {
			return true
		}
		found = append(found, n)
		return false
	})
	return found
}
