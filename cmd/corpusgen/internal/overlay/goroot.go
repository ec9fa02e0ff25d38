package overlay

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Replaceable returns a Go installation whose files an overlay may replace. That is goroot,
// unless goroot is below modcache, the module cache, where the go command keeps installations
// that it has downloaded and allows no overlay. Then it is a directory below dir with links
// to the files in goroot.
func Replaceable(goroot, modcache, dir string) (string, error) {
	rel, err := filepath.Rel(modcache, goroot)
	if modcache == "" || err != nil || rel == ".." ||
		strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return goroot, nil
	}
	// Installations in different module caches have the same name.
	hash := sha256.Sum256([]byte(goroot))
	links, err := filepath.Abs(filepath.Join(dir,
		fmt.Sprintf("%s-%x", filepath.Base(goroot), hash[:8])))
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
		err := os.Symlink(filepath.Join(goroot, e.Name()), filepath.Join(links, e.Name()))
		if err != nil && !errors.Is(err, fs.ErrExist) { // one that is there leads to the same file
			return "", fmt.Errorf("linking to the Go installation in the module cache: %w", err)
		}
	}
	return links, nil
}
