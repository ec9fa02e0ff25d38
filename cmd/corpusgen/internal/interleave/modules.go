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
	env, err := gotest.Output(ctx, "env", "GOMOD")
	if err != nil {
		return nil, err
	}
	mod := strings.TrimSpace(env)
	if workspaceOf(ctx) != "" {
		return nil, fmt.Errorf("in a workspace, %s cannot get points: use go work vendor, or "+
			"set GOWORK=off", p.copied())
	}
	for _, flag := range flags {
		if file, is := strings.CutPrefix(flag, "-modfile="); is {
			mod = file
		}
	}
	other := filepath.Join(dir, "go.mod")
	for from, to := range map[string]string{
		mod:                                      other,
		strings.TrimSuffix(mod, ".mod") + ".sum": filepath.Join(dir, "go.sum"),
	} {
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(to, text, 0o666)
		}
		if err != nil && (to == other || !os.IsNotExist(err)) {
			return nil, err
		}
	}
	edit := []string{"mod", "edit"}
	for m, to := range p.copies {
		edit = append(edit, "-replace="+m.Path+"@"+m.Version+"="+to)
		if err := modernize(ctx, m, filepath.Join(to, "go.mod")); err != nil {
			return nil, err
		}
	}
	_, err = gotest.Output(ctx, append(edit, other)...)
	return []string{"-modfile=" + other}, err
}

// workspaceOf returns the file of the workspace, or "".
func workspaceOf(ctx context.Context) string {
	work, _ := gotest.Output(ctx, "env", "GOWORK")
	if work = strings.TrimSpace(work); work == "off" {
		return ""
	}
	return work
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
