package fuzzext

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/literal"
)

// snippet returns Go code that makes a value a seed of its test for good, and says
// where to put it. There is none if the value cannot be written down.
func (x *execution[V]) snippet(v V, text string, all bool, tree choices.Tree) (title, code string) {
	if _, err := bigen.Encode(x.gen, v); err != nil {
		all = false // the value would be refused
	}
	explicit := ""
	if typ := reflect.TypeFor[V](); typ.Kind() == reflect.Interface { // text is of another type
		explicit = "[" + literal.TypeName(typ, x.target.pkg) + "]"
	}
	c := x.call.read()
	if x.check != nil {
		if !all {
			return "", ""
		}
		return "or always, by an option of Check", c.qualifier + "Examples" + explicit + "(" + text + ")"
	}
	title = "or always, by a line before the call of Fuzz"
	b := choices.Encode(tree)
	switch {
	case all && c.gen != "":
		return title, c.qualifier + "Add" + explicit + "(" + c.f + ", " + c.gen + ", " + text + ")"
	case len(b) <= maxTree:
		return title, fmt.Sprintf("%s.Add([]byte(%q))", c.f, b)
	}
	return "", ""
}

// A call is the call of Valid, Fuzz or Check as the user has written it.
type call struct {
	file      string
	line      int
	within    string // the function that calls
	function  string // that is called
	f, gen    string // the *testing.F, and the generator, if known
	qualifier string // of this package
}

// callOf returns where the caller of the exported function that calls it is.
func callOf(function string) call {
	pc, file, line, _ := runtime.Caller(2)
	within := parseTarget(runtime.FuncForPC(pc).Name()).name
	return call{file: file, line: line, within: within, function: function, f: "f", qualifier: "fuzzext."}
}

// read looks the call up in the source of the test.
func (c call) read() call {
	path := c.file
	if _, err := os.Stat(path); err != nil { // built with -trimpath
		path = filepath.Join(packageDir, filepath.Base(path))
	}
	src, err := os.ReadFile(path)
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
			fun := call.Fun
			switch index := fun.(type) {
			case *ast.IndexExpr:
				fun = index.X
			case *ast.IndexListExpr:
				fun = index.X
			}
			qualifier := ""
			if sel, ok := fun.(*ast.SelectorExpr); ok {
				qualifier, fun = text(sel.X)+".", sel.Sel
			}
			if name, ok := fun.(*ast.Ident); !ok || name.Name != c.function {
				return true
			}
			arg := 0
			if c.function == "Fuzz" { // not that of a testing.F
				if arg = 1; len(call.Args) == 1 {
					return true
				}
			}
			c.qualifier = qualifier
			gen := text(call.Args[arg])
			if f := parameter(d, "F"); f != "" && len(gen) <= 60 && !strings.Contains(gen, "\n") {
				c.f, c.gen = f, gen
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
