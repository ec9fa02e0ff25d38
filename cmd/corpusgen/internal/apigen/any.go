package apigen

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// anyValue returns the code of a generator of values of any type. If the package looks into them by
// reflection, they are also made of each other.
func (e *enum) anyValue() string {
	code := knownValues
	if e.reflects() {
		code = "api.Nested(" + knownValues + ")"
	}
	if cases := e.cases(e.told(), false); len(cases) > 0 {
		code = fmt.Sprintf("bigen.Pick(\nbigen.Tag(\"value\", %s).Weight(%d),\n%s)",
			code, 1+len(cases), strings.Join(cases, ""))
	}
	return code
}

// wrapped returns the code of a list, in several lines if it is long.
func wrapped(list []string) string {
	var b strings.Builder
	width := 0
	for i, item := range list {
		if width += len(item) + 2; i > 0 && width > 90 {
			b.WriteString(",\n")
			width = len(item)
		} else if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(item)
	}
	return b.String()
}

// cases returns alternatives for some types: those whose values may be keys of maps, or the others.
func (e *enum) cases(all []types.Type, keys bool) (lines []string) {
	for _, t := range all {
		gen := e.generator(t, 0)
		if s := e.stubOf(t); s != nil && !s.unsure {
			gen = "bigen.Just(" + s.zero() + ")"
		}
		isKey := types.Comparable(t) && !strings.Contains(gen, knownValues)
		if gen != "" && isKey == keys {
			lines = append(lines, fmt.Sprintf("bigen.Case[any](%q, %s),\n", e.shortType(t), gen))
		}
	}
	return lines
}

// reflects reports whether the package looks into values of any type.
func (e *enum) reflects() bool {
	return slices.ContainsFunc(e.pkg.files, func(f *ast.File) bool {
		return slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool {
			path, _ := strconv.Unquote(s.Path.Value)
			return path == "reflect" || strings.HasPrefix(path, "encoding/")
		})
	})
}

// basis returns the code of a generator of nil, of basic values, and of the types that the package
// tells apart.
func (e *enum) basis() string {
	return "bigen.Pick(\nbigen.Tag(\"nil\", bigen.Just[any](nil)),\n" +
		strings.Join(e.cases(e.told(), true), "") + ")"
}

// usualKinds are the kinds of basic values that a package may get as any.
var usualKinds = []types.BasicKind{
	types.Int, types.String, types.Bool, types.Float64, types.Uint8, types.Int64,
}

// told returns the usual basic types, or all numbers if the package reflects, and the types that it
// tells apart, by type switches and assertions.
func (e *enum) told() (all []types.Type) {
	for _, t := range types.Typ {
		number := t.Info()&types.IsNumeric != 0 && t.Info()&types.IsUntyped == 0
		if slices.Contains(usualKinds, t.Kind()) ||
			number && t.Kind() != types.Uintptr && e.reflects() {
			all = append(all, t)
		}
	}
	scope := e.scopeWithImports()
	for _, x := range compared(e.pkg.files) {
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		if x == nil || types.CheckExpr(e.pkg.fset, scope, token.NoPos, x, info) != nil {
			continue
		}
		t := info.Types[x].Type
		same := func(u types.Type) bool { return types.Identical(t, u) }
		if !isError(t) && e.expressible(t) && len(all) < maxTold && !slices.ContainsFunc(all, same) {
			all = append(all, t)
		}
	}
	return all
}

// scopeWithImports returns a package in whose scope is what the package declares, and also what its
// files import.
func (e *enum) scopeWithImports() *types.Package {
	p := e.pkg.types
	all := types.NewPackage(p.Path(), p.Name())
	for _, name := range p.Scope().Names() {
		all.Scope().Insert(p.Scope().Lookup(name))
	}
	for _, f := range e.pkg.files {
		for name, path := range e.pkg.importsOf(f) {
			if imported, err := e.pkg.lookup.Import(path); err == nil {
				all.Scope().Insert(types.NewPkgName(token.NoPos, all, name, imported))
			}
		}
	}
	return all
}

// compared returns the types with which files compare the types of values.
func compared(files []*ast.File) (all []ast.Expr) {
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSwitchStmt:
				for _, clause := range n.Body.List {
					all = append(all, clause.(*ast.CaseClause).List...)
				}
			case *ast.TypeAssertExpr:
				all = append(all, n.Type)
			}
			return true
		})
	}
	return all
}

// maxTold is how many types a package may tell apart.
const maxTold = 60
