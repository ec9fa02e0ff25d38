package overlay

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/internal/atomicfile"
)

// Replaceable returns a Go installation whose files an overlay may replace. That is goroot,
// unless goroot is below modcache, the module cache, where the go command keeps installations
// that it has downloaded and allows no overlay. Then it is a directory below dir with links
// to the files in goroot.
func Replaceable(goroot, modcache, dir string) (string, error) {
	rel, err := filepath.Rel(modcache, goroot)
	if modcache == "" || err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return goroot, nil
	}
	// Installations in different module caches have the same name.
	hash := sha256.Sum256([]byte(goroot))
	links, err := filepath.Abs(filepath.Join(dir, fmt.Sprintf("%s-%x", filepath.Base(goroot), hash[:4])))
	if err != nil {
		return "", err
	}
	entries, err := os.ReadDir(goroot)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(links, 0o777); err != nil {
		return "", err
	}
	for _, e := range entries {
		if err := link(filepath.Join(links, e.Name()), filepath.Join(goroot, e.Name())); err != nil {
			return "", fmt.Errorf("linking to the Go installation in the module cache: %w", err)
		}
	}
	return links, nil
}

// link makes path a link to target, atomically.
func link(path, target string) error {
	if old, err := os.Readlink(path); err == nil && old == target {
		return nil
	}
	beside := filepath.Dir(filepath.Dir(path)) // the links, not among them
	atomicfile.Sweep(beside)
	tmp, err := os.MkdirTemp(beside, atomicfile.Prefix+"*")
	if err != nil {
		return err
	}
	fresh := filepath.Join(tmp, "link")
	if err = os.Symlink(target, fresh); err == nil {
		err = os.Rename(fresh, path)
	}
	return errors.Join(err, os.RemoveAll(tmp))
}
