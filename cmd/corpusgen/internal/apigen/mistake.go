package apigen

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	goversion "go/version"
	"slices"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/mistake"
)

// Mistakes returns the package, to be compiled with small mistakes. The package linked says which is
// made, or, if it is "", a variable of the environment. Files that reach beyond the process have none, unless that is confined: what they do if
// a condition is wrong could do harm.
func (p *Package) Mistakes(linked string, confined bool) (*mistake.Package, error) {
	c := &checker{Package: p, known: map[string]bool{}}
	all := slices.Concat(p.sources, p.cgo, p.testSources)
	if name := mistake.Shadowed(all); name != "" {
		return nil, fmt.Errorf("the package declares %s, which is predeclared in Go and needed "+
			"to make them", name)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{},
	}
	for _, e := range c.check(p.sources, info) {
		if len(p.cgo) == 0 {
			return nil, e
		}
		c.known[c.key(e)] = true
	}
	harmful := map[string]bool{}
	for _, f := range p.sources {
		path := p.fset.PositionFor(f.Syntax.Package, false).Filename
		harmful[path] = !confined && reaches(f.Syntax)
	}
	return &mistake.Package{
		Path: p.Path, Fset: p.fset, Files: p.sources, Info: info, Prefix: loader.Unused(all),
		Old:    p.old(),
		Linked: linked,
		Wanted: func(file string, _, _ int) bool { return !harmful[file] },
		Check:  func(files []loader.File) []types.Error { return c.check(files, nil) },
	}, nil
}

// old reports whether the module asks for a release before type parameters.
func (p *Package) old() bool {
	return p.version != "" && goversion.Compare(p.version, loader.Oldest) < 0
}

// reaches reports whether a file imports a package by which a program reaches beyond its process.
func reaches(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool {
		path, _ := strconv.Unquote(i.Path.Value)
		return slices.Contains(beyond, path) || strings.HasPrefix(path, "golang.org/x/sys/")
	})
}

var beyond = []string{"net", "os", "os/exec", "plugin", "syscall", "unsafe"}

// A checker type-checks a package with mistakes.
type checker struct {
	*Package
	known map[string]bool // errors of files that use cgo, without mistakes
}

func (c *checker) key(e types.Error) string {
	return fmt.Sprintf("%s: %s", c.fset.Position(e.Pos), e.Msg)
}

// check returns the errors in files of the package that are not known.
func (c *checker) check(files []loader.File, info *types.Info) (found []types.Error) {
	var syntax []*ast.File
	for _, f := range slices.Concat(files, c.cgo) {
		syntax = append(syntax, f.Syntax)
	}
	config := types.Config{
		Importer: c.lookup, FakeImportC: true, GoVersion: c.version,
		Error: func(err error) {
			if e := (types.Error{}); errors.As(err, &e) && !c.known[c.key(e)] {
				found = append(found, e)
			}
		},
	}
	_, _ = config.Check(c.Path, c.fset, syntax, info)
	return found
}

// Chosen is the package that chooses mistakes while it runs sequences.
const Chosen = apiPath

func isBool(t types.Type) bool {
	return t != nil && (t == types.Typ[types.Bool] || t == types.Typ[types.UntypedBool])
}
