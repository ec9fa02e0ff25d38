package apigen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
)

// Mutants are small changes of a package, such as a developer makes by mistake, built in all at
// once. Each has a number. The function mutantFunc, which is added to the package, reports whether
// a change is made now: package callseq/api says which, and counts what is reached.
type Mutants struct {
	Sources map[string][]byte // by path: the files with the changes, and one more
	Changes []string          // by number, from 1, as in "Queue.Pop: q.n == 0 is negated"
}

const (
	mutantFile = "espalier_mutants.go"
	mutantFunc = "espalierMutant"

	// maxMutants bounds the changes of a package.
	maxMutants = 4000
)

// mutantSource is the file that is added to a package. Its variables are variables of
// package callseq/api.
const mutantSource = `package %s

import _ "unsafe"

//go:linkname espalierMade %[2]s.mutantMade
var espalierMade int

//go:linkname espalierReached %[2]s.mutantsReached
var espalierReached []bool

//go:linkname espalierLeft %[2]s.mutantSteps
var espalierLeft int

func espalierMutant(n int) bool {
	if espalierLeft--; espalierLeft == 0 {
		panic("it does not end")
	}
	if n < len(espalierReached) {
		espalierReached[n] = true
	}
	return espalierMade == n
}

func espalierEither[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}
`

// Mutants returns the changes of the package. Files in which they do not compile have none, nor
// have those that reach beyond the process: what they do if a condition is wrong could do harm. A
// process that is confined may change files.
func (p *Package) Mutants(confined bool) (*Mutants, error) {
	info, err := p.checked(p.files)
	if err != nil {
		return nil, err
	}
	m := &Mutants{Sources: map[string][]byte{}, Changes: []string{""}}
	helper := fmt.Appendf(nil, mutantSource, p.Name, apiPath)
	parsed, err := parser.ParseFile(p.fset, mutantFile, helper, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	files, left := append(slices.Clone(p.files), parsed), ""
	for i, f := range p.files {
		path := p.fset.Position(f.Package).Filename
		if name := reaches(f, confined); name != "" {
			left = fmt.Sprintf(": %s imports %s, and such files are not changed", filepath.Base(path), name)
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		text, changes := p.changed(f, src, info, len(m.Changes))
		if len(changes) == 0 || len(m.Changes)+len(changes) > maxMutants {
			continue
		}
		mode := parser.ParseComments | parser.SkipObjectResolution
		changed, err := parser.ParseFile(p.fset, path, text, mode)
		if err != nil {
			continue
		}
		old := files[i]
		files[i] = changed
		if _, err := p.checked(files); err != nil {
			files[i] = old
			continue
		}
		m.Sources[path] = text
		m.Changes = append(m.Changes, changes...)
	}
	if len(m.Changes) == 1 {
		return nil, fmt.Errorf("nothing is to change%s", left)
	}
	m.Sources[filepath.Join(p.Dir, mutantFile)] = helper
	return m, nil
}

// risky are packages by which a program reaches beyond its process.
var risky = []string{"net", "os/exec", "plugin", "syscall", "unsafe"}

// reaches returns such a package that a file imports, or "". Package os is one unless the process
// is confined.
func reaches(f *ast.File, confined bool) string {
	for _, i := range f.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		if slices.Contains(risky, path) || path == "os" && !confined ||
			strings.HasPrefix(path, "golang.org/x/sys/") {
			return path
		}
	}
	return ""
}

// changed returns a file with the changes of what it has, whose numbers begin with first.
func (p *Package) changed(f *ast.File, src []byte, info *types.Info, first int) (
	text []byte, changes []string,
) {
	w := &mutator{p: p, info: info, Text: gosource.NewText(p.fset, src), first: first}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
			w.within = d.Name.Name
			if d.Recv != nil && len(d.Recv.List) == 1 {
				w.within = typeName.FindString(w.Of(d.Recv.List[0].Type)) + "." + w.within
			}
			ast.Inspect(d.Body, w.visit)
		}
	}
	return []byte(w.Render(0, w.Len())), w.changes
}

// checked type-checks files of the package.
func (p *Package) checked(files []*ast.File) (*types.Info, error) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: p.lookup, FakeImportC: true}
	_, err := conf.Check(p.Path, p.fset, files, info)
	return info, err
}

// A mutator finds the changes of a file.
type mutator struct {
	p    *Package
	info *types.Info
	*gosource.Text
	first   int    // number of the first change
	within  string // the function
	changes []string
}

// typeName matches the name of the type of a receiver.
var typeName = regexp.MustCompile(`\w+`)

// maxShown bounds the code that the description of a change has.
const maxShown = 50

// change adds a change of a node, and returns the condition under which it is made.
func (w *mutator) change(n ast.Node, what string) string {
	code := strings.Join(strings.Fields(w.Of(n)), " ")
	if len(code) > maxShown {
		code = strings.ToValidUTF8(code[:maxShown], "") + "..."
	}
	number := w.first + len(w.changes)
	w.changes = append(w.changes, fmt.Sprintf("%s: %s %s", w.within, code, what))
	return fmt.Sprintf("%s(%d)", mutantFunc, number)
}

func (w *mutator) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		w.negate(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			w.negate(n.Cond)
		}
	case *ast.ReturnStmt:
		for _, x := range n.Results {
			b, ok := ast.Unparen(x).(*ast.BinaryExpr)
			if ok && (isComparison(b.Op) || b.Op == token.LAND || b.Op == token.LOR) {
				w.negate(x)
			}
		}
	case *ast.BinaryExpr:
		w.binary(n)
	case *ast.BlockStmt:
		w.drop(n.List)
	case *ast.CaseClause:
		w.drop(n.Body)
	case *ast.CommClause:
		w.drop(n.Body)
	}
	return true
}

// negate negates a condition whose value is not constant.
func (w *mutator) negate(x ast.Expr) {
	if t := w.info.Types[x]; t.Value != nil || !isBool(t.Type) {
		return
	}
	w.Around(x, w.change(x, "is negated")+" != (", ")")
}

func isBool(t types.Type) bool {
	return t != nil && (t == types.Typ[types.Bool] || t == types.Typ[types.UntypedBool])
}

func isComparison(op token.Token) bool {
	switch op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
		return true
	}
	return false
}

// binary moves the bound of a comparison, or drops a constant that is added.
func (w *mutator) binary(n *ast.BinaryExpr) {
	t := w.info.Types[n]
	if t.Value != nil || !w.pure(n.X) || !w.pure(n.Y) {
		return
	}
	x, y := w.Of(n.X), w.Of(n.Y)
	switch n.Op {
	case token.LSS, token.GTR:
		if isBool(t.Type) {
			made := w.change(n, "also counts if they are equal")
			w.Around(n, "(", fmt.Sprintf(" || %s && (%s) == (%s))", made, x, y))
		}
	case token.LEQ, token.GEQ:
		if isBool(t.Type) {
			made := w.change(n, "does not count if they are equal")
			w.Around(n, "(", fmt.Sprintf(" && !(%s && (%s) == (%s)))", made, x, y))
		}
	case token.ADD, token.SUB:
		b, ok := t.Type.Underlying().(*types.Basic)
		isInt := ok && b.Info()&types.IsInteger != 0 && b.Info()&types.IsUntyped == 0
		if isInt && w.info.Types[n.Y].Value != nil {
			either := "espalierEither"
			// x may be a shift, whose type depends on what is around it.
			if b, ok := t.Type.(*types.Basic); ok {
				either += "[" + b.Name() + "]"
			}
			w.Around(n, either+"("+w.change(n, "is "+x)+", "+x+", ", ")")
		}
	}
}

// pure reports whether an expression may be evaluated twice.
func (w *mutator) pure(x ast.Expr) bool {
	pure := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.Ident, *ast.BasicLit, *ast.SelectorExpr, *ast.ParenExpr, *ast.StarExpr,
			*ast.IndexExpr, *ast.BinaryExpr:
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.Ident)
			pure = pure && ok && (f.Name == "len" || f.Name == "cap")
		default:
			pure = false
		}
		return pure
	})
	return pure
}

// unlosable are calls without which goroutines wait for each other, or the process ends otherwise.
var unlosable = []string{
	"Lock", "Unlock", "RLock", "RUnlock", "Add", "Done", "Wait", "Signal", "Broadcast",
	"Close", "close", "panic", "Exit", "Fatal", "Fatalf", "Goexit",
}

// drop leaves out statements: calls, assignments, increments.
func (w *mutator) drop(list []ast.Stmt) {
	for _, s := range list {
		lost := false
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok {
				name := w.Of(call.Fun)
				lost = !slices.Contains(unlosable, name[strings.LastIndexByte(name, '.')+1:])
			}
		case *ast.AssignStmt:
			lost = s.Tok != token.DEFINE && !isBlank(s.Lhs)
		case *ast.IncDecStmt:
			lost = true
		}
		code := w.Of(s)
		within := strings.Contains(code, "\n") && strings.Contains(code, "func") // counts as well
		if lost && !within {
			w.Around(s, "if !"+w.change(s, "is left out")+" { ", " }")
		}
	}
}

func isBlank(list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(x ast.Expr) bool {
		id, ok := x.(*ast.Ident)
		return !ok || id.Name != "_"
	})
}
