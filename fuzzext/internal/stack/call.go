package stack

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// Sequence is the function whose argument is a model, not a generator.
const Sequence = "Sequence"

// A Call is the call of Valid, Fuzz, Check or Sequence as the user has written it.
type Call struct {
	File      string
	Line      int
	Within    string // the function that calls
	Function  string // that is called
	GenArg    int    // which argument is the generator
	F, Gen    string // the *testing.F or *testing.T, and the generator, if known
	Prop      string // the property, if known
	Qualifier string // of package fuzzext
	Wrapped   bool   // the function called is one of another package, which calls it
}

// Read looks the call up in the source of the test. If that is not where it was when the test was
// compiled, it is in the directory of the package.
func (c Call) Read(directory string) Call {
	if _, err := os.Stat(c.File); err != nil { // built with -trimpath
		c.File = filepath.Join(directory, filepath.Base(c.File))
	}
	src, err := os.ReadFile(c.File)
	if err != nil {
		return c
	}
	s := source{files: token.NewFileSet(), text: src}
	file, err := parser.ParseFile(s.files, "", src, parser.SkipObjectResolution)
	if err != nil {
		return c
	}
	for _, d := range file.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Name.Name != c.Within || d.Type.TypeParams != nil {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if n == nil || s.line(n.Pos()) > c.Line || s.line(n.End()) < c.Line {
				return false
			}
			if call, ok := n.(*ast.CallExpr); ok {
				c.note(call, d, &s)
			}
			return true
		})
	}
	return c
}

// note takes from a call in a function of the test what it says, if it is the call that is looked
// for.
func (c *Call) note(call *ast.CallExpr, within *ast.FuncDecl, s *source) {
	name, _, _ := strings.Cut(s.of(call.Fun), "[") // without type arguments
	dot := strings.LastIndexByte(name, '.') + 1
	if name[dot:] != c.Function || len(call.Args) <= c.GenArg { // an argument may be a testing.F
		return
	}
	if !c.Wrapped {
		c.Qualifier = name[:dot]
	}
	gen := s.of(call.Args[c.GenArg])
	switch {
	case c.Function == Sequence:
		gen, c.Prop = gen+".Gen()", ""
	case len(call.Args) > c.GenArg+1:
		c.Prop = s.of(call.Args[c.GenArg+1])
	}
	tb := cmp.Or(parameter(within, "F"), parameter(within, "T"))
	if tb != "" && len(gen) <= 60 && !strings.Contains(gen, "\n") {
		c.F, c.Gen = tb, gen
	}
}

// A source is the text of a file with its syntax tree.
type source struct {
	files *token.FileSet
	text  []byte
}

func (s *source) line(p token.Pos) int { return s.files.Position(p).Line }

// of returns the text of a node.
func (s *source) of(n ast.Node) string {
	return string(s.text[s.files.Position(n.Pos()).Offset:s.files.Position(n.End()).Offset])
}

// parameter returns the name of the parameter of type *testing.F, or of another
// type of that package.
func parameter(d *ast.FuncDecl, name string) string {
	for _, p := range d.Type.Params.List {
		star, ok := p.Type.(*ast.StarExpr)
		if !ok || len(p.Names) != 1 {
			continue
		}
		if sel, ok := star.X.(*ast.SelectorExpr); ok && sel.Sel.Name == name {
			return p.Names[0].Name
		}
	}
	return ""
}
