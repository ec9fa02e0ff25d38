package mistake

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
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
// It ends with the context.
func (p *Package) Compile(ctx context.Context) (*Program, error) {
	p.left = map[int]bool{}
	return p.compile(ctx)
}

func (p *Package) compile(ctx context.Context) (*Program, error) {
	for {
		g, flaws, err := p.program(ctx)
		if err != nil || len(flaws) == 0 {
			return g, err
		}
		if err := g.leave(ctx, flaws); err != nil {
			return nil, err
		}
	}
}

// program edits the package without the mistakes that are left, and returns what is wrong with it.
func (p *Package) program(ctx context.Context) (*Program, []types.Error, error) {
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	g := &Program{Texts: map[string][]byte{}, pkg: p, Left: len(p.left)}
	p.swaps, p.same = map[[3]int]bool{}, map[string]int{}
	next := 1
	for i, f := range p.Files {
		text, list, after := p.edit(i, next)
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

// parse parses a text of the program.
func (p *Package) parse(path string, text []byte) (loader.File, error) {
	f, err := parser.ParseFile(p.Fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return loader.File{}, fmt.Errorf("%s cannot have mistakes: %w", path, err)
	}
	return loader.File{Syntax: f, Text: text}, nil
}

// leave leaves out the mistakes because of which the program does not compile: the innermost one at
// the place of an error, or, if there is none, those of the declaration that do not compile.
func (g *Program) leave(ctx context.Context, flaws []types.Error) error {
	p := g.pkg
	before := len(p.left)
	for _, flaw := range flaws {
		if n := g.at(flaw.Pos); n > 0 {
			p.left[n] = true
		}
	}
	if len(p.left) > before {
		return nil // the other errors may follow from these
	}
	all, within := map[int]bool{}, map[int]bool{}
	for _, flaw := range flaws {
		around := g.declarationAt(flaw.Pos)
		for _, m := range g.Mistakes {
			all[m.Number] = true
			if m.decl == around {
				within[m.Number] = true
			}
		}
	}
	for _, list := range []map[int]bool{within, all} {
		err := g.bisect(ctx, slices.Sorted(maps.Keys(list)), all)
		if err != nil || len(p.left) > before {
			return err
		}
	}
	return fmt.Errorf("%s cannot have mistakes: %w", p.Path, flaws[0])
}

// declarationAt returns the numbers of a file and of the declaration in it that is at a place of the
// program. Edits change neither.
func (g *Program) declarationAt(pos token.Pos) (around [2]int) {
	for i, f := range g.edited {
		for j, d := range f.Syntax.Decls {
			if d.Pos() <= pos && pos <= d.End() {
				return [2]int{i, j}
			}
		}
	}
	return [2]int{-1, -1}
}

// bisect leaves out those of a list of mistakes that do not compile without all others of the
// package.
func (g *Program) bisect(ctx context.Context, list []int, all map[int]bool) error {
	if len(list) == 0 {
		return nil
	}
	known := g.pkg.left
	g.pkg.left = maps.Clone(known)
	for n := range all {
		if !slices.Contains(list, n) {
			g.pkg.left[n] = true
		}
	}
	_, flaws, err := g.pkg.program(ctx)
	g.pkg.left = known
	switch {
	case err != nil || len(flaws) == 0:
		return err
	case len(list) == 1:
		known[list[0]] = true
		return nil
	}
	before, half := len(known), len(list)/2
	if err := g.bisect(ctx, list[:half], all); err != nil {
		return err
	}
	if err := g.bisect(ctx, list[half:], all); err != nil {
		return err
	}
	if len(known) == before { // each half compiles, but not both
		for _, n := range list[half:] {
			known[n] = true
		}
	}
	return nil
}

// compilerError matches a line of the output of the compiler. It has no column if a line directive
// of the file has none.
var compilerError = regexp.MustCompile(`^(.+?):(\d+)(?::(\d+))?: `)

// maxBuilds is how often a binary is built because the compiler rejects mistakes.
const maxBuilds = 10

// Build has a function build the program. The mistakes that the compiler rejects, as the function
// says by a [gotest.BuildError], are left out, and it builds what is left. Build returns the last
// program, also with an error of the function.
func (g *Program) Build(ctx context.Context, build func(*Program) error) (*Program, error) {
	for n := 1; ; n++ {
		err, rejected := build(g), (*gotest.BuildError)(nil)
		if !errors.As(err, &rejected) || n == maxBuilds || !g.leaveOut(rejected.Output) {
			return g, err
		}
		less, err := g.pkg.compile(ctx)
		if err != nil {
			return g, err
		}
		g = less
	}
}

// leaveOut leaves out the mistakes at the places of errors of the compiler, as in p.go:3:7: text. It
// reports false if there are none.
func (g *Program) leaveOut(output string) bool {
	before := len(g.pkg.left)
	for line := range strings.Lines(output) {
		match := compilerError.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		row, _ := strconv.Atoi(match[2])
		column, _ := strconv.Atoi(match[3])
		for _, pos := range g.places(filepath.Base(match[1]), row, column) {
			if n := g.at(pos); n > 0 {
				g.pkg.left[n] = true
			}
		}
	}
	return len(g.pkg.left) > before
}

// places returns the places of the program with the base name of a file, a line, and a column, as
// line directives have them. All places of a line have the column 0.
func (g *Program) places(name string, line, column int) (found []token.Pos) {
	for _, f := range g.edited {
		file := g.pkg.Fset.File(f.Syntax.Package)
		for n := 1; n <= file.LineCount(); n++ {
			start := file.LineStart(n)
			at := file.Position(start)
			if at.Line != line || filepath.Base(at.Filename) != name {
				continue
			}
			if column > 0 {
				found = append(found, start+token.Pos(column-at.Column))
				continue
			}
			end := token.Pos(file.Base() + file.Size())
			if n < file.LineCount() {
				end = file.LineStart(n + 1)
			}
			for pos := start; pos < end; pos++ {
				found = append(found, pos)
			}
		}
	}
	return found
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
