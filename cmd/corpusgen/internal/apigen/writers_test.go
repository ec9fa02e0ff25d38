package apigen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/stretchr/testify/require"
)

// An operation may write files if it does so by what it calls, whatever that is called with.
func TestWritesFiles(t *testing.T) {
	for _, c := range []struct{ name, imports, code, want string }{
		{"removes", `"os"`, `func Remove(dir string) { os.RemoveAll(dir) }
			func Read(name string) { os.ReadFile(name) }`, "p.Remove"},
		{"by another function", `"os"`, `func Save(name string) { create(name) }
			func create(name string) { os.Create(name) }
			func Size(name string) int { return len(name) }`, "p.Save"},
		{"by a method", `"os"`, `type File struct{ name string }
			func New(name string) *File { return &File{name} }
			func (f *File) Save() { f.write() }
			func (f *File) write() { os.WriteFile(f.name, nil, 0) }
			func (f *File) Name() string { return f.name }`, "file.Save"},
		{"as a value", `"os"`, `func Make(name string) { do(os.Mkdir, name) }
			func do(f func(string, os.FileMode) error, name string) { f(name, 0) }`, "p.Make"},
		{"under another name", `files "os"`, `func Move(from, to string) { files.Rename(from, to) }`, "p.Move"},
		{"starts a program", `"os/exec"`, `func Run(name string) { exec.Command(name) }`, "p.Run"},
		{"calls the system", `"syscall"`, `func Do(name string) { syscall.Unlink(name) }`, "p.Do"},
		{"generic", `"os"`, `func Save[T int | string](name string, v T) { os.Create(name) }`, "p.Save[int]"},
		{"none", `"strings"`, `func Remove(s string) string { return strings.ToUpper(s) }`, ""},
	} {
		e := newEnum(packageOf(t, "import "+c.imports, c.code), Options{})
		var got []string
		for _, o := range e.ops {
			if e.writesFiles(o) {
				got = append(got, o.name)
			}
		}
		require.Equal(t, c.want, strings.Join(got, " "), c.name)
	}
}

// What other modules do counts: their functions, and methods of what the package imports.
func TestWritesByOthers(t *testing.T) {
	p := &Package{Path: "example.com/user", fset: token.NewFileSet(), others: map[string]loader.Package{}}
	f, err := parser.ParseFile(p.fset, "p.go", `package user
		import ("example.com/log"; "strings")
		func Log(name string) *log.File { return log.New(name) }
		func Save(name string) { log.Save(name) }
		func Add(f *log.File) { f.Append("a") }
		func Chain(f *log.File) { f.Deep() }
		func Name(f *log.File) string { return f.Name() }
		func Upper(s string) string { return strings.ToUpper(s) }`, 0)
	require.NoError(t, err)
	p.files = []*ast.File{f}
	for path, code := range map[string]string{
		"example.com/log": `package log
			import disk "example.com/disk/v2"
			type File struct { file *disk.File }
			func New(name string) *File { return &File{} }
			func Save(name string) { disk.Write(name) }
			func (f *File) Append(s string) { f.open().Put(s) }
			func (f *File) Deep() { f.file.Put("") }
			func (f *File) Name() string { return disk.Base("") }
			func (f *File) open() *disk.File { return nil }`,
		"example.com/disk/v2": `package disk
			import "os"
			type File struct { f *os.File }
			func Write(name string) { os.WriteFile(name, nil, 0) }
			func (f *File) Put(s string) { f.f, _ = os.Create(s) }
			func Base(name string) string { return name }`,
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "p.go"), []byte(code), 0o666))
		p.others[path] = loader.Package{ImportPath: path, Dir: dir, GoFiles: []string{"p.go"}}
	}
	require.Equal(t, map[string]bool{"Save": true, "Add": true, "Chain": true, ".Append": true, ".Deep": true, ".Put": true}, p.writers(p.Path))
}
