package gotest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Change is the files that differ between a revision and the working tree.
type Change struct {
	everything bool     // go.mod or the like has changed
	dirs       []string // of files, absolute
	files      map[string][]lines
}

// ReadChange asks git for the files that have changed since rev, below the root of the
// repository of the current directory, with those that git does not know.
func ReadChange(ctx context.Context, rev string) (*Change, error) {
	top, err := git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	root := filepath.FromSlash(strings.TrimSpace(top))
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, err
	}
	// A name that begins with a dash is not an option, and one that git does not know is an error.
	commit, err := git(ctx, "rev-parse", "--verify", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("%q is not a revision: %w", rev, err)
	}
	rev = strings.TrimSpace(commit)
	diff := append([]string{"-C", root, "-c", "core.quotePath=off", "diff"}, settled...)
	changed, err := git(ctx, slices.Concat(diff, []string{"--name-only", "-z", rev, "--"})...)
	if err != nil {
		return nil, err
	}
	fresh, err := git(ctx, "-C", root, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	hunks, err := git(ctx, slices.Concat(diff, []string{rev, "--", "*.go"})...)
	if err != nil {
		return nil, err
	}
	c := &Change{files: readHunks(root, hunks)}
	for _, name := range strings.Split(fresh, "\x00") {
		if name != "" {
			c.files[filepath.Join(root, filepath.FromSlash(name))] = []lines{{1, math.MaxInt}}
		}
	}
	for _, name := range strings.Split(changed+fresh, "\x00") {
		if name == "" {
			continue
		}
		path := filepath.Join(root, filepath.FromSlash(name))
		switch filepath.Base(path) {
		case "go.mod", "go.sum", "go.work", "go.work.sum":
			c.everything = true
		}
		if dir := filepath.Dir(path); !slices.Contains(c.dirs, dir) {
			c.dirs = append(c.dirs, dir)
		}
	}
	return c, nil
}

// settled are the options of git diff by which no setting of a user decides what it prints.
var settled = []string{
	"--unified=0", "--inter-hunk-context=0", "--diff-algorithm=myers", "--no-indent-heuristic",
	"--no-renames", "--no-relative", "--ignore-submodules=untracked", "--submodule=short",
	"-O/dev/null", "--no-color", "--no-ext-diff", "--no-textconv",
	"--src-prefix=a/", "--dst-prefix=b/",
}

// Touches reports whether one of the lines of a file, from 1, has changed.
func (c *Change) Touches(path string, from, to int) bool {
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	return slices.ContainsFunc(c.files[path], func(l lines) bool { return l.from <= to && from <= l.to })
}

// git runs git. Its error is what git prints.
func git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Env = append(cmd.Environ(), "GIT_DIFF_OPTS=") // which would have more lines around hunks
	out, err := cmd.Output()
	var exit *exec.ExitError
	failed := errors.As(err, &exit)
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case failed && len(exit.Stderr) > 0:
		return "", errors.New("git: " + strings.TrimSpace(string(exit.Stderr)))
	case err != nil:
		return "", fmt.Errorf("git: %w", err)
	}
	return string(out), nil
}

// Reaches reports whether the tests of pkg depend on a file that has changed: of a package that
// they import, directly or not, or in a directory below one that has no package of its own, such as
// testdata. It returns the files with functions that the change touches, without files of tests and
// of the standard library.
func (c *Change) Reaches(
	ctx context.Context, pkg Package, flags ...string,
) (yes bool, files []ChangedFile, err error) {
	fields := "-json=Dir,Name,GoFiles,Standard,ForTest"
	args := slices.Concat([]string{"-e", "-deps", "-test", fields}, flags, []string{"--", pkg.Path})
	list, err := GoList[dependency](ctx, args...)
	if err != nil {
		return false, nil, err
	}
	deps := map[string]bool{}
	for _, d := range list {
		dir, err := filepath.EvalSymlinks(d.Dir)
		if d.Standard || err != nil {
			continue
		}
		deps[dir] = true
		changed, err := c.filesOf(d, dir)
		if err != nil {
			return false, nil, err
		}
		files = append(files, changed...)
	}
	yes = c.everything ||
		slices.ContainsFunc(c.dirs, func(dir string) bool { return isPartOf(dir, deps) })
	return yes, files, nil
}

// A dependency is a package that a test links, as go list writes it.
type dependency struct {
	Dir, Name, ForTest string
	GoFiles            []string
	Standard           bool
}

// filesOf returns the files of a package, in dir, with functions that the change touches.
func (c *Change) filesOf(d dependency, dir string) (files []ChangedFile, err error) {
	for _, name := range d.GoFiles {
		changed, ok := c.files[filepath.Join(dir, name)]
		if !ok || d.ForTest != "" || filepath.IsAbs(name) { // of the build cache: made for cgo and tests
			continue
		}
		f := ChangedFile{Path: filepath.Join(d.Dir, name), Package: d.Name}
		if f.Source, err = os.ReadFile(f.Path); err != nil {
			return nil, err
		}
		if f.find(changed); len(f.Functions) > 0 {
			files = append(files, f)
		}
	}
	return files, nil
}

// isPartOf reports whether dir, or the package that a directory such as testdata belongs to, is one
// of the directories.
func isPartOf(dir string, dirs map[string]bool) bool {
	for !dirs[dir] {
		above := filepath.Dir(dir)
		if HoldsPackage(dir) || above == dir {
			return false
		}
		dir = above
	}
	return true
}

// HoldsPackage reports whether a directory has Go files.
func HoldsPackage(dir string) bool {
	files, _ := os.ReadDir(dir) // there may be no such directory
	return slices.ContainsFunc(files, func(f fs.DirEntry) bool {
		return filepath.Ext(f.Name()) == ".go"
	})
}
