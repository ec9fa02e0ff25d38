package apigen

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Harness is the text that declares the operations of an API.
type Harness struct {
	Operations []string // their names, in order
	Types      int      // of arguments and results
	Left       []Left   // what it leaves out, in the order of the names

	pkg   *Package
	opts  Options
	body  string
	names map[string]string // of imports, by path
	owns  string            // what the names of the variable and the tests begin with
}

// New makes a harness of the exported API of a package. It leaves out what cannot be called,
// and what does not compile.
func New(pkg *Package, opts Options) (*Harness, error) {
	e := newEnum(pkg, opts)
	h := &Harness{pkg: pkg, opts: opts, names: e.imports.names}
	for {
		if len(e.ops) == 0 {
			return nil, h.nothing(e)
		}
		h.body = e.body()
		failed, err := h.check()
		if err != nil {
			return nil, err
		}
		if len(failed) == 0 {
			break
		}
		e.ops = slices.DeleteFunc(e.ops, func(o *op) bool {
			why, ok := failed[o.name]
			if ok {
				e.leave(o.name, "%s", why)
			}
			return ok
		})
		e.enable()
	}
	for _, o := range e.ops {
		h.Operations = append(h.Operations, o.name)
	}
	for _, k := range e.kinds {
		if k.used {
			h.Types++
		}
	}
	h.Left = e.left
	slices.SortStableFunc(h.Left, func(a, b Left) int { return strings.Compare(a.Name, b.Name) })
	h.owns = h.free()
	return h, nil
}

// nothing is the error of a package whose harness would have no operation.
func (h *Harness) nothing(e *enum) error {
	text := fmt.Sprintf("the package %s exports no function, method or field that a harness could call", h.pkg.Path)
	for _, l := range e.left {
		text += fmt.Sprintf("\n%s: %s", l.Name, l.Why)
	}
	return errors.New(text)
}

// check type-checks the operations. It returns the first error of each that does not compile.
func (h *Harness) check() (failed map[string]string, err error) {
	text, err := h.file(h.whole(), nil)
	if err != nil {
		return nil, fmt.Errorf("the harness of %s is not Go, which is an error of corpusgen: %w\n%s", h.pkg.Path, err, h.body)
	}
	failed, err = h.errorsOf(text, func(n ast.Node) string {
		if s, ok := n.(*ast.ExprStmt); ok {
			return opName(s.X)
		}
		return ""
	})
	if err != nil {
		return nil, fmt.Errorf("the harness of %s does not compile, which is an error of corpusgen: %w", h.pkg.Path, err)
	}
	for name, why := range failed {
		failed[name] = "it does not compile in the harness: " + why
	}
	return failed, nil
}

// errorsOf type-checks a file. It returns the first error in each node that has a name, and the
// first one elsewhere.
func (h *Harness) errorsOf(text []byte, name func(n ast.Node) string) (failed map[string]string, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "callseq_test.go", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	named := map[ast.Node]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s := name(n); s != "" {
			named[n] = s
		}
		return true
	})
	failed = map[string]string{}
	conf := types.Config{Importer: h.pkg.lookup, Error: func(e error) {
		te := e.(types.Error)
		for n, s := range named {
			if n.Pos() <= te.Pos && te.Pos < n.End() {
				if failed[s] == "" {
					failed[s] = te.Msg
				}
				return
			}
		}
		if err == nil && !te.Soft {
			err = e
		}
	}}
	conf.Check(h.pkg.Path+"_test", fset, []*ast.File{file}, nil) // Error has the errors
	return failed, err
}

// opName returns the name of the operation that a statement declares, or "".
func opName(x ast.Expr) string {
	for {
		call, ok := x.(*ast.CallExpr)
		if !ok {
			return ""
		}
		fun, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return ""
		}
		if c, ok := fun.X.(*ast.Ident); ok && c.Name == "c" && fun.Sel.Name == "Op" && len(call.Args) > 0 {
			if lit, ok := call.Args[0].(*ast.BasicLit); ok {
				name, _ := strconv.Unquote(lit.Value)
				return name
			}
		}
		x = fun.X
	}
}

// free returns a prefix for the names that the harness declares, which no other test has.
func (h *Harness) free() string {
	files, _ := filepath.Glob(filepath.Join(h.pkg.Dir, "*_test.go"))
	taken := map[string]bool{}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil || strings.Contains(string(text), begin) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil || f.Name.Name != h.pkg.Name+"_test" {
			continue
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				taken[d.Name.Name] = taken[d.Name.Name] || d.Recv == nil
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ValueSpec:
						for _, name := range s.Names {
							taken[name.Name] = true
						}
					case *ast.TypeSpec:
						taken[s.Name.Name] = true
					}
				}
			}
		}
	}
	if taken["calls"] || taken["TestCalls"] || taken["FuzzCalls"] {
		return "API"
	}
	return ""
}
