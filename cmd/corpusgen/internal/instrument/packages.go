package instrument

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
)

// Packages are import paths under test, and what go list says of them and of all that they and
// their tests import.
type Packages struct {
	under []string
	known map[string]listed
	dir   string // the working directory
}

// listed is what `go list` says of a package.
type listed struct {
	ImportPath, Dir           string
	ForTest                   string
	Standard                  bool
	GoFiles, CgoFiles         []string
	Module                    *struct{ Main bool }
	Imports                   []string
	TestImports, XTestImports []string
}

// List runs `go list` in the current directory, with the build flags given.
func List(ctx context.Context, under []string, buildFlags ...string) (p *Packages, err error) {
	p = &Packages{under: under, known: map[string]listed{}}
	if p.dir, err = os.Getwd(); err != nil {
		return nil, err
	}
	args := slices.Concat(buildFlags,
		[]string{"-e", "-deps", "-test",
			"-json=ImportPath,Dir,ForTest,Standard,GoFiles,CgoFiles,Module," +
				"Imports,TestImports,XTestImports", "--"}, under)
	found, err := gotest.GoList[listed](ctx, args...)
	for _, l := range found {
		if l.ForTest == "" && !strings.HasSuffix(l.ImportPath, ".test") {
			p.known[l.ImportPath] = l
		}
	}
	return p, err
}

// testImports returns what the tests of a package import, in order.
func (p *Packages) testImports(pkg string) []string {
	imports := slices.Concat(p.known[pkg].TestImports, p.known[pkg].XTestImports)
	slices.Sort(imports)
	return slices.Compact(imports)
}

// Followed returns the packages whose coverage is followed under the rules. Others are packages
// that the tests import but whose coverage is not followed: those outside of the standard library,
// of this library and of modules that only serve tests.
func (p *Packages) Followed(rules []Rule) (followed, others []string) {
	var matches []func(listed) bool
	for _, r := range rules {
		matches = append(matches, r.matcher(p.dir))
	}
	holds := func(l listed) bool {
		for i, r := range slices.Backward(rules) {
			if matches[i](l) {
				return r.Instrument && !slices.Contains(never, l.ImportPath)
			}
		}
		return false
	}
	for path, l := range p.known {
		if holds(l) {
			followed = append(followed, path)
		}
	}
	for _, pkg := range p.under {
		for _, path := range p.testImports(pkg) {
			if l, ok := p.known[path]; ok && !l.Standard && !holds(l) && !inLibrary(path) &&
				!within(path, checkers) {
				others = append(others, path)
			}
		}
	}
	slices.Sort(followed)
	slices.Sort(others)
	return followed, slices.Compact(others)
}

// matcher returns a function that reports whether the pattern of a rule matches a package, as the
// go command has it in dir.
func (r Rule) matcher(dir string) func(l listed) bool {
	if r.Pattern == "work" {
		return func(l listed) bool { return l.Module != nil && l.Module.Main }
	}
	pattern, name := r.Pattern, func(l listed) string { return l.ImportPath }
	if strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../") || pattern == ".." {
		pattern, name = filepath.ToSlash(filepath.Join(dir, pattern)),
			func(l listed) string { return filepath.ToSlash(l.Dir) }
	}
	const wild = `[^` + vendorMark + `]*`
	expr := strings.ReplaceAll(regexp.QuoteMeta(markVendor(pattern)), `\.\.\.`, wild)
	if rest, ok := strings.CutSuffix(expr, `/`+wild); ok {
		expr = rest + `(/` + wild + `)?`
	}
	re := regexp.MustCompile(`^` + expr + `$`)
	return func(l listed) bool { return re.MatchString(markVendor(name(l))) }
}

// vendorMark stands for the name of a directory of vendored packages: ... does not match it.
const vendorMark = "\x00"

// markVendor replaces the names of such directories in a path, but for the last element.
func markVendor(path string) string {
	elems := strings.Split(path, "/")
	for i, elem := range elems[:len(elems)-1] {
		if elem == "vendor" {
			elems[i] = vendorMark
		}
	}
	return strings.Join(elems, "/")
}

// within reports whether a package is in one of some trees of packages.
func within(pkg string, trees []string) bool {
	return slices.ContainsFunc(trees, func(path string) bool {
		return pkg == path || strings.HasPrefix(pkg, path+"/")
	})
}
