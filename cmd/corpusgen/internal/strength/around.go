package strength

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
)

// around returns what the files are that tests depend on, besides their own:
//
//   - all below testdata;
//   - those below the directory of the package that are not Go files, but for directories of other
//     packages and modules, hidden ones, and what is installed there;
//   - those of the module that literals of tests name, or whose folders they name;
//   - go.mod and go.sum, which have the versions of other modules;
//   - those in the directories of packages outside of the module cache that test files import.
func (p *program) around(ctx context.Context, tests []loader.File) (string, error) {
	dir, module := p.pkg.Dir, ""
	if p.pkg.Module != nil {
		module = p.pkg.Module.Dir
	}
	v := &volume{left: maxVolume, seen: map[string]bool{}}
	v.addBelow(dir, func(rel string, isDir bool) bool {
		switch {
		case isIn(rel, "testdata"):
			return true
		case isDir:
			at := filepath.Join(dir, rel)
			return !apigen.IsForeign(at) && !gotest.HoldsPackage(at)
		}
		return path.Ext(rel) != ".go"
	})
	var syntax []*ast.File
	for _, f := range tests {
		syntax = append(syntax, f.Syntax)
	}
	for _, root := range apigen.Named(dir, module, syntax) {
		at := filepath.Join(dir, root)
		v.addBelow(at, func(rel string, isDir bool) bool {
			switch {
			case isIn(rel, "testdata") || isIn(root, "testdata"):
				return true
			case isDir:
				return !apigen.IsForeign(filepath.Join(at, rel))
			}
			return path.Ext(path.Join(root, rel)) != ".go"
		})
	}
	if module != "" {
		v.add(filepath.Join(module, "go.mod"))
		v.add(filepath.Join(module, "go.sum"))
	}
	dirs, err := p.imported(ctx, tests)
	if err != nil {
		return "", err
	}
	for _, dir := range dirs {
		v.addBelow(dir, func(_ string, isDir bool) bool { return !isDir })
	}
	return sum(v.list...), nil
}

// isIn reports whether a path has an element.
func isIn(path, element string) bool { return slices.Contains(strings.Split(path, "/"), element) }

// imported returns the directories of other packages that files import, but for those of the standard
// library and in the module cache.
func (p *program) imported(ctx context.Context, files []loader.File) (dirs []string, err error) {
	var paths []string
	for _, f := range files {
		for _, spec := range f.Syntax.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil || imported == "C" || imported == p.pkg.ImportPath {
				continue
			}
			// Most are in the standard library: the go command need not be asked.
			if _, err := os.Stat(filepath.Join(p.env.GOROOT, "src", imported)); err != nil {
				paths = append(paths, imported)
			}
		}
	}
	if len(paths) == 0 {
		return nil, nil
	}
	slices.Sort(paths)
	args := slices.Concat([]string{"-e", "-find", "-json=Dir"}, p.flags.BuildFlags(), []string{"--"},
		slices.Compact(paths))
	found, err := gotest.GoList[struct{ Dir string }](ctx, args...)
	for _, pkg := range found {
		if pkg.Dir != "" && !p.env.Cached(pkg.Dir) {
			dirs = append(dirs, pkg.Dir)
		}
	}
	return dirs, err
}

// The contents of files count up to maxVolume in all. Of the files beyond, and of those larger than
// maxData, the size and the time count.
const (
	maxVolume = 64 << 20
	maxData   = 4 << 20
)

// A volume is what some files are.
type volume struct {
	list []string // paths, each with what the file is
	left int64    // bytes whose contents count
	seen map[string]bool
}

// addBelow adds what is wanted at a path, and below. The paths of what may be wanted are relative to
// it, and have slashes.
func (v *volume) addBelow(root string, wanted func(rel string, isDir bool) bool) {
	_ = filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, at)
		switch {
		case err != nil: // it does not exist, or no test can read it
		case d.IsDir() && rel != "." && !wanted(filepath.ToSlash(rel), true):
			return fs.SkipDir
		case !d.IsDir() && wanted(filepath.ToSlash(rel), false):
			v.add(at)
		}
		return nil
	})
}

// add adds a file. What is not a file, or cannot be read, counts as nothing, and so does a file of
// -accept, which runs change.
func (v *volume) add(file string) {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || v.seen[file] {
		return
	}
	v.seen[file] = true
	if info.Size() > min(v.left, maxData) {
		v.list = append(v.list, file, fmt.Sprint(info.Size(), info.ModTime().UnixNano()))
		return
	}
	v.left -= info.Size()
	if text, err := os.ReadFile(file); err == nil && !bytes.HasPrefix(text, []byte(acceptedHead)) {
		v.list = append(v.list, file, string(text))
	}
}
