package fuzzext

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/espalier-go/espalier/internal/callee"
)

// A call is the call of Valid, Fuzz, Check or Sequence as the user has written it.
type call struct {
	file      string
	line      int
	within    string // the function that calls
	function  string // that is called
	genArg    int    // which argument is the generator
	f, gen    string // the *testing.F or *testing.T, and the generator, if known
	prop      string // the property, if known
	qualifier string // of this package
	wrapped   bool   // the function called is one of another package, which calls it
}

// callOf returns the call of an exported function of this package, which skip functions
// above its caller have made.
func callOf(function string, genArg, skip int) call {
	pc, file, line, _ := runtime.Caller(2 + skip)
	from := parseTarget(runtime.FuncForPC(pc).Name())
	c := call{file: file, line: line, within: from.name, function: function, genArg: genArg, f: "f", qualifier: "fuzzext."}
	if from.pkg == "github.com/espalier-go/espalier/fuzzext/headers" { // wraps the function
		c = callOf(function, genArg, skip+2)
		c.wrapped = true
	}
	return c
}

// read looks the call up in the source of the test.
func (c call) read() call {
	if _, err := os.Stat(c.file); err != nil { // built with -trimpath
		c.file = filepath.Join(packageDir, filepath.Base(c.file))
	}
	src, err := os.ReadFile(c.file)
	if err != nil {
		return c
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", src, parser.SkipObjectResolution)
	if err != nil {
		return c
	}
	text := func(n ast.Node) string {
		return string(src[files.Position(n.Pos()).Offset:files.Position(n.End()).Offset])
	}
	for _, d := range file.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Name.Name != c.within || d.Type.TypeParams != nil {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if n == nil || files.Position(n.Pos()).Line > c.line || files.Position(n.End()).Line < c.line {
				return false
			}
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			pkg, name := callee.Of(call)
			if name != c.function || len(call.Args) <= c.genArg { // an argument may be a testing.F
				return true
			}
			switch {
			case c.wrapped:
			case pkg == nil:
				c.qualifier = ""
			default:
				c.qualifier = text(pkg) + "."
			}
			if len(call.Args) > c.genArg+1 {
				c.prop = text(call.Args[c.genArg+1])
			}
			gen := text(call.Args[c.genArg])
			if c.function == sequence {
				gen, c.prop = gen+".Gen()", ""
			}
			tb := parameter(d, "F")
			if tb == "" {
				tb = parameter(d, "T")
			}
			if tb != "" && len(gen) <= 60 && !strings.Contains(gen, "\n") {
				c.f, c.gen = tb, gen
			}
			return true
		})
	}
	return c
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

const sequence = "Sequence"
