package apigen

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
)

// maxTags is how many struct tags a harness has.
const maxTags = 40

// anyValue returns the code of a generator of values of any type. If the package looks into them by
// reflection, they are also made of each other.
func (e *enum) anyValue() string {
	code := knownValues
	if e.reflects() {
		code = "api.Nested(" + wrapped(append([]string{knownValues}, e.tags()...)) + ")"
	}
	if cases := e.cases(e.told(), false); len(cases) > 0 {
		code = fmt.Sprintf("bigen.Pick(\nbigen.Tag(\"value\", %s).Weight(%d),\n%s)", code, 1+len(cases), strings.Join(cases, ""))
	}
	return code
}

// anyFunctions returns functions, if the package tells these apart by reflection.
func (e *enum) anyFunctions() []string {
	tells := func(f *ast.File) bool {
		return mentions(f, "Func") && slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"reflect"` })
	}
	if !slices.ContainsFunc(e.pkg.sources(), func(s source) bool { return slices.ContainsFunc(s.files, tells) }) {
		return nil
	}
	return []string{
		"func() {}",
		`func() error { return errors.New("error") }`,
		"func(s string, n int) (string, error) { return s, nil }",
		"func(all ...any) any { return len(all) }",
	}
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

// cases returns alternatives for those of some types whose values may, or may not, be keys of maps.
func (e *enum) cases(all []types.Type, keys bool) (lines []string) {
	for _, t := range all {
		gen := e.generator(t, 0)
		for _, s := range e.stubsOf(t) {
			if !s.unsure {
				gen = "bigen.OneOf(" + strings.Join(s.exprs(), ", ") + ")"
			}
		}
		if isKey := types.Comparable(t) && !strings.Contains(gen, knownValues); gen != "" && isKey == keys {
			lines = append(lines, fmt.Sprintf("bigen.Case[any](%q, %s),\n", e.shortType(t), gen))
		}
	}
	return lines
}

// reflects reports whether the package, or one of its module that it needs, looks into values of
// any type.
func (e *enum) reflects() bool {
	for _, s := range e.pkg.sources() {
		for _, f := range s.files {
			if slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool { return looks.MatchString(s.Path.Value) }) {
				return true
			}
		}
	}
	return false
}

var looks = regexp.MustCompile(`^"(reflect"|encoding/)`)

// basis returns the code of a generator of nil, of basic values, and of the types that the package
// tells apart.
func (e *enum) basis() string {
	return "bigen.Pick(\nbigen.Tag(\"nil\", bigen.Just[any](nil)),\n" + strings.Join(e.cases(e.told(), true), "") + ")"
}

// told returns the usual basic types, or all if the package reflects, and the types that it tells
// apart: by type switches and assertions, and by reflection. What it needs of its module counts,
// too.
func (e *enum) told() (all []types.Type) {
	for _, t := range types.Typ {
		usual := slices.Contains([]types.BasicKind{types.Int, types.String, types.Bool, types.Float64, types.Uint8, types.Int64}, t.Kind())
		if usual || e.reflects() && t.Info()&(types.IsNumeric) != 0 && t.Info()&types.IsUntyped == 0 && t.Kind() != types.Uintptr {
			all = append(all, t)
		}
	}
	for _, s := range e.pkg.sources() {
		scope := e.scopeOf(s)
		for _, x := range compared(s.files) {
			info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
			if x == nil || types.CheckExpr(e.pkg.fset, scope, token.NoPos, x, info) != nil {
				continue
			}
			if t := info.Types[x].Type; !isError(t) && e.expressible(t) && len(all) < maxTold && !slices.ContainsFunc(all, func(u types.Type) bool { return types.Identical(t, u) }) {
				all = append(all, t)
			}
		}
	}
	return all
}

// scopeOf returns a package in whose scope is what a package declares, and also what its files
// import.
func (e *enum) scopeOf(s source) *types.Package {
	scope := types.NewPackage(s.types.Path(), s.types.Name())
	for _, name := range s.types.Scope().Names() {
		scope.Scope().Insert(s.types.Scope().Lookup(name))
	}
	for _, f := range s.files {
		for name, path := range e.pkg.importsOf(f) {
			if imported, err := e.pkg.lookup.Import(path); err == nil {
				scope.Scope().Insert(types.NewPkgName(token.NoPos, scope, name, imported))
			}
		}
	}
	return scope
}

// compared returns the types with which files compare those of values, or values of these.
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
			case *ast.CallExpr:
				generic, ok := n.Fun.(*ast.IndexExpr)
				switch _, name := gosource.Callee(n); {
				case name == "TypeOf" && len(n.Args) == 1:
					all = append(all, n.Args[0])
				case ok && (name == "TypeFor" || name == "TypeAssert"):
					all = append(all, generic.Index)
				}
			}
			return true
		})
	}
	return all
}

// maxTold is how many types a package may tell apart.
const maxTold = 60

// quotedTag matches a struct tag in a comment or a test.
var quotedTag = regexp.MustCompile("`[a-zA-Z]\\w*:\"[^`]*\"`")

// tags returns struct tags, as literals, with keys that the package reads: those of its comments
// and tests, or else one for each key.
func (e *enum) tags() []string {
	keys, found := map[string]bool{}, map[string]bool{}
	for _, f := range e.pkg.files {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			of, name := gosource.Callee(call)
			if (name == "Get" || name == "Lookup") && strings.HasSuffix(strings.ToLower(types.ExprString(of)), "tag") {
				if v, err := types.Eval(e.pkg.fset, e.pkg.types, token.NoPos, types.ExprString(call.Args[0])); err == nil && v.Value != nil && v.Value.Kind() == constant.String {
					keys[constant.StringVal(v.Value)] = true
				}
			}
			return true
		})
	}
	for _, f := range slices.Concat(e.pkg.files, e.pkg.tests) {
		add := func(tag string) {
			for key := range keys {
				if _, ok := reflect.StructTag(strings.Trim(tag, "`")).Lookup(key); ok && len(found) < maxTags {
					found[tag] = true
				}
			}
		}
		for _, c := range f.Comments {
			for _, tag := range quotedTag.FindAllString(c.Text(), -1) {
				add(tag)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok && field.Tag != nil {
				add(field.Tag.Value)
			}
			return true
		})
	}
	if len(found) == 0 {
		for key := range keys {
			found["`"+key+`:"name,omitempty"`+"`"] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}
