package interleave

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
)

// A program is what is compiled with points: packages and their tests.
type program struct {
	fset  *token.FileSet
	units []*unit
	notes []string // about what has no points

	copies   map[loader.Module]string // directories of copies of modules in the module cache
	paths    map[string]bool          // of the packages
	embedded map[string]bool          // files that are data of packages
	mutable  map[string]bool          // fields that are assigned to, by where they are declared
	whole    map[string]bool          // types of structs that are assigned to as a whole

	points bool    // packages get points
	checks *checks // or nil

	sabotage func(*rewriter, ast.Node) // a test adds edits that are wrong
}

func newProgram() *program {
	return &program{
		fset:     token.NewFileSet(),
		copies:   map[loader.Module]string{},
		paths:    map[string]bool{},
		embedded: map[string]bool{},
		mutable:  map[string]bool{},
		whole:    map[string]bool{},
	}
}

// A unit is a package as it is compiled for tests: with the tests within, or the package of the
// tests outside.
type unit struct {
	path   string
	cached *loader.Module // in the module cache that has it; or nil
	prefix string         // of names that it does not use
	own    bool           // it is chosen
	files  []loader.File
	info   *types.Info
	config types.Config
	known  map[string]bool // what is wrong with the package as it is

	captured, changed map[types.Object]bool // variables: by function literals; after their declaration
}

// always is a module that gets points wherever it is: its goroutines run code of its users.
const always = "golang.org/x/sync"

// load reads and type-checks the packages that get points, as they are compiled for the
// tests of the packages that patterns match.
// They are those that are chosen, and those of the modules of some others.
func load(
	ctx context.Context, with Options, chosen, others, patterns, flags []string,
) (*program, error) {
	found, err := loader.List(ctx, append([]string{"-deps", "-test"}, flags...), patterns...)
	if err != nil {
		return nil, err
	}
	broken := slices.ContainsFunc(found, func(l loader.Package) bool { return l.Error != nil })
	exports := loader.Exports(found)
	p := newProgram()
	p.points = !with.NoPoints && (exports[pointPath] != "" || broken && !with.Overflow)
	if !p.points && !with.Overflow {
		return nil, fmt.Errorf("no test of these packages imports " +
			"github.com/espalier-go/espalier/fuzzext: write a test that calls fuzzext.Concurrent")
	}
	all := chosen
	if p.points {
		all = p.allOf(ctx, found, chosen, others)
	}
	best := bestOf(found, all)
	for _, l := range found {
		if best[l.Path()] != l.ImportPath || slices.Contains(usedByPoints, l.Path()) && p.points {
			continue
		}
		// The go command says why packages do not compile, and runs the tests of the others.
		if l.Error != nil {
			continue
		}
		if err := p.check(l, exports); err != nil && !broken {
			return nil, err
		} else if err != nil {
			continue
		}
		last := p.units[len(p.units)-1]
		last.own = slices.Contains(chosen, strings.TrimSuffix(last.path, "_test"))
		if last.own && with.Overflow && p.checks == nil && last.cached == nil {
			if p.checks, err = newChecks(l); err != nil {
				return nil, err
			}
		}
	}
	return p, p.findEmbedded(ctx, flags)
}

// findEmbedded finds the files that directives go:embed make data of packages: an overlay would
// change the data, too.
func (p *program) findEmbedded(ctx context.Context, flags []string) error {
	embeds, paths := false, []string{}
	for _, u := range p.units {
		paths = append(paths, strings.TrimSuffix(u.path, "_test"))
		for _, f := range u.files {
			embeds = embeds || bytes.Contains(f.Text, []byte("\n//go:embed "))
		}
	}
	if !embeds {
		return nil
	}
	type listed struct {
		Dir                                         string
		EmbedFiles, TestEmbedFiles, XTestEmbedFiles []string
	}
	args := append([]string{"-e", "-json=Dir,EmbedFiles,TestEmbedFiles,XTestEmbedFiles"}, flags...)
	found, err := gotest.GoList[listed](ctx, append(append(args, "--"), paths...)...)
	for _, l := range found {
		for _, name := range slices.Concat(l.EmbedFiles, l.TestEmbedFiles, l.XTestEmbedFiles) {
			p.embedded[filepath.Join(l.Dir, name)] = true
		}
	}
	return err
}

// allOf returns the paths of the packages that get points: those that are chosen, and all of the
// modules of some others.
func (p *program) allOf(
	ctx context.Context, found []loader.Package, chosen, others []string,
) []string {
	modules := map[string]bool{always: true}
	for _, l := range found {
		if l.Module != nil && slices.Contains(others, l.Path()) {
			modules[l.Module.Path] = true
		}
	}
	all := slices.Clip(chosen)
	for _, l := range found {
		switch {
		case l.Standard || l.Module == nil || slices.Contains(chosen, l.Path()):
		case !modules[l.Module.Path] || within(l.Path(), library) && !slices.Contains(others, l.Path()):
		case l.Cached() && gotest.Workspace(ctx) != "":
			p.notes = append(p.notes, fmt.Sprintf("%s has no points in a workspace: use go work vendor, "+
				"or set GOWORK=off", l.Path()))
		default:
			all = append(all, l.Path())
		}
	}
	return all
}

// library is the path of this module, whose packages have points only if they are chosen.
const library = "github.com/espalier-go/espalier"

// within reports whether a package is in a module.
func within(path, module string) bool {
	return path == module || strings.HasPrefix(path, module+"/")
}

// usedByPoints are the packages that package point uses, which cannot use it.
var usedByPoints = []string{pointPath, "golang.org/x/exp/constraints", "golang.org/x/exp/slices"}

// bestOf returns which of the packages listed get points, by import path: with their tests, rather
// than without.
func bestOf(found []loader.Package, chosen []string) map[string]string {
	best, withTests := map[string]string{}, map[string]bool{}
	for _, l := range found {
		path := l.Path()
		own := strings.TrimSuffix(path, "_test")
		isChosen := slices.Contains(chosen, path) || l.ForTest == own && slices.Contains(chosen, own)
		if l.Standard || !isChosen || strings.HasSuffix(path, ".test") {
			continue
		}
		if best[path] == "" || path != l.ImportPath && l.ForTest == own && !withTests[path] {
			best[path], withTests[path] = l.ImportPath, l.ForTest == own
		}
	}
	return best
}

// noteOthers notes what files of a package lack because they are not edited.
func (p *program) noteOthers(path, kind string, files []string) {
	if len(files) == 0 {
		return
	}
	lack := "have no points"
	if !p.points {
		lack = "are not checked for overflow"
	}
	p.notes = append(p.notes,
		fmt.Sprintf("%s: %s %s: %s", path, kind, lack, strings.Join(files, ", ")))
}

// check parses and type-checks a package.
func (p *program) check(l loader.Package, exports map[string]string) error {
	u := &unit{path: l.Path(), known: map[string]bool{}, info: newInfo()}
	if l.Cached() {
		u.cached = l.Module
	}
	p.noteOthers(u.path, "files that use cgo", l.CgoFiles)
	p.noteOthers(u.path, "files in assembly", l.SFiles)
	var err error
	if u.files, err = l.Parse(p.fset, l.GoFiles, nil); err != nil {
		return err
	}
	u.prefix = loader.Unused(u.files)
	u.config.Importer = loader.Importer(p.fset, func(path string) string {
		if mapped, ok := l.ImportMap[path]; ok {
			path = mapped
		}
		return exports[path]
	})
	if l.Module != nil && l.Module.GoVersion != "" {
		u.config.GoVersion = "go" + l.Module.GoVersion
		if u.cached != nil && version.Compare(u.config.GoVersion, loader.Oldest) < 0 {
			u.config.GoVersion = loader.Oldest // see modernize
		}
	}
	u.config.FakeImportC = true
	found := u.errors(p.fset, u.files, u.info)
	if len(found) > 0 && len(l.CgoFiles) == 0 {
		return fmt.Errorf("the package %s does not compile, or corpusgen has been built with "+
			"another Go release: %w", l.ImportPath, found[0].error)
	}
	for _, e := range found {
		u.known[e.key()] = true
	}
	p.units = append(p.units, u)
	p.paths[u.path] = true
	return nil
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}
}
