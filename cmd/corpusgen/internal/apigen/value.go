package apigen

import (
	"bytes"
	"cmp"
	"errors"
	"go/ast"
	"go/constant"
	"go/format"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	maxValues   = 12 // of a type
	maxValueLen = 1000
)

// addValues gives kinds the values that the tests of the package write. An operation makes those
// that are receivers, so that several calls have the same one.
func (e *enum) addValues() {
	found := e.written()
	for _, k := range slices.Clone(e.kinds) {
		t, amp := k.typ, ""
		if p, ok := t.Underlying().(*types.Pointer); ok && isStruct(t) { // others are for results
			t, amp = p.Elem(), "&"
		}
		i := slices.IndexFunc(found, func(v value) bool { return types.Identical(v.typ, t) })
		if i < 0 {
			continue
		}
		var texts []string
		for _, text := range found[i].texts {
			texts = append(texts, amp+text)
		}
		name := amp + e.typeName(t) + "{...}"
		if e.plain(k) || !e.expressible(k.typ) || e.skips(name) {
			continue
		}
		if !slices.ContainsFunc(e.ops, func(o *op) bool { return o.recv == k && o.do != element }) {
			k.exprs = append(k.exprs, texts...)
			continue
		}
		if amp != "" { // those that people write say more than others
			e.ops = slices.DeleteFunc(e.ops, func(o *op) bool { return o.do == compose && o.makes(k) })
		}
		values := &kind{typ: k.typ, exprs: texts}
		e.kinds = append(e.kinds, values)
		o := &op{name: name, do: written, helps: true, callee: "%v"}
		o.params, o.results = []param{{"value", values}}, []result{{"", k, k.typ}}
		e.ops = append(e.ops, o)
	}
}

// A value is the code of literals of a type.
type value struct {
	typ   types.Type
	texts []string
}

// written returns the composite literals of the tests that name a type, and are not empty: those
// that differ most, short ones first.
func (e *enum) written() (found []value) {
	for _, t := range []*tested{e.testedTypes(false), e.testedTypes(true)} {
		for _, f := range t.files {
			ast.Inspect(f, func(n ast.Node) bool {
				x, ok := n.(*ast.CompositeLit)
				if !ok || x.Type == nil || len(x.Elts) == 0 || t.info.Types[x].Type == nil {
					return true
				}
				text, typ := t.text(x), t.info.Types[x].Type
				if text == "" || len(text) > maxValueLen {
					return true
				}
				i := slices.IndexFunc(found, func(v value) bool { return types.Identical(v.typ, typ) })
				if i < 0 {
					i, found = len(found), append(found, value{typ: typ})
				}
				if !slices.Contains(found[i].texts, text) {
					found[i].texts = append(found[i].texts, text)
				}
				return true
			})
		}
	}
	for i, v := range found {
		slices.SortFunc(v.texts, byHash)
		texts := wordiest(v.texts)
		found[i].texts = texts[:min(len(texts), maxValues)]
		slices.SortStableFunc(found[i].texts, func(a, b string) int { return len(a) - len(b) })
	}
	return found
}

// A tested is files of tests, with the types that their expressions would have in a harness.
type tested struct {
	e      *enum
	types  *types.Package
	files  []*ast.File
	info   types.Info
	failed []token.Pos // of what does not compile there
}

// testedTypes type-checks the tests that are inside of the package, or outside, as if all were
// outside.
func (e *enum) testedTypes(outside bool) *tested {
	t := &tested{e: e, info: types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
	}}
	path := &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(e.pkg.Path)}
	own := &ast.ImportSpec{Name: ast.NewIdent("."), Path: path}
	for _, f := range e.pkg.tests {
		if inside := f.Name.Name == e.pkg.Name; inside && !outside {
			in := *f
			dot := &ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{own}}
			in.Decls = append([]ast.Decl{dot}, f.Decls...)
			t.files = append(t.files, &in)
		} else if !inside && outside {
			t.files = append(t.files, f)
		}
	}
	conf := types.Config{Importer: t, Error: func(err error) {
		t.failed = append(t.failed, err.(types.Error).Pos)
	}}
	t.types, _ = conf.Check(e.pkg.Path+"_test", e.pkg.fset, t.files, &t.info) // Error has the errors
	return t
}

// Import imports what is of the standard library or of the module.
func (t *tested) Import(path string) (*types.Package, error) {
	near := strings.HasPrefix(path+"/", cmp.Or(t.e.pkg.Module, t.e.pkg.Path)+"/")
	if !isStandard(path) && !near || !t.e.importable(path) {
		return nil, errors.New("a harness does not import it")
	}
	return t.e.pkg.lookup.Import(path)
}

// text writes a literal as a harness does, in as few lines as possible. It returns "" if the
// literal refers to what a harness does not have, or has a function.
func (t *tested) text(x ast.Expr) string {
	within := func(pos token.Pos) bool { return x.Pos() <= pos && pos < x.End() }
	closed := !slices.ContainsFunc(t.failed, within)
	names, selected := map[*ast.Ident]string{}, map[*ast.Ident]bool{}
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ChanType:
			closed = false
		case *ast.SelectorExpr:
			selected[n.Sel] = true
		case *ast.Ident:
			if o := t.info.Uses[n]; o != nil {
				names[n] = t.name(n, o, selected[n])
				closed = closed && names[n] != ""
			}
		}
		return closed
	})
	if !closed {
		return ""
	}
	var b bytes.Buffer
	swap := func() {
		for id, name := range names {
			names[id], id.Name = id.Name, name
		}
	}
	swap()
	defer swap()
	// Without places, there are no lines.
	if err := format.Node(&b, token.NewFileSet(), x); err != nil {
		return ""
	}
	return b.String()
}

// beyond matches what acts on more than values, or is another one each time.
var beyond = regexp.MustCompile(`^(` +
	`(os|os/.*|syscall|unsafe|log|runtime|testing|math/rand.*|crypto/rand)\.|fmt\.Print|` +
	`time\.(Now|Sleep|Since|Until|After|Tick|NewT)|net\.(Dial|Listen|Lookup)|` +
	`net/http\.(Get|Post|Head|Listen|Serve|Default))`)

// name writes the name of an object that a test has, or "" if a harness has none for it. What is
// selected has a package, or a value, before it.
func (t *tested) name(id *ast.Ident, o types.Object, selected bool) string {
	c, isConst := o.(*types.Const)
	p, isPackage := o.(*types.PkgName)
	path := ""
	if o.Pkg() != nil {
		path = o.Pkg().Path()
	}
	switch {
	case isPackage:
		return t.e.imports.use(p.Imported())
	case isConst && o.Pkg() == t.types:
		_, isBasic := types.Unalias(c.Type()).(*types.Basic)
		if kind := c.Val().Kind(); isBasic && (kind == constant.String || kind == constant.Bool) {
			return c.Val().ExactString()
		}
		return ""
	case o.Pkg() == t.types, !isConst && beyond.MatchString(path+"."+o.Name()):
		return ""
	case o.Pkg() != nil && o.Parent() == o.Pkg().Scope() && !selected:
		return t.e.qualified(o)
	}
	return id.Name
}
