package interleave

import (
	"context"
	"fmt"
	"go/version"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
)

// The go command allows no overlay in the module cache. So modules of the cache are copied, and
// another go.mod replaces them by their copies.

// inCopy returns where a file of a module is in its copy, which is made in dir.
func (p *program) inCopy(dir string, m *loader.Module, file string) (string, error) {
	to, ok := p.copies[*m]
	if !ok {
		to = filepath.Join(dir, fmt.Sprint("module", len(p.copies)))
		if err := os.CopyFS(to, os.DirFS(m.Dir)); err != nil {
			return "", err
		}
		p.copies[*m] = to
	}
	rel, err := filepath.Rel(m.Dir, file)
	return filepath.Join(to, rel), err
}

// replaceModules returns a build flag with which the main module has the copies. It follows the
// others.
func (p *program) replaceModules(
	ctx context.Context, dir string, flags []string,
) ([]string, error) {
	if gotest.Workspace(ctx) != "" {
		return nil, fmt.Errorf("in a workspace, %s cannot get points: use go work vendor, or "+
			"set GOWORK=off", p.copied())
	}
	given := ""
	for _, flag := range flags {
		if file, is := strings.CutPrefix(flag, "-modfile="); is {
			given = file
		}
	}
	mod, err := gotest.MainModFile(ctx, given)
	if err != nil {
		return nil, err
	}
	var edits []string
	for m, to := range p.copies {
		edits = append(edits, "-replace="+m.Path+"@"+m.Version+"="+to)
		if err := modernize(ctx, m, filepath.Join(to, "go.mod")); err != nil {
			return nil, err
		}
	}
	flag, err := gotest.CopyModFile(ctx, mod.File, dir, edits)
	return []string{flag}, err
}

// modernize makes the go.mod of a copy of a module allow what points need.
func modernize(ctx context.Context, m loader.Module, file string) error {
	if version.Compare("go"+m.GoVersion, loader.Oldest) >= 0 {
		return nil
	}
	text, err := os.ReadFile(m.GoMod)
	if err == nil {
		err = os.WriteFile(file, text, 0o666)
	}
	if err == nil {
		_, err = gotest.Output(ctx, "mod", "edit", "-go="+strings.TrimPrefix(loader.Oldest, "go"), file)
	}
	return err
}

// copied names the modules that are copied.
func (p *program) copied() string {
	var paths []string
	for m := range maps.Keys(p.copies) {
		paths = append(paths, m.Path)
	}
	slices.Sort(paths)
	return strings.Join(paths, ", ")
}
