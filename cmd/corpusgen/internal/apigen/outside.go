package apigen

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"
)

// changing are functions that write or remove files, or start programs, which may.
var changing = map[string][]string{
	"os": {
		"Chmod", "Chown", "Chtimes", "CopyFS", "Create", "CreateTemp", "Lchown", "Link", "Mkdir", "MkdirAll", "MkdirTemp", "OpenFile", "OpenInRoot",
		"OpenRoot", "Remove", "RemoveAll", "Rename", "StartProcess", "Symlink", "Truncate", "WriteFile",
	},
	"io/ioutil": {"TempDir", "TempFile", "WriteFile"},
	"os/exec":   {"Command", "CommandContext"},
	"syscall":   nil, // any
	"plugin":    nil,
}

// writesFiles reports whether an operation may write or remove files: what it calls has the name of a function of the
// package, or of what this needs of its module, that does.
func (e *enum) writesFiles(o *op) bool {
	if e.writers == nil {
		e.writers = e.findWriters()
	}
	name, _, _ := strings.Cut(o.callee, "[")
	return o.do == call && e.writers[name[strings.LastIndexByte(name, '.')+1:]]
}

// findWriters returns the names of functions and methods that may write files, also by those that they name.
func (e *enum) findWriters() map[string]bool {
	writers, bodies := map[string]bool{}, map[*ast.FuncDecl]bool{}
	for _, s := range e.pkg.sources() {
		for _, f := range s.files {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
					bodies[d] = true
					if changes(f, d) {
						writers[d.Name.Name] = true
					}
				}
			}
		}
	}
	for grown := len(writers) > 0; grown; {
		grown = false
		for d := range bodies {
			if !writers[d.Name.Name] && mentionsAny(d.Body, writers) {
				writers[d.Name.Name], grown = true, true
			}
		}
	}
	return writers
}

// changes reports whether a function of a file names one that changes files, or what holds one.
func changes(f *ast.File, d *ast.FuncDecl) (found bool) {
	names := map[string][]string{} // of imports
	all := map[string]bool{}
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		if functions, ok := changing[path]; ok {
			name := lastElement(path)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			names[name], all[name] = functions, functions == nil
		}
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if x, ok := n.(*ast.SelectorExpr); ok {
			if of, ok := x.X.(*ast.Ident); ok {
				found = found || all[of.Name] || slices.Contains(names[of.Name], x.Sel.Name)
			}
		}
		return !found
	})
	return found
}

// mentionsAny reports whether a function names one of some others.
func mentionsAny(n ast.Node, names map[string]bool) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && names[id.Name]
		return !found
	})
	return found
}
