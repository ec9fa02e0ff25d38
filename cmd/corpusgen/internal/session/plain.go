package session

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
)

// plainEntries returns what files stand for, if the target does not use fuzzext: its arguments, as
// they are. Nothing is known of their status.
func (t *Target) plainEntries(files []string) (entries []job.Entry) {
	at := t.fuzzCall()
	for i, path := range files {
		e := job.Entry{Number: i, Of: path}
		file, err := corpus.ReadFile(path)
		var args []any
		if err == nil {
			args, err = corpus.UnmarshalArgs(file)
		}
		if err != nil {
			e.Status, e.Why = job.Rejected, err.Error()
		} else {
			code := corpus.Code(args)
			e.Status, e.Data, e.Value = job.Plain, file, strings.Join(code, "\n")
			e.Code = &job.Code{Seed: at.f + ".Add(" + strings.Join(code, ", ") + ")", File: at.file,
				Line: at.line}
		}
		entries = append(entries, e)
	}
	return entries
}

// isPlain reports whether a fuzz target does not use fuzzext, given the imports of the package's
// tests: if an entry is broken, the target itself cannot say so.
func (t *Target) isPlain() bool {
	paths, _ := filepath.Glob(filepath.Join(t.Package.Dir, "*_test.go")) // the pattern is right
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil || slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool {
			return strings.Contains(i.Path.Value, "/espalier/fuzzext")
		}) {
			return false
		}
	}
	return !t.IsTest()
}

// A fuzzCall is the call of f.Fuzz in a fuzz target.
type fuzzCall struct {
	f    string // the name of the *testing.F
	file string // absolute; "" if there is no such call in the function itself
	line int
}

// fuzzCall finds the call in the source of the target.
func (t *Target) fuzzCall() fuzzCall {
	found := fuzzCall{f: "f"}
	paths, _ := filepath.Glob(filepath.Join(t.Package.Dir, "*_test.go")) // the pattern is right
	for _, path := range paths {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Name.Name != t.Name || fn.Body == nil ||
				len(fn.Type.Params.List) != 1 || len(fn.Type.Params.List[0].Names) != 1 {
				continue
			}
			found.f = fn.Type.Params.List[0].Names[0].Name
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					on, name := gosource.Callee(call)
					if id, ok := on.(*ast.Ident); ok && id.Name == found.f && name == "Fuzz" {
						found.file, found.line = path, files.Position(call.Pos()).Line
					}
				}
				return true
			})
		}
	}
	return found
}
