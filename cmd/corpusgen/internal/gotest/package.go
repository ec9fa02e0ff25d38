// Package gotest drives the go command of the user: it lists the fuzz targets of packages,
// runs them, and builds and runs test binaries.
//
//	pkgs, err := gotest.List(ctx, []string{"./..."})
//	for _, pkg := range pkgs {
//		for _, target := range pkg.Targets {
//			result, err := gotest.Test{Package: pkg.Path, Target: target, Binary: path}.Run(ctx)
//		}
//	}
//
// The go command runs in the current directory with the current environment, so
// that workspaces, vendor directories and GOFLAGS mean here what they mean to
// `go test`.
package gotest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A Package is a package that a pattern matched.
type Package struct {
	Path    string   // import path
	Dir     string   // absolute
	Matches []string // the patterns that matched it
	Targets []string // names of its fuzz targets, in the order of the source
	Checks  []Check  // its tests, which may call fuzzext.Check
	Err     error    // why there is no such package or why its files cannot be read

	Schedules bool // tests of it explore schedules

	all []string // names of its fuzz targets, whichever are selected
}

// List returns the packages that patterns match, in the order of `go list`, with build
// flags such as -tags. It compiles nothing: it finds the targets of a package that does not
// compile. An error of one package is in its Err. List itself fails if the go command does.
func List(ctx context.Context, patterns []string, flags ...string) ([]Package, error) {
	args := []string{"-e", "-find", "-json=Dir,ImportPath,Match,TestGoFiles,XTestGoFiles,Error"}
	found, err := GoList[listed](ctx, slices.Concat(args, flags, []string{"--"}, patterns)...)
	if err != nil {
		return nil, err
	}
	var pkgs []Package
	for _, l := range found {
		pkgs = append(pkgs, l.pkg())
	}
	return pkgs, nil
}

// A Module is one of Go.
type Module struct{ Path, Dir, GoMod string }

// Below returns the import path of a package within its module.
func (m *Module) Below(pkg Package) string {
	return strings.TrimPrefix(strings.TrimPrefix(pkg.Path, m.Path), "/")
}

// Modules returns the modules of packages, nil for those that are in none.
func Modules(ctx context.Context, pkgs []Package, flags ...string) (modules []*Module, err error) {
	args := slices.Concat([]string{"-find", "-json=Module"}, flags, []string{"--"})
	for _, pkg := range pkgs {
		args = append(args, pkg.Path)
	}
	found, err := GoList[struct{ Module *Module }](ctx, args...)
	for _, l := range found {
		modules = append(modules, l.Module)
	}
	return modules, err
}

// IsWild reports whether pattern can match any number of packages, also none.
func IsWild(pattern string) bool {
	return strings.Contains(pattern, "...") ||
		slices.Contains([]string{"all", "cmd", "std", "tool", "work"}, pattern)
}

// listed is what `go list` says about a package.
type listed struct {
	Dir, ImportPath                  string
	Match, TestGoFiles, XTestGoFiles []string
	Error                            *struct{ Pos, Err string }
}

func (l listed) pkg() Package {
	p := Package{Path: l.ImportPath, Dir: l.Dir, Matches: l.Match}
	switch {
	case l.Error != nil && l.Error.Pos != "":
		p.Err = fmt.Errorf("%s: %s", l.Error.Pos, l.Error.Err)
	case l.Error != nil:
		p.Err = errors.New(l.Error.Err)
	case l.ImportPath == "command-line-arguments":
		p.Path = strings.Join(l.Match, " ")
		p.Err = errors.New("cannot run the targets of single files: name a package")
	default:
		var files []string
		for _, name := range slices.Concat(l.TestGoFiles, l.XTestGoFiles) {
			files = append(files, Short(filepath.Join(l.Dir, name)))
		}
		p.readTests(files)
	}
	return p
}
