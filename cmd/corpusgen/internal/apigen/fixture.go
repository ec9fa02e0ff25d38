package apigen

import (
	"cmp"
	"fmt"
	"go/ast"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxFixtures = 10_000
	maxNames    = 8 // of files, as strings
	maxContents = 8
)

// A Fixture is a file that tests of a package may read.
type Fixture struct {
	Path string // with slashes, relative to the directory of the package
	Size int64
	told bool // it is below testdata, or below what a literal of a test names
}

// IsCorpus reports whether a file is an entry of a corpus.
func (f Fixture) IsCorpus() bool { return strings.HasPrefix(f.Path, "testdata/fuzz") }

// Fixtures returns the files below testdata and those that tests name, or whose folders they name,
// also beside the package in its module, but no Go files of other packages. Then come all others in
// the directory of the package.
func (p *Package) Fixtures() []Fixture {
	if p.fixtures != nil || p.Dir == "" {
		return p.fixtures
	}
	p.fixtures = []Fixture{}
	seen := map[string]bool{}
	for _, root := range append(p.roots(), ".") {
		visit := func(file string, d fs.DirEntry, err error) error {
			return p.addFixture(root, file, d, err, seen)
		}
		_ = filepath.WalkDir(filepath.Join(p.Dir, root), visit)
	}
	return p.fixtures
}

// addFixture adds a file below a root, or says that a folder is skipped.
func (p *Package) addFixture(
	root, file string, d fs.DirEntry, err error, seen map[string]bool,
) error {
	rel, _ := filepath.Rel(p.Dir, file)
	rel = filepath.ToSlash(rel)
	inData := slices.Contains(strings.Split(rel, "/"), "testdata")
	switch {
	case err != nil || seen[rel]:
	case len(p.fixtures) == maxFixtures:
		return fs.SkipAll
	case d.IsDir() && rel != "." && (root == "." || !inData && IsForeign(file)):
		return fs.SkipDir
	case !d.IsDir() && (root == "." || inData || path.Ext(rel) != ".go"):
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			p.fixtures = append(p.fixtures, Fixture{rel, info.Size(), root != "."})
			seen[rel] = true
		}
	}
	return nil
}

// IsForeign reports whether a folder is hidden, or belongs to other modules.
func IsForeign(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	name := filepath.Base(dir)
	return err == nil || name[0] == '.' || name == "vendor" || name == "node_modules"
}

// roots returns testdata, and what [Named] returns for tests.
func (p *Package) roots() (all []string) {
	named := Named(p.Dir, p.ModuleDir, p.tests)
	return append([]string{"testdata"}, slices.DeleteFunc(named, func(root string) bool {
		return root == "testdata"
	})...)
}

// Named returns what literals of Go files name: the files and folders in the directory of their
// package with which literals begin, and what these name beside it in its module. The paths have
// slashes and are relative to that directory. They are sorted.
func Named(dir, moduleDir string, files []*ast.File) []string {
	found := map[string]bool{}
	for literal := range literalsOf(files) {
		text, err := strconv.Unquote(literal)
		if err != nil || len(text) > maxTestedLen || path.IsAbs(text) ||
			strings.ContainsAny(text, "\x00\n") {
			continue
		}
		root, err := filepath.Rel(dir, filepath.Join(dir, text))
		if root = filepath.ToSlash(root); err != nil || path.Base(root) == ".." || root == "." {
			continue
		}
		inModule, err := filepath.Rel(moduleDir, filepath.Join(dir, root))
		if !strings.HasPrefix(root, "../") {
			root, _, _ = strings.Cut(root, "/")
		} else if moduleDir == "" || err != nil || !filepath.IsLocal(inModule) {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, root)); err == nil {
			found[root] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// testFiles returns the texts of the files that tests name, and are not large.
func (p *Package) testFiles() (texts []string) {
	for _, f := range p.Fixtures() {
		if !f.told || f.Size > maxTestFile || len(texts) == maxTestFiles {
			continue
		}
		if text, err := os.ReadFile(filepath.Join(p.Dir, f.Path)); err == nil && utf8.Valid(text) {
			texts = append(texts, string(text))
		}
	}
	return texts
}

// fileNames returns some of the files that tests name, as literals: as many for each extension, the
// smallest and others of all sizes. There are none if the harness is in another directory.
func (e *enum) fileNames(most int, largest int64) (literals []string) {
	found := map[string][]Fixture{} // by extension
	for _, f := range e.pkg.Fixtures() {
		if f.told && !f.IsCorpus() && 0 < f.Size && f.Size <= largest && !e.opts.Away {
			found[path.Ext(f.Path)] = append(found[path.Ext(f.Path)], f)
		}
	}
	for _, alike := range found {
		slices.SortFunc(alike, compareFixtures)
	}
	groups := slices.SortedFunc(maps.Values(found), func(a, b []Fixture) int {
		return compareFixtures(a[0], b[0])
	})
	each := (most + len(groups) - 1) / max(len(groups), 1)
	for n := range each {
		for _, alike := range groups {
			if n < len(alike) && len(literals) < most {
				literals = append(literals, strconv.Quote(alike[n*len(alike)/min(each, len(alike))].Path))
			}
		}
	}
	return literals
}

func compareFixtures(a, b Fixture) int {
	return cmp.Or(cmp.Compare(a.Size, b.Size), cmp.Compare(a.Path, b.Path))
}

// contents returns expressions of what small files have that tests name. In the format, they are
// %[2]s, and their names are %[1]s.
func (e *enum) contents(format string) (exprs []string) {
	for _, name := range e.fileNames(maxContents, maxTestFile) {
		read := e.imports.named("os") + ".ReadFile(" + name + ")"
		read = "func() []byte { data, _ := " + read + "; return data }()"
		exprs = append(exprs, fmt.Sprintf(format, name, read))
	}
	return exprs
}
