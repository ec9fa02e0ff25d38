package overlay

import (
	"cmp"
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
)

//go:embed glue/glue.go
var glue []byte

// An UnsupportedError says why the overlay does not fit a Go installation at all.
type UnsupportedError struct {
	Version string
	Reason  string
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("the fuzzing engine of %s is not one that corpusgen knows: %s", e.Version, e.Reason)
}

// needed are the declarations of internal/fuzz that the files of the overlay refer to.
var needed = []string{"CorpusEntry", "coverage", "coverageSnapshot", "fuzzArgs", "fuzzMinimizeInput", "fuzzResponse", "godebugSeed", "sharedMem", "workerServer"}

// A part is what the overlay does in one respect. It is done if all its edits can be.
type part struct {
	name  string
	loss  string // completes "going on without it:"
	edits []editor
}

// An editor finds the place of an edit in a file.
type editor struct {
	file   string
	anchor string // what is looked for, as messages say it
	find   func(f *file) []change
}

// A change replaces src[pos:end].
type change struct {
	pos, end token.Pos
	text     string
}

// edit returns the files of the overlay for the given sources of internal/fuzz.
func edit(version string, sources map[string][]byte) (files map[string][]byte, o *Overlay, err error) {
	files, err = added()
	if err != nil {
		return nil, nil, err
	}
	parsed := map[string]*file{}
	declared := map[string]bool{}
	for name, src := range sources {
		f, err := parse(name, src)
		if err != nil {
			return nil, nil, &UnsupportedError{version, err.Error()}
		}
		parsed[name] = f
		for _, id := range f.declarations() {
			declared[id] = true
		}
	}
	for _, id := range needed {
		if !declared[id] {
			return nil, nil, &UnsupportedError{version, "internal/fuzz declares no " + id}
		}
	}
	for name, src := range files {
		f, err := parse(name, src)
		if err != nil {
			return nil, nil, err
		}
		for _, id := range f.declarations() {
			if declared[id] {
				return nil, nil, &UnsupportedError{version, fmt.Sprintf("internal/fuzz declares %s, as %s of the overlay does", id, name)}
			}
		}
	}

	o = &Overlay{}
	changes := map[string][]change{}
	for i, p := range parts {
		found := map[string][]change{}
		lost := ""
		for _, e := range p.edits {
			f := parsed[e.file]
			var c []change
			if f != nil {
				c = e.find(f)
			}
			if len(c) == 0 {
				lost = fmt.Sprintf("internal/fuzz/%s has no %s", e.file, e.anchor)
				break
			}
			found[e.file] = append(found[e.file], c...)
		}
		switch {
		case lost == "":
			for name, c := range found {
				changes[name] = append(changes[name], c...)
			}
		case i == 0: // the others build on it
			return nil, nil, &UnsupportedError{version, lost}
		default:
			o.lacks = append(o.lacks, p.name)
			o.Missing = append(o.Missing, fmt.Sprintf("the fuzzing engine of %s is not quite as expected: %s: going on without %s: %s", version, lost, p.name, p.loss))
		}
	}
	for name, c := range changes {
		files[name] = parsed[name].apply(c)
	}
	return files, o, nil
}

// A file is a parsed source.
type file struct {
	src  []byte
	fset *token.FileSet
	ast  *ast.File
}

func parse(name string, src []byte) (*file, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &file{src, fset, f}, nil
}

// declarations returns the names that the file declares in its package.
func (f *file) declarations() []string {
	names := map[string]bool{}
	for _, d := range f.ast.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names[n.Name] = true
					}
				}
			}
		}
	}
	delete(names, "_")
	delete(names, "init")
	return slices.Sorted(maps.Keys(names))
}

// apply returns the source with the changes made.
func (f *file) apply(changes []change) []byte {
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.pos, b.pos) })
	var b strings.Builder
	at := 0
	for _, c := range changes {
		pos, end := f.fset.Position(c.pos).Offset, f.fset.Position(c.end).Offset
		b.Write(f.src[at:pos])
		b.WriteString(c.text)
		at = end
	}
	b.Write(f.src[at:])
	return []byte(b.String())
}

// text returns the source of a node.
func (f *file) text(n ast.Node) string {
	return string(f.src[f.fset.Position(n.Pos()).Offset:f.fset.Position(n.End()).Offset])
}

// function returns the declaration of a function, or of a method of *recv.
func (f *file) function(recv, name string) *ast.FuncDecl {
	for _, d := range f.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != name || fn.Body == nil || (fn.Recv != nil) != (recv != "") {
			continue
		}
		if recv == "" || f.text(fn.Recv.List[0].Type) == "*"+recv {
			return fn
		}
	}
	return nil
}

// find returns the nodes of a type below n whose source is text.
func find[N ast.Node](f *file, n ast.Node, text string) []N {
	var found []N
	ast.Inspect(n, func(n ast.Node) bool {
		if n, ok := n.(N); ok && f.text(n) == text {
			found = append(found, n)
		}
		return true
	})
	return found
}
