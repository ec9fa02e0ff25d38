package instrument

import (
	"context"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
)

// assertions are modules that tests use to check results. To cover more of them is no news.
var assertions = []string{
	"github.com/google/go-cmp",
	"github.com/onsi/gomega",
	"github.com/stretchr/testify",
	"gotest.tools",
}

// A Lone is a package that has only tests, which import other packages, but none of the
// main module, or of another one of the workspace. So what they test may be elsewhere.
type Lone struct {
	Package string
	Imports []string // packages that its tests import, outside the standard library
}

// FindLone returns those of pkgs, import paths, that are lone. Package testing, this library
// and modules that only check results do not count as imports. FindLone runs `go list` in
// the current directory, with the build flags given.
func FindLone(ctx context.Context, pkgs []string, buildFlags ...string) ([]Lone, error) {
	list := func(args ...string) (found []listed, err error) {
		return gotest.GoList[listed](ctx, slices.Concat(buildFlags, []string{"-e"}, args)...)
	}
	all, err := list(append([]string{"-json=ImportPath,GoFiles,CgoFiles,TestImports,XTestImports", "--"}, pkgs...)...)
	if err != nil {
		return nil, err
	}
	var lone []Lone
	for _, pkg := range all {
		if len(pkg.GoFiles)+len(pkg.CgoFiles) > 0 {
			continue
		}
		imports := slices.Concat(pkg.TestImports, pkg.XTestImports)
		slices.Sort(imports)
		imports = slices.DeleteFunc(slices.Compact(imports), func(path string) bool {
			return path == "C" || path == "testing" || inLibrary(path) || within(path, assertions)
		})
		if len(imports) == 0 { // what is tested is in the test
			continue
		}
		found, err := list(append([]string{"-find", "-json=ImportPath,Standard,Module", "--"}, imports...)...)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(found, func(i listed) bool { return i.Module != nil && i.Module.Main }) {
			continue
		}
		l := Lone{Package: pkg.ImportPath}
		for _, i := range found {
			if !i.Standard {
				l.Imports = append(l.Imports, i.ImportPath)
			}
		}
		lone = append(lone, l)
	}
	return lone, nil
}

// within reports whether a package is in one of some trees of packages.
func within(pkg string, trees []string) bool {
	return slices.ContainsFunc(trees, func(path string) bool {
		return pkg == path || strings.HasPrefix(pkg, path+"/")
	})
}
