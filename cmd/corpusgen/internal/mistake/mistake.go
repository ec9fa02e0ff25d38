// Package mistake edits the files of a package so that it can make small mistakes, such as a
// developer makes: all are compiled at once, and a number chooses one while the program runs.
//
//	pkg := &mistake.Package{Path: path, Fset: fset, Files: files, Info: info, Check: check}
//	program, err := pkg.Compile(ctx)
//
// The edits keep the program what it is as long as no mistake is chosen:
//
//   - An operation becomes a call of a generic function, whose operands are evaluated once: see
//     [gosource.Text]. It stays if the call would read a variable earlier than the operation does,
//     and another call in the same statement may change that variable.
//   - A condition becomes a comparison: whether its mistake is made, with the condition.
//   - A statement, a defer, and a lock with all that unlock it, come within an if.
//   - Constant expressions that are part of a larger one, of a type or of a declaration of constants
//     stay. So do functions that may not call others, generated files, and what a comment
//     //corpusgen:keep names.
//   - No line moves.
//
// Package go/types checks what comes out. A mistake that does not compile is left out alone.
package mistake

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
)

// A Kind is what sort of change a mistake is.
type Kind string

// The kinds of mistakes.
const (
	Condition  Kind = "condition"  // it is negated
	Boundary   Kind = "boundary"   // < is <=, and so on
	Arithmetic Kind = "arithmetic" // + is -, and so on
	Constant   Kind = "constant"   // it is another one
	Statement  Kind = "statement"  // it is left out
	Arguments  Kind = "arguments"  // two of one type change places
	Error      Kind = "error"      // it is ignored
	Defer      Kind = "defer"      // it is left out
	Lock       Kind = "lock"       // it is left out, with what unlocks it
)

// A Mistake is a small change of a package.
type Mistake struct {
	Number        int    // from 1; what chooses it
	ID            string // of the function and of the mistake in it, wherever the function stands
	Kind          Kind
	Func          string // the function, as in Trim or Queue.Pop, or the variable that is declared
	FuncID        string // of the code of the function
	File          string // path
	Line          int
	Before, After string // the lines that change

	decl [2]int // the numbers of the file, and of the declaration in it
}

// Name is the name of the directive that leaves out a line, or a function.
const Name = "//corpusgen:keep"

// A Package is one whose files are edited.
type Package struct {
	Path   string // its import path
	Fset   *token.FileSet
	Files  []loader.File
	Info   *types.Info
	Prefix string // of names that the package does not use
	Old    bool   // its module asks for a release before type parameters

	// Linked is the import path of a package of the process that says which mistake is made, by its
	// variables mistakeMade, mistakesReached and mistakeSteps; "" if [Variable] says so.
	Linked string
	// Wanted reports whether lines of a file may have mistakes; nil for all of them.
	Wanted func(file string, from, to int) bool
	// Check type-checks files of the package, and returns the errors that its own files do not have.
	Check func(files []loader.File) []types.Error

	Notes []string // about directives

	left  map[int]bool    // mistakes that do not compile
	swaps map[[3]int]bool // arguments that change places: how many there are, and which
	same  map[string]int  // declarations by what is their identity, but for their order
	notes map[string]bool
}

// An editor edits a file.
type editor struct {
	*Package
	*gosource.Text
	file   loader.File
	path   string
	next   int    // the number of the next mistake
	decl   [2]int // the numbers of the file, and of the declaration in it
	keeps  *gosource.Directives
	shared map[types.Object]bool
	around *declaration
	list   []Mistake
	asIs   map[ast.Node]bool // expressions that have no mistake of their own
	ends   map[ast.Node]bool // statements that end a function with results
	needed *needed
}

// edit returns the text of a file, by its number, with mistakes, whose numbers begin with first, and
// the number of the next. Numbers do not depend on what is left out.
func (p *Package) edit(file, first int) (text []byte, list []Mistake, next int) {
	f := p.Files[file]
	e := &editor{
		Package: p, Text: gosource.NewText(p.Fset, f.Text), file: f,
		path: p.Fset.PositionFor(f.Syntax.Package, false).Filename, next: first,
		keeps: gosource.FindDirectives(p.Fset, f.Syntax, Name), asIs: map[ast.Node]bool{},
		ends: map[ast.Node]bool{},
	}
	if ast.IsGenerated(f.Syntax) {
		return f.Text, nil, e.next
	}
	e.shared, _ = gosource.Shared(p.Info, f.Syntax)
	e.needed = findNeeded(p.Info, f.Syntax)
	for i, decl := range f.Syntax.Decls {
		e.decl = [2]int{file, i}
		e.declare(decl)
	}
	for _, at := range e.keeps.Bare() {
		e.note(at + ": this " + Name + " gives no reason: write why no test need notice a mistake here")
	}
	for _, at := range e.keeps.Unused() {
		e.note(at + ": this " + Name + " keeps nothing: write it at the end of a line of code, or in " +
			"the doc comment of a function")
	}
	if !e.Edited() {
		return f.Text, nil, e.next
	}
	text = []byte(e.Render(0, e.Len()))
	if p.Old {
		text = loader.Upgrade(p.Fset, f, text)
	}
	return text, e.list, e.next
}

// note adds a note, once.
func (p *Package) note(text string) {
	if p.notes == nil {
		p.notes = map[string]bool{}
	}
	if !p.notes[text] {
		p.notes[text] = true
		p.Notes = append(p.Notes, text)
	}
}

// declare edits a declaration.
func (e *editor) declare(decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Body == nil || gosource.Nosplit(decl) {
			return
		}
		e.around = e.declaration(decl, nameOf(decl))
		if f, ok := e.Info.Defs[decl.Name].(*types.Func); ok {
			e.around.results = f.Signature().Results()
		}
		e.end(decl.Type, decl.Body)
		ast.PreorderStack(decl.Body, nil, e.node)
	case *ast.GenDecl:
		if decl.Tok != token.VAR {
			return
		}
		for _, spec := range decl.Specs {
			spec := spec.(*ast.ValueSpec)
			e.around = e.declaration(spec, spec.Names[0].Name)
			for _, value := range spec.Values {
				ast.PreorderStack(value, nil, e.node)
			}
		}
	}
}

// nameOf returns the name of a function, as in Queue.Pop.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + f.Name.Name
		default:
			return f.Name.Name
		}
	}
}

// A change is a mistake as a reader sees it: what replaces a part of the source.
type change struct {
	pos, end token.Pos
	text     string
}

// add adds a mistake, unless it is left out. It returns the number as code.
func (e *editor) add(kind Kind, changes ...change) (number string, ok bool) {
	return e.addAs(kind, changes, changes...)
}

// addAs adds a mistake that a reader sees as shown. Its identity is in the changes, which stay as they
// are whenever it is shown in a better way.
func (e *editor) addAs(kind Kind, shown []change, changes ...change) (number string, ok bool) {
	pos, end := changes[0].pos, changes[len(changes)-1].end
	from, to := e.Fset.PositionFor(pos, false).Line, e.Fset.PositionFor(end, false).Line
	for _, c := range changes {
		if e.keeps.Cover(c.pos, c.end) {
			return "", false
		}
	}
	if e.Wanted != nil && !e.Wanted(e.path, from, to) {
		return "", false
	}
	n := e.next
	if e.next++; e.left[n] {
		return "", false
	}
	m := Mistake{
		Number: n, Kind: kind, Func: e.around.name, FuncID: e.around.id, File: e.path,
		Line: e.Fset.PositionFor(shown[0].pos, false).Line, decl: e.decl,
	}
	m.Before, m.After = e.lines(shown)
	m.ID = e.around.mistake(e.Offset(pos), kind, changes)
	e.list = append(e.list, m)
	return strconv.Itoa(n), true
}

// lines returns the lines that change, before and after.
func (e *editor) lines(changes []change) (before, after string) {
	shown := e.Inner()
	for _, c := range changes {
		shown.Replace(c.pos, c.end, c.text)
	}
	source := string(e.file.Text)
	from := strings.LastIndexByte(source[:e.Offset(changes[0].pos)], '\n') + 1
	to := len(source)
	if end := e.Offset(changes[len(changes)-1].end); strings.IndexByte(source[end:], '\n') >= 0 {
		to = end + strings.IndexByte(source[end:], '\n')
	}
	return trimmed(source[from:to]), trimmed(shown.Render(from, to))
}

// trimmed returns lines without blank ones at the ends, and without trailing spaces.
func trimmed(lines string) string {
	list := strings.Split(strings.ReplaceAll(lines, "\r", ""), "\n")
	for i := range list {
		list[i] = strings.TrimRight(list[i], " \t")
	}
	return strings.Trim(strings.Join(list, "\n"), "\n")
}
