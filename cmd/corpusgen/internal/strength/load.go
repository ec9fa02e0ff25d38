package strength

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/mistake"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
)

// A program is a package with its mistakes, and its test binary.
type program struct {
	*run
	pkg      loader.Package
	dir      string // of temporary files
	mistakes []mistake.Mistake
	left     int               // mistakes that do not compile
	texts    map[string][]byte // of files with mistakes, by path
	binary   *gotest.Binary
	tests    *tests
}

// list lists the packages, with the export data of what they import.
func (r *run) list(ctx context.Context) (pkgs []listed, err error) {
	flags := append([]string{"-deps"}, r.flags.BuildFlags()...)
	found, err := loader.List(ctx, flags, r.flags.Packages...)
	if err != nil {
		return nil, err
	}
	exports := loader.Exports(found)
	helpers, err := loader.List(ctx, r.flags.BuildFlags(), mistake.Imports...)
	if err != nil {
		return nil, err
	}
	maps.Copy(exports, loader.Exports(helpers))
	standard := 0
	for _, l := range found {
		switch {
		case l.DepOnly:
		case l.Standard:
			standard++
		default:
			pkgs = append(pkgs, listed{l, exports})
		}
	}
	switch named := strings.Join(r.flags.Packages, " "); {
	case len(pkgs) == 0 && standard > 0:
		return nil, fmt.Errorf("%s: packages of the standard library cannot have mistakes: name packages "+
			"of your module", named)
	case len(pkgs) == 0:
		return nil, fmt.Errorf("%s: there is no such package", named)
	case standard > 0:
		r.note("packages of the standard library cannot have mistakes: " +
			session.Count(standard, "is", "are") + " left out")
	}
	return pkgs, nil
}

// A listed is a package, and the export data of what it imports.
type listed struct {
	loader.Package
	exports map[string]string
}

// pkg tries the mistakes of a package.
func (r *run) pkg(ctx context.Context, l listed, dir string) error {
	switch {
	case l.Error != nil && len(l.GoFiles)+len(l.TestGoFiles)+len(l.XTestGoFiles) > 0:
		return notCompiled(l.ImportPath, l.Err())
	case l.Error != nil: // there may be no such package
		return fmt.Errorf("%s: %s", l.ImportPath, l.Err())
	}
	if r.change != nil && !slices.ContainsFunc(l.GoFiles, func(name string) bool {
		return r.change.Touches(filepath.Join(l.Dir, name), 1, maxLine)
	}) {
		return nil
	}
	if r.env.Cached(l.Dir) {
		return fmt.Errorf("%s is in the module cache, whose files cannot be replaced for a build: run "+
			"strength in a copy of the module %s", l.ImportPath, l.Module.Path)
	}
	if len(l.GoFiles) == 0 {
		if len(l.CgoFiles) > 0 && r.change == nil {
			r.none(l.ImportPath, "files that use cgo can have none")
		}
		return nil // it has tests only, or code for other systems
	}
	if r.over() {
		r.late++
		return nil
	}
	p := &program{run: r, pkg: l.Package, dir: dir}
	r.Status("reading %s", l.ImportPath)
	edited, err := r.open(ctx, l)
	if err != nil || edited == nil {
		return err
	}
	compiled, err := edited.Compile(ctx)
	for _, note := range edited.Notes {
		r.note(note)
	}
	if err != nil {
		return err
	}
	if len(compiled.Mistakes) == 0 {
		return nil
	}
	if len(l.TestGoFiles)+len(l.XTestGoFiles) > 0 {
		if compiled, err = p.build(ctx, compiled); err != nil {
			return err
		}
	}
	p.mistakes, p.left = compiled.Mistakes, compiled.Left
	return p.judge(ctx)
}

// maxLine is greater than the number of any line.
const maxLine = 1 << 30

// open reads and type-checks a package. It returns nil, and reports why, if none of its files can have
// mistakes.
func (r *run) open(ctx context.Context, l listed) (*mistake.Package, error) {
	fset := token.NewFileSet()
	files, err := l.Parse(fset, l.GoFiles, nil)
	if err != nil {
		return nil, err
	}
	others, err := l.Parse(fset, l.CgoFiles, nil)
	if err != nil {
		return nil, err
	}
	tests, err := l.Parse(fset, l.TestGoFiles, nil)
	if err != nil {
		return nil, notCompiled(l.ImportPath, err.Error())
	}
	if len(others) > 0 {
		r.note(fmt.Sprintf("%s: files that use cgo have no mistakes: %s", l.ImportPath,
			strings.Join(l.CgoFiles, ", ")))
	}
	outside, err := l.Parse(fset, l.XTestGoFiles, nil)
	if err != nil {
		return nil, notCompiled(l.ImportPath, err.Error())
	}
	if name := mistake.Shadowed(slices.Concat(files, others, tests)); name != "" {
		r.none(l.ImportPath, fmt.Sprintf("it declares %s, which is predeclared in Go and needed to make "+
			"them", name))
		return nil, nil
	}
	embedded, err := r.embedded(ctx, l, slices.Concat(files, others, tests, outside))
	if err != nil {
		return nil, err
	}
	kept := files[:0:0]
	for _, f := range files {
		if name := filepath.Base(fset.PositionFor(f.Syntax.Package, false).Filename); embedded[name] {
			others = append(others, f)
			r.note(fmt.Sprintf("%s: %s has no mistakes, since a package embeds it", l.ImportPath, name))
			continue
		}
		kept = append(kept, f)
	}
	if len(kept) == 0 {
		r.none(l.ImportPath, "none of its files can have some")
		return nil, nil
	}
	c := &checker{listed: l, fset: fset, others: others, known: map[string]bool{}}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{},
	}
	c.importer = loader.Importer(fset, func(path string) string {
		return l.exports[cmp.Or(l.ImportMap[path], path)]
	})
	first := c.check(kept, info)
	if len(first) > 0 && len(l.CgoFiles) == 0 {
		return nil, fmt.Errorf("the package %s does not compile, or corpusgen has been built with "+
			"another Go release: %w", l.ImportPath, first[0])
	}
	for _, e := range first {
		c.known[c.key(e)] = true
	}
	p := &mistake.Package{
		Path: l.ImportPath, Fset: fset, Files: kept, Info: info,
		Prefix: loader.Unused(slices.Concat(files, others, tests)), Old: c.old(),
		Check: func(files []loader.File) []types.Error { return c.check(files, nil) },
	}
	if r.change != nil {
		p.Wanted = r.change.Touches
	}
	return p, nil
}

// embedded returns the Go files of a package that are data of it, too: an overlay would change them.
func (r *run) embedded(
	ctx context.Context, l listed, files []loader.File,
) (names map[string]bool, err error) {
	names = map[string]bool{}
	if !slices.ContainsFunc(files, func(f loader.File) bool {
		return bytes.Contains(f.Text, []byte("\n//go:embed"))
	}) {
		return names, nil
	}
	type data struct{ EmbedFiles, TestEmbedFiles, XTestEmbedFiles []string }
	args := append([]string{"-e", "-test", "-json=EmbedFiles,TestEmbedFiles,XTestEmbedFiles"},
		r.flags.BuildFlags()...)
	found, err := gotest.GoList[data](ctx, append(append(args, "--"), l.ImportPath)...)
	for _, d := range found {
		for _, name := range slices.Concat(d.EmbedFiles, d.TestEmbedFiles, d.XTestEmbedFiles) {
			names[name] = true
		}
	}
	return names, err
}

// A checker type-checks a package.
type checker struct {
	listed
	fset     *token.FileSet
	importer types.Importer
	others   []loader.File // that are not edited
	known    map[string]bool
}

func (c *checker) key(e types.Error) string {
	return fmt.Sprintf("%s: %s", c.fset.Position(e.Pos), e.Msg)
}

func (c *checker) version() string {
	if c.Module == nil || c.Module.GoVersion == "" {
		return ""
	}
	return "go" + c.Module.GoVersion
}

// old reports whether the module asks for a release before type parameters.
func (c *checker) old() bool {
	return c.version() != "" && version.Compare(c.version(), loader.Oldest) < 0
}

// check returns the errors in files of the package that are not known.
func (c *checker) check(files []loader.File, info *types.Info) (found []types.Error) {
	var syntax []*ast.File
	for _, f := range slices.Concat(files, c.others) {
		syntax = append(syntax, f.Syntax)
	}
	config := types.Config{
		Importer: c.importer, FakeImportC: true, GoVersion: c.version(),
		Error: func(err error) {
			if e := (types.Error{}); errors.As(err, &e) && !c.known[c.key(e)] {
				found = append(found, e)
			}
		},
	}
	_, _ = config.Check(c.ImportPath, c.fset, syntax, info)
	return found
}

// build builds the test binary. Mistakes that the compiler rejects are left out.
func (p *program) build(
	ctx context.Context, compiled *mistake.Program,
) (*mistake.Program, error) {
	compiled, err := compiled.Build(ctx, func(compiled *mistake.Program) (err error) {
		p.Status("building the tests of %s with %d mistakes", p.pkg.ImportPath, len(compiled.Mistakes))
		p.binary, err = p.link(ctx, "strength", compiled.Texts)
		return err
	})
	if rejected := (*gotest.BuildError)(nil); errors.As(err, &rejected) {
		return nil, p.explain(ctx, err)
	}
	p.texts = compiled.Texts
	return compiled, err
}

// link builds a test binary of a name, with texts in place of files, or beside them.
func (p *program) link(
	ctx context.Context, name string, texts map[string][]byte,
) (*gotest.Binary, error) {
	list := filepath.Join(p.dir, name+".json")
	flags := slices.Concat(p.flags.BuildFlags(), p.flags.LinkFlags(),
		[]string{"-vet=off", "-overlay=" + list})
	if err := writeTexts(p.dir, list, texts); err != nil {
		return nil, err
	}
	pkg := gotest.Package{Path: p.pkg.ImportPath, Dir: p.pkg.Dir}
	b, _, err := gotest.Build(ctx, p.env, pkg, filepath.Join(p.dir, name+".test"+p.env.GOEXE), flags)
	return b, err
}

// explain says why the tests do not build: it may be without mistakes, too.
func (p *program) explain(ctx context.Context, err error) error {
	pkg := gotest.Package{Path: p.pkg.ImportPath, Dir: p.pkg.Dir}
	_, _, own := gotest.Build(ctx, p.env, pkg, filepath.Join(p.dir, "own.test"+p.env.GOEXE),
		append(p.flags.BuildFlags(), "-vet=off"))
	if own != nil {
		return notCompiled(pkg.Path, own.Error())
	}
	return fmt.Errorf("the tests of %s do not compile with mistakes, please report it:\n%w", pkg.Path,
		err)
}

// notCompiled says that the tests of a package do not compile as they are.
func notCompiled(pkg, output string) error {
	return &brokenError{fmt.Sprintf("the tests of %s do not compile, so they can notice no mistake: make "+
		"go test %s pass first\n%s", pkg, pkg, output)}
}

// writeTexts writes texts of files, and the list of an overlay with them.
func writeTexts(dir, list string, texts map[string][]byte) error {
	replace := map[string]string{}
	for path, text := range texts {
		to := filepath.Join(dir, "_"+filepath.Base(path))
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return err
		}
		replace[path] = to
	}
	return gotest.WriteOverlay(list, "", replace)
}

// vars are the variables of the processes of tests.
func (p *program) vars() []string {
	return []string{"FUZZEXT_SEED=" + fixedSeed, fmt.Sprintf("%s=%d", job.Brief, p.checks)}
}

// fixedSeed seeds the Checks that nothing else seeds.
const fixedSeed = "strength"
