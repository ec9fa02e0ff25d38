package interleave

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/overflow"
)

// checks is how packages get operations that fail if bits are lost: see package overflow. The
// operations are edited after the points.
type checks struct {
	dir   string // of the package that edited files import
	path  string
	pkg   *types.Package
	sites overflow.Sites
}

// newChecks prepares the checks of packages of a module, given the first of its packages.
func newChecks(l loader.Package) (*checks, error) {
	if l.Module == nil {
		return nil, fmt.Errorf("-overflow: package %s is in no module: run go mod init", l.Path())
	}
	c := &checks{
		dir:  filepath.Join(l.Module.Dir, filepath.FromSlash(overflow.Dir)),
		path: l.Module.Path + "/" + overflow.Dir,
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "overflow.go", overflow.Source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	config := types.Config{IgnoreFuncBodies: true, Importer: nothing{}, Error: func(error) {}}
	c.pkg, _ = config.Check(c.path, fset, []*ast.File{f}, nil)
	c.pkg.MarkComplete()
	return c, nil
}

// nothing has packages without declarations.
type nothing struct{}

func (nothing) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, filepath.Base(path))
	p.MarkComplete()
	return p, nil
}

// An alsoImporter imports one more package.
type alsoImporter struct {
	types.Importer
	also *types.Package
}

func (i alsoImporter) Import(path string) (*types.Package, error) {
	if path == i.also.Path() {
		return i.also, nil
	}
	return i.Importer.Import(path)
}

// checked returns the texts of files of a package, with points or without, with checks, too.
func (p *program) checked(u *unit, texts map[*loader.File][]byte) (map[*loader.File][]byte, error) {
	pointed := *u
	if len(texts) > 0 {
		pointed.files = slices.Clone(u.files)
		for i := range u.files {
			text, ok := texts[&u.files[i]]
			if !ok {
				continue
			}
			name := p.fset.PositionFor(u.files[i].Syntax.Pos(), false).Filename
			f, err := parser.ParseFile(p.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			pointed.files[i] = loader.File{Syntax: f, Text: text}
		}
		pointed.info = newInfo()
		pointed.errors(p.fset, pointed.files, pointed.info)
	}
	pointed.config.Importer = alsoImporter{u.config.Importer, p.checks.pkg}
	pkg := &overflow.Package{
		Fset: p.fset, Info: pointed.info, Sizes: types.SizesFor("gc", p.arch()), Prefix: u.prefix,
		Import: p.checks.path,
	}
	sites := map[*ast.File]overflow.Sites{}
	edited := p.edited(&pointed, editing{
		func(f loader.File, left map[ast.Node]bool) ([]byte, bool) {
			if left[f.Syntax] {
				return nil, false
			}
			text, found := pkg.Edit(f, left)
			if text != nil && u.old() {
				text = loader.Upgrade(p.fset, f, text)
			}
			sites[f.Syntax] = found
			return text, text != nil
		},
		"this %s cannot be checked for overflow, so nothing in %s is",
	})
	all := map[*loader.File][]byte{}
	for i := range u.files {
		p.checks.sites.Add(sites[pointed.files[i].Syntax])
		if text := cmp.Or(string(edited[&pointed.files[i]]), string(texts[&u.files[i]])); text != "" {
			all[&u.files[i]] = []byte(text)
		}
	}
	return all, nil
}

// arch returns the architecture that the tests are compiled for.
func (p *program) arch() string { return cmp.Or(os.Getenv("GOARCH"), runtime.GOARCH) }

// old reports whether the module of a package asks for a release before type parameters.
func (u *unit) old() bool {
	return u.config.GoVersion != "" && version.Compare(u.config.GoVersion, loader.Oldest) < 0
}

// write writes the package that edited files import, and adds it to what an overlay replaces.
func (c *checks) write(dir string, replace map[string]string) error {
	path := filepath.Join(dir, "_overflow.go")
	replace[filepath.Join(c.dir, "overflow.go")] = path
	source := bytes.Join([][]byte{[]byte("//go:build " + loader.Oldest + "\n\n"), overflow.Source}, nil)
	return os.WriteFile(path, source, 0o666)
}

// say says how many operations are checked, and which are not, if verbose.
func (c *checks) say(to io.Writer, verbose bool) {
	s := c.sites
	groups := []struct {
		sites []overflow.Site
		why   string
	}{
		{s.Hashes, "like hashing"},
		{s.Meant, "that the code tests, or bits"},
		{s.Wraps, "allowed by //espalier:wrap"},
		{s.Inexact, "that a check could change"},
	}
	var others []string
	for _, g := range groups {
		if len(g.sites) > 0 {
			others = append(others, fmt.Sprint(len(g.sites), " ", g.why))
		}
	}
	fmt.Fprintf(to, "corpusgen: operations checked for overflow: %d", s.Checked)
	if len(others) > 0 {
		fmt.Fprintf(to, "; not checked: %s", strings.Join(others, ", "))
	}
	if len(others) > 0 && !verbose {
		fmt.Fprint(to, " (-v lists them)")
	}
	fmt.Fprintln(to)
	for _, g := range groups {
		for _, site := range g.sites {
			if verbose {
				fmt.Fprintf(to, "\t%s: %s: %s\n", site.At, site.Code, g.why)
			}
		}
	}
	for _, note := range s.Unused {
		fmt.Fprintln(to, "corpusgen:", note)
	}
}
