package apigen

import (
	"cmp"
	"go/ast"
	"go/parser"
	"maps"
	"path/filepath"
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

	"golang.org/x/sys/unix":    nil,
	"golang.org/x/sys/windows": nil,
	"internal/syscall/unix":    nil,
	"internal/syscall/windows": nil,
}

// writesFiles reports whether an operation may write or remove files: what it calls has the name of what does in the
// package, or of a method of what the package imports.
func (e *enum) writesFiles(o *op) bool {
	name, _, _ := strings.Cut(o.callee, "[")
	_, writes := e.pkg.writers(e.pkg.Path)[name[strings.LastIndexByte(name, '.')+1:]]
	return o.do == call && writes
}

// writers returns the names of functions and methods of a package that may write files, also by those that they name,
// and of such methods of what it imports but of the standard library. They are true for methods.
func (p *Package) writers(path string) map[string]bool {
	if known, ok := p.written[path]; ok {
		return known
	}
	if p.written == nil {
		p.written = map[string]map[string]bool{}
	}
	names := map[string]bool{}
	p.written[path] = names
	files := p.filesOf(path)
	imports := map[*ast.File]map[string]string{} // paths by names
	for _, f := range files {
		imports[f] = map[string]string{}
		for _, spec := range f.Imports {
			of, _ := strconv.Unquote(spec.Path.Value)
			name := cmp.Or(p.others[of].Name, lastElement(of))
			if spec.Name != nil {
				name = spec.Name.Name
			}
			imports[f][name] = of
			for name, method := range p.writers(of) {
				if method {
					names[name] = true
				}
			}
		}
	}
	users := map[string][]*ast.FuncDecl{}
	for _, f := range files {
		addUsers(users, f, func(d *ast.FuncDecl, of, name string) bool {
			if of = imports[f][of]; of != "" && p.changes(of, name) {
				names[d.Name.Name] = names[d.Name.Name] || d.Recv != nil
			}
			return of != ""
		})
	}
	spread(names, users)
	return names
}

// addUsers adds the functions of a file by the names that they use, but those for which skip returns true. It is
// called for what looks like a name of a package.
func addUsers(users map[string][]*ast.FuncDecl, f *ast.File, skip func(d *ast.FuncDecl, of, name string) bool) {
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
			ast.Inspect(d.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					if all := users[n.Name]; len(all) == 0 || all[len(all)-1] != d {
						users[n.Name] = append(all, d)
					}
				case *ast.SelectorExpr:
					of, ok := n.X.(*ast.Ident)
					return !ok || skip == nil || !skip(d, of.Name, n.Sel.Name)
				}
				return true
			})
		}
	}
}

// spread adds to some names those of the functions that use one of them, and so on. They are true for methods.
func spread(names map[string]bool, users map[string][]*ast.FuncDecl) {
	for work := slices.Collect(maps.Keys(names)); len(work) > 0; work = work[1:] {
		for _, d := range users[work[0]] {
			if _, ok := names[d.Name.Name]; !ok {
				work = append(work, d.Name.Name)
			}
			names[d.Name.Name] = names[d.Name.Name] || d.Recv != nil
		}
	}
}

// changes reports whether a function of a package may write files.
func (p *Package) changes(path, name string) bool {
	functions, ok := changing[path]
	_, writes := p.writers(path)[name]
	return writes || ok && (functions == nil || slices.Contains(functions, name))
}

// filesOf returns those of a package, but none of the standard library, unless it is the one under test.
func (p *Package) filesOf(path string) (files []*ast.File) {
	if path == p.Path {
		return p.files
	}
	l := p.others[path]
	for _, name := range slices.Concat(l.GoFiles, l.CgoFiles) {
		if f, err := parser.ParseFile(p.fset, filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution); err == nil {
			files = append(files, f)
		}
	}
	return files
}
