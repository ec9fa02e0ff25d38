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

// Followed returns the import paths of the packages whose coverage is followed under the
// rules: among pkgs, import paths, and all that they and their tests import. Others are
// packages that the tests import but whose coverage is not followed: those outside of the
// standard library, of this library and of modules that only check results. Followed runs
// `go list` in the current directory, with the build flags given.
func Followed(ctx context.Context, rules []Rule, pkgs []string, buildFlags ...string) (followed, others []string, err error) {
	args := slices.Concat(buildFlags, []string{"-e", "-deps", "-test", "-json=ImportPath,Dir,ForTest,Standard,Module,TestImports,XTestImports", "--"}, pkgs)
	found, err := gotest.GoList[listed](ctx, args...)
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	known := map[string]listed{}
	for _, l := range found {
		if l.ForTest == "" && !strings.HasSuffix(l.ImportPath, ".test") {
			known[l.ImportPath] = l
		}
	}
	var matches []func(listed) bool
	for _, r := range rules {
		matches = append(matches, r.matcher(dir))
	}
	holds := func(l listed) bool {
		for i, r := range slices.Backward(rules) {
			if matches[i](l) {
				return r.Instrument && !slices.Contains(never, l.ImportPath)
			}
		}
		return false
	}
	for path, l := range known {
		if holds(l) {
			followed = append(followed, path)
		}
	}
	for _, pkg := range pkgs {
		for _, path := range slices.Concat(known[pkg].TestImports, known[pkg].XTestImports) {
			l, ok := known[path]
			if ok && !l.Standard && !holds(l) && !inLibrary(path) && !within(path, assertions) {
				others = append(others, path)
			}
		}
	}
	slices.Sort(followed)
	slices.Sort(others)
	return followed, slices.Compact(others), nil
}

// listed is what `go list` says of a package.
type listed struct {
	ImportPath, Dir           string
	ForTest                   string
	Standard                  bool
	GoFiles, CgoFiles         []string
	Module                    *struct{ Main bool }
	TestImports, XTestImports []string
}

// matcher returns a function that reports whether the pattern of a rule matches a package, as the
// go command has it in dir.
func (r Rule) matcher(dir string) func(l listed) bool {
	if r.Pattern == "work" {
		return func(l listed) bool { return l.Module != nil && l.Module.Main }
	}
	pattern, name := r.Pattern, func(l listed) string { return l.ImportPath }
	if strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../") || pattern == ".." {
		pattern, name = filepath.ToSlash(filepath.Join(dir, pattern)), func(l listed) string { return filepath.ToSlash(l.Dir) }
	}
	expr := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\.\.\.`, `.*`)
	if rest, ok := strings.CutSuffix(expr, `/.*`); ok {
		expr = rest + `(/.*)?`
	}
	re := regexp.MustCompile(`^` + expr + `$`)
	return func(l listed) bool { return re.MatchString(name(l)) }
}
