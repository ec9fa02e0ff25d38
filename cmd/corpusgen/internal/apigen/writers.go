package apigen

import (
	"cmp"
	"go/ast"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// changing are functions that write or remove files, or start programs, which may.
var changing = map[string][]string{
	"os": {
		"Chmod", "Chown", "Chtimes", "CopyFS", "Create", "CreateTemp", "Lchown", "Link",
		"Mkdir", "MkdirAll", "MkdirTemp", "OpenFile", "OpenInRoot",
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

// writesFiles reports whether an operation may write or remove files: what it calls has the name of
// what does in the package, or of a method of what the package imports.
func (e *enum) writesFiles(o *op) bool {
	name, _, _ := strings.Cut(o.callee, "[")
	if name = name[strings.LastIndexByte(name, '.')+1:]; o.recv != nil {
		name = "." + name
	}
	return o.do == call && e.pkg.writers(e.pkg.Path)[name]
}

// writers returns the names of functions and methods of a package that may write files, also by
// those that they name, and of such methods of what it imports but of the standard library. Those
// of methods begin with a dot.
func (p *Package) writers(path string) map[string]bool {
	if known, ok := p.written[path]; ok {
		return known
	}
	if p.written == nil {
		p.written = map[string]map[string]bool{}
	}
	names, users := map[string]bool{}, map[string][]string{}
	p.written[path] = names
	for _, f := range p.filesOf(path) {
		imports := p.importsOf(f)
		for _, of := range imports {
			for name := range p.writers(of) {
				if name[0] == '.' {
					names[name] = true
				}
			}
		}
		addUsers(users, f, func(user, of, name string) bool {
			if of = imports[of]; of != "" && p.changes(of, name) {
				names[user] = true
			}
			return of != ""
		})
	}
	spread(names, users)
	return names
}

// importsOf returns the paths of what a file imports, by names. What it does not name has its path.
func (p *Package) importsOf(f *ast.File) map[string]string {
	paths := map[string]string{}
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		name := cmp.Or(p.others[path].Name, lastElement(path))
		if spec.Name != nil && spec.Name.Name == "_" {
			name = path
		} else if spec.Name != nil {
			name = spec.Name.Name
		}
		paths[name] = path
	}
	return paths
}

// addUsers adds the functions and methods of a file by the names that they use, but those for which
// skip returns true. It is called for what looks like a name of a package.
func addUsers(users map[string][]string, f *ast.File, skip func(user, of, name string) bool) {
	for _, d := range f.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Body == nil {
			continue
		}
		user := d.Name.Name
		if d.Recv != nil {
			user = "." + user
		}
		var visit func(n ast.Node) bool
		visit = func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				users[n.Name] = append(users[n.Name], user)
			case *ast.SelectorExpr:
				if of, ok := n.X.(*ast.Ident); !ok || !skip(user, of.Name, n.Sel.Name) {
					users["."+n.Sel.Name] = append(users["."+n.Sel.Name], user)
					ast.Inspect(n.X, visit)
				}
				return false
			}
			return true
		}
		ast.Inspect(d.Body, visit)
	}
}

// spread gives what some names have to the functions that use one of them, and so on.
func spread[V any](names map[string]V, users map[string][]string) {
	for work := slices.Sorted(maps.Keys(names)); len(work) > 0; work = work[1:] {
		for _, user := range users[work[0]] {
			if _, known := names[user]; !known {
				names[user], work = names[work[0]], append(work, user)
			}
		}
	}
}

// changes reports whether a function of a package may write files.
func (p *Package) changes(path, name string) bool {
	functions, ok := changing[path]
	return p.writers(path)[name] || ok && (functions == nil || slices.Contains(functions, name))
}

// filesOf returns the files of a package, but none of the standard library, unless it is the one
// under test.
func (p *Package) filesOf(path string) (files []*ast.File) {
	if path == p.Path {
		return p.files
	}
	l := p.others[path]
	for _, name := range slices.Concat(l.GoFiles, l.CgoFiles) {
		if f, err := l.Parse(p.fset, []string{name}, nil); err == nil {
			files = append(files, f[0].Syntax)
		}
	}
	return files
}
