package apigen

import (
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/require"
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
		{"generic", `"os"`, `func Save[T int | string](name string, v T) { os.Create(name) }`, "p.Save[int] p.Save[string]"},
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
