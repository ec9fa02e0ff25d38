package instrument

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
)

// checkers are modules that only serve tests. To cover more of them says nothing new.
var checkers = []string{
	"github.com/AdaLogics/go-fuzz-headers",
	"github.com/davecgh/go-spew",
	"github.com/frankban/quicktest",
	"github.com/golang/mock",
	"github.com/google/go-cmp",
	"github.com/google/gofuzz",
	"github.com/onsi/ginkgo",
	"github.com/onsi/gomega",
	"github.com/pmezard/go-difflib",
	"github.com/stretchr/testify",
	"go.uber.org/goleak",
	"go.uber.org/mock",
	"gopkg.in/check.v1",
	"gotest.tools",
	"pgregory.net/rapid",
}

// decoders are the trees of packages of the standard library that read what may be an input.
var decoders = []string{
	"archive", "compress", "debug", "encoding", "go/parser", "go/scanner", "html", "image", "mime",
	"net/http", "net/mail", "net/netip", "net/textproto", "net/url", "regexp", "text",
}

// mostBraces bounds the packages of other modules that are followed: so many opening braces have
// their files at most, about as many as there are counters. More would slow down each execution.
const mostBraces = 40_000

// A Reach is what the tests of the packages under test can reach by imports, as far as to follow its
// coverage pays.
type Reach struct {
	Main   []string // packages of the main module, or of the workspace, in order
	Others []string // packages of other modules, and decoders of the standard library, in order
	Left   []string // packages of other modules for which there was no room
	Rules  []Rule
}

// Reach returns what the packages under test and their tests reach. Packages of other modules count
// as far as there is room, those first that are the fewest imports away; but this library and
// modules that only serve tests do not count. Of the standard library, decoders count that the main
// module imports.
func (p *Packages) Reach() Reach {
	rules := Default(p.under...)
	r := Reach{}
	r.Main, _ = p.Followed(rules)
	room := mostBraces
	full := false
	for _, path := range p.imported() {
		l := p.known[path]
		switch n := l.braces(); {
		case l.Standard:
			r.Others = append(r.Others, path)
		case full || n > room:
			full = true // what is farther away is of less interest
			r.Left = append(r.Left, path)
		default:
			room -= n
			r.Others = append(r.Others, path)
		}
	}
	slices.Sort(r.Others)
	r.Rules = rules
	for _, path := range r.Others {
		r.Rules = append(r.Rules, Rule{path, true})
	}
	return r
}

// Files returns the files of packages, but for tests and for the standard library.
func (p *Packages) Files(packages []string) (files []string) {
	for _, path := range packages {
		l := p.known[path]
		if l.Standard {
			continue
		}
		for _, file := range slices.Concat(l.GoFiles, l.CgoFiles) {
			files = append(files, filepath.Join(l.Dir, file))
		}
	}
	return files
}

// HasCode reports whether one of some packages has files other than tests.
func (p *Packages) HasCode(packages []string) bool {
	return slices.ContainsFunc(packages, func(path string) bool {
		return len(p.known[path].GoFiles)+len(p.known[path].CgoFiles) > 0
	})
}

// imported returns the packages outside of the main module that may count, those first that are
// the fewest imports away from the packages under test.
func (p *Packages) imported() (found []string) {
	seen := map[string]bool{}
	queue := slices.Clone(p.under)
	for _, path := range queue {
		seen[path] = true
	}
	for len(queue) > 0 {
		from := p.known[queue[0]]
		queue = queue[1:]
		main := from.Module != nil && from.Module.Main
		imports := from.Imports
		if slices.Contains(p.under, from.ImportPath) {
			imports = slices.Concat(imports, from.TestImports, from.XTestImports)
		}
		for _, path := range imports {
			l, ok := p.known[path]
			switch {
			case !ok || seen[path] || slices.Contains(never, path) || within(path, checkers):
				continue
			case l.Standard && (!main || !within(path, decoders)):
				continue
			case inLibrary(path) && (l.Module == nil || !l.Module.Main):
				continue
			}
			seen[path] = true
			if l.Module == nil || !l.Module.Main {
				found = append(found, path)
			}
			if !l.Standard {
				queue = append(queue, path)
			}
		}
	}
	return found
}

// braces counts the opening braces of a package's files.
func (l listed) braces() (n int) {
	for _, file := range slices.Concat(l.GoFiles, l.CgoFiles) {
		if b, err := os.ReadFile(filepath.Join(l.Dir, file)); err == nil {
			n += bytes.Count(b, []byte("{"))
		}
	}
	return n
}
