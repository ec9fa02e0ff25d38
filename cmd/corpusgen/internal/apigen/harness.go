package apigen

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Harness is the text that declares the operations of an API.
type Harness struct {
	Operations []string // their names, in order
	Writers    []string // operations that may write files
	Types      int      // of arguments and results
	Left       []Left   // what it leaves out, in the order of the names
	Note       string   // what its file lacks, and what to do; set by Write
	Stubs      []byte   // a Go file with types that it and its tests use; or nil

	// Test runs the sequences of its file, once that is written, and Calls is the variable that it
	// gives; or "".
	Test, Calls string
	Own         map[string]bool // what its file declares beside these, which the user has added
	Extended    bool            // the user has added operations, or may have

	pkg    *Package
	opts   Options
	body   string
	multi  bool              // types of it are for several goroutines
	values bool              // and operations return values of these
	names  map[string]string // of imports, by path
	owns   string            // what the names of the variable and the tests begin with
}

// New makes a harness of the exported API of a package. It leaves out what cannot be called,
// and what does not compile.
func New(pkg *Package, opts Options) (*Harness, error) {
	e := newEnum(pkg, opts)
	h := &Harness{pkg: pkg, opts: opts, names: e.imports.names}
	dropped := false
	_, err := h.compiled(func() (code string, err error) {
		if dropped {
			e.enable()
		}
		if len(e.ops) == 0 {
			return "", h.nothing(e)
		}
		h.body = e.body()
		h.multi, h.values = e.threads()
		h.Stubs, err = h.stubFile(e.writeStubs(h.body))
		return h.whole(), err
	}, operation, func(quoted, why string) {
		dropped = true
		name, _ := strconv.Unquote(quoted)
		e.drop(name, why)
	})
	if err != nil {
		return nil, err
	}
	for _, o := range e.ops {
		h.Operations = append(h.Operations, o.name)
		if e.writesFiles(o) {
			h.Writers = append(h.Writers, o.name)
		}
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

// drop leaves out what does not compile: an operation, an expression, or the generator of a kind. If
// a kind has none, its type does not compile, and operations with it are left out.
func (e *enum) drop(name, why string) {
	for _, k := range e.kinds {
		k.exprs = slices.DeleteFunc(k.exprs, func(code string) bool { return code == name })
		if k.name != name {
			continue
		}
		if k.gen == "" {
			e.ops = slices.DeleteFunc(e.ops, func(o *op) bool {
				uses := slices.Contains(o.takes(), k) || slices.Contains(o.resultKinds(), k)
				if uses {
					e.leave(o.name, "%s does not compile in the harness: %s", e.shortType(k.typ), why)
				}
				return uses
			})
		}
		k.gen = ""
	}
	if i := slices.IndexFunc(e.ops, func(o *op) bool { return o.name == name }); i >= 0 {
		e.ops = slices.Delete(e.ops, i, i+1)
		e.leave(name, "it does not compile in the harness: %s", why)
	}
}

// ErrNoAPI is why a package has no harness: nothing in it can be called.
var ErrNoAPI = errors.New("exports no function, method or field that a harness could call")

// An apiError is an ErrNoAPI with what else there is to say.
type apiError struct{ text string }

func (e apiError) Error() string { return e.text }

func (e apiError) Unwrap() error { return ErrNoAPI }

// nothing is the error of a package whose harness would have no operation.
func (h *Harness) nothing(e *enum) error {
	text := "the package " + h.pkg.Path + " " + ErrNoAPI.Error()
	for _, l := range e.left {
		text += fmt.Sprintf("\n%s: %s", l.Name, l.Why)
	}
	return apiError{text}
}

// operation begins the code of an operation, an expression or a pool, and has its name.
var operation = regexp.MustCompile(
	`(?m)^\s*(?:c\.Op|api\.Make|api\.Expr\[.*?\]|\w+ := api\.Type\[.*?\])` +
		`\((?:c, )?("(?:[^"\\]|\\.)*")`)

// compiled returns a file that compiles. As long as parts of it do not, drop is told the first
// error of each, and the file is written again. See errorsOf.
func (h *Harness) compiled(
	write func() (string, error), part *regexp.Regexp, drop func(name, why string), beside ...string,
) ([]byte, error) {
	for before := ""; ; {
		code, err := write()
		if err != nil || code == "" {
			return nil, err
		}
		text, err := h.file(code, nil)
		var failed map[string]string
		if list := (scanner.ErrorList)(nil); errors.As(err, &list) {
			if name := partAt(code, part, list[0].Pos.Offset); name != "" {
				failed, err = map[string]string{name: list[0].Msg}, nil
			}
		} else if err == nil {
			failed, err = h.errorsOf(text, part, beside...)
		}
		if err == nil && len(failed) > 0 && code == before { // nothing has been left out
			err = fmt.Errorf("%v", failed)
		}
		if before = code; err != nil {
			return nil, fmt.Errorf("the tests of %s do not compile, which is an error of corpusgen: %w",
				h.pkg.Path, err)
		}
		if len(failed) == 0 {
			return text, nil
		}
		for name, why := range failed {
			drop(name, why)
		}
	}
}

// errorsOf type-checks a file. It returns the first error of each part, and the first one before
// these. A part begins with what a regular expression matches, whose group is its name. The stubs
// and other files stand beside it.
func (h *Harness) errorsOf(text []byte, part *regexp.Regexp, beside ...string) (
	failed map[string]string, err error,
) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "callseq_test.go", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	files := []*ast.File{file}
	for _, other := range append(beside, string(h.Stubs)) {
		if other == "" {
			continue
		}
		f, err := parser.ParseFile(fset, "", other, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	failed = map[string]string{}
	conf := types.Config{Importer: h.pkg.lookup}
	if part == function { // tests are for the package as it is, and a harness for a later release
		conf.GoVersion = h.pkg.version
	}
	conf.Error = func(e error) {
		te, name := e.(types.Error), ""
		if undefined, is := strings.CutPrefix(te.Msg, "undefined: "); is && h.isOwn(undefined) {
			return
		}
		if at := fset.Position(te.Pos); at.Filename != "" {
			name = partAt(string(text), part, at.Offset)
		}
		switch {
		case name != "" && failed[name] == "":
			failed[name] = te.Msg
		case name == "" && err == nil && !te.Soft:
			err = e
		}
	}
	conf.Check(h.pkg.Path+"_test", fset, files, nil) // Error has the errors
	return failed, err
}

// partAt returns the name of the part of a file that has an offset, or "" before the first.
func partAt(text string, part *regexp.Regexp, offset int) (name string) {
	for _, p := range part.FindAllStringSubmatchIndex(text, -1) {
		if p[0] <= offset {
			name = text[p[2]:p[3]]
		}
	}
	return name
}

// usual are the names that a harness declares.
var usual = []string{
	"calls", "TestCalls", "FuzzCalls", "TestConcurrentCalls", "FuzzConcurrentCalls",
}

// free returns a prefix for these names if other tests have one of them.
func (h *Harness) free() string {
	if slices.ContainsFunc(usual, h.pkg.declares) {
		return "API"
	}
	return ""
}
