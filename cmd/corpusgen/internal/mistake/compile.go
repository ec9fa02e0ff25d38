package mistake

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
)

// A Program is the package with its mistakes, which compiles.
type Program struct {
	Texts    map[string][]byte // of files that differ, and of those that are added, by path
	Mistakes []Mistake         // by number; some numbers are missing
	Left     int               // mistakes that do not compile, and are left out

	pkg    *Package
	edited []loader.File // with the texts
}

// Compile returns the package with its mistakes. Those that do not compile are left out, each alone.
func (p *Package) Compile() (*Program, error) {
	p.left = map[int]bool{}
	for {
		g, flaws, err := p.program()
		if err != nil || len(flaws) == 0 {
			return g, err
		}
		if err := g.leave(flaws); err != nil {
			return nil, err
		}
	}
}

// program edits the package without the mistakes that are left, and returns what is wrong with it.
func (p *Package) program() (*Program, []types.Error, error) {
	g := &Program{Texts: map[string][]byte{}, pkg: p, Left: len(p.left)}
	p.swaps = map[[3]int]bool{}
	next := 1
	for _, f := range p.Files {
		text, list, after := p.edit(f, next)
		next = after
		g.Mistakes = append(g.Mistakes, list...)
		path := p.Fset.PositionFor(f.Syntax.Package, false).Filename
		if string(text) == string(f.Text) {
			g.edited = append(g.edited, f)
			continue
		}
		g.Texts[path] = text
		edited, err := p.parse(path, text)
		if err != nil {
			return nil, nil, err
		}
		g.edited = append(g.edited, edited)
	}
	all := slices.Clone(g.edited)
	dir := filepath.Dir(p.Fset.PositionFor(p.Files[0].Syntax.Package, false).Filename)
	for name, text := range p.Helpers(next - 1) {
		path := filepath.Join(dir, name)
		g.Texts[path] = text
		if name == "espalier_mistake_limit_other.go" { // one of two
			continue
		}
		f, err := p.parse(path, text)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, f)
	}
	return g, p.Check(all), nil
}

// parse parses a text of the program. An error of syntax is a mistake of this package.
func (p *Package) parse(path string, text []byte) (loader.File, error) {
	f, err := parser.ParseFile(p.Fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return loader.File{}, fmt.Errorf("%s cannot have mistakes, please report it: %w", path, err)
	}
	return loader.File{Syntax: f, Text: text}, nil
}

// leave leaves out the mistakes because of which the program does not compile: the innermost one at
// the place of an error, or, if there is none, those of the function that do not compile alone.
func (g *Program) leave(flaws []types.Error) error {
	p := g.pkg
	before := len(p.left)
	var unclear []types.Error
	for _, flaw := range flaws {
		if n := g.at(flaw.Pos); n > 0 {
			p.left[n] = true
		} else {
			unclear = append(unclear, flaw)
		}
	}
	if len(p.left) > before {
		return nil // what is unclear may follow from these
	}
	for _, flaw := range unclear {
		if err := g.tryEach(flaw); err != nil {
			return err
		}
	}
	if len(p.left) == before {
		return fmt.Errorf("%s does not compile with mistakes, please report it: %w",
			p.Fset.Position(flaws[0].Pos), flaws[0])
	}
	return nil
}

// LeaveOut leaves out the mistakes at the places of errors of the compiler, as in p.go:3:7: text.
// It reports false if there are none.
func (g *Program) LeaveOut(output string) bool {
	before := len(g.pkg.left)
	for line := range strings.Lines(output) {
		parts := strings.SplitN(line, ":", 4)
		if len(parts) < 4 {
			continue
		}
		row, err1 := strconv.Atoi(parts[1])
		column, err2 := strconv.Atoi(parts[2])
		if err1 != nil || err2 != nil {
			continue
		}
		for _, f := range g.edited {
			if filepath.Base(parts[0]) != filepath.Base(g.pkg.Fset.Position(f.Syntax.Package).Filename) {
				continue
			}
			if n := g.at(g.place(f, row, column)); n > 0 {
				g.pkg.left[n] = true
			}
		}
	}
	return len(g.pkg.left) > before
}

// Again returns the program without what has been left out since.
func (g *Program) Again() (*Program, error) {
	for {
		next, flaws, err := g.pkg.program()
		if err != nil || len(flaws) == 0 {
			return next, err
		}
		if err := next.leave(flaws); err != nil {
			return nil, err
		}
	}
}

// place returns a place of an edited file by the line, as line directives have it, and the column.
func (g *Program) place(f loader.File, line, column int) token.Pos {
	file := g.pkg.Fset.File(f.Syntax.Package)
	for n := 1; n <= file.LineCount(); n++ {
		start := file.LineStart(n)
		if g.pkg.Fset.Position(start).Line == line && start >= file.LineStart(1) {
			return start + token.Pos(column-1)
		}
	}
	return token.NoPos
}

// at returns the number of the innermost mistake at a place of the program, or 0.
func (g *Program) at(pos token.Pos) (number int) {
	for _, f := range g.edited {
		if !pos.IsValid() || pos < f.Syntax.FileStart || f.Syntax.FileEnd < pos {
			continue
		}
		size := token.Pos(0)
		ast.PreorderStack(f.Syntax, nil, func(n ast.Node, stack []ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			mistake, extent := g.extent(call, stack)
			if mistake > 0 && extent.Pos() <= pos && pos <= extent.End() &&
				(size == 0 || extent.End()-extent.Pos() <= size) {
				number, size = mistake, extent.End()-extent.Pos()
			}
			return true
		})
	}
	return number
}

// extent returns the number of the mistake that a call makes, or 0, and what the mistake is around.
func (g *Program) extent(call *ast.CallExpr, stack []ast.Node) (number int, extent ast.Node) {
	fun := call.Fun
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	id, ok := fun.(*ast.Ident)
	if !ok || !strings.HasPrefix(id.Name, g.pkg.Prefix) || len(call.Args) == 0 {
		return 0, nil
	}
	literal, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return 0, nil
	}
	number, _ = strconv.Atoi(literal.Value)
	if id.Name != g.pkg.Prefix+"Mistake" {
		return number, call
	}
	for _, around := range slices.Backward(stack) {
		switch around.(type) {
		case *ast.ParenExpr, *ast.IfStmt:
			return number, around
		}
	}
	return number, call
}

// tryEach leaves out the mistakes of the declaration around an error that do not compile alone.
func (g *Program) tryEach(flaw types.Error) error {
	p := g.pkg
	at := p.Fset.PositionFor(flaw.Pos, false)
	from, to := 0, 0
	for _, f := range g.edited {
		for _, d := range f.Syntax.Decls {
			if d.Pos() <= flaw.Pos && flaw.Pos <= d.End() {
				from, to = p.Fset.Position(d.Pos()).Line, p.Fset.Position(d.End()).Line
			}
		}
	}
	var within, others []int
	for _, m := range g.Mistakes {
		if m.File == at.Filename && from <= m.Line && m.Line <= to {
			within = append(within, m.Number)
		} else {
			others = append(others, m.Number)
		}
	}
	if len(within) == 0 {
		return fmt.Errorf("%s does not compile with mistakes, please report it: %w", at, flaw)
	}
	known := p.left
	defer func() { p.left = known }()
	bad := map[int]bool{}
	for _, n := range within {
		p.left = map[int]bool{}
		for left := range known {
			p.left[left] = true
		}
		for _, other := range slices.Concat(within, others) {
			p.left[other] = p.left[other] || other != n
		}
		_, flaws, err := p.program()
		if err != nil {
			return err
		}
		if len(flaws) > 0 {
			bad[n] = true
		}
	}
	for n := range bad {
		known[n] = true
	}
	return nil
}
