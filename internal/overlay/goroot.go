package overlay

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Replaceable returns a Go installation whose files an overlay may replace: goroot, unless
// it is below modcache, the module cache, where the go command keeps installations that it
// has fetched itself, and where it does not allow that. Then it is a directory of links
// to what is in goroot, below dir.
func Replaceable(goroot, modcache, dir string) (string, error) {
	rel, err := filepath.Rel(modcache, goroot)
	if modcache == "" || err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return goroot, nil
	}
	links := filepath.Join(dir, filepath.Base(goroot))
	if err := os.MkdirAll(links, 0o777); err != nil {
		return "", err
	}
	entries, err := os.ReadDir(goroot)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		from, to := filepath.Join(links, e.Name()), filepath.Join(goroot, e.Name())
		if old, err := os.Readlink(from); err == nil && old == to {
			continue
		}
		if err := replaceLink(to, from); err != nil {
			return "", fmt.Errorf("linking to the Go installation in the module cache: %w", err)
		}
	}
	return links, nil
}

// replaceLink makes from a link to to, at once.
func replaceLink(to, from string) error {
	tmp := fmt.Sprintf("%s.%d.tmp", from, os.Getpid())
	if err := os.Symlink(to, tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, from); err != nil {
		os.Remove(tmp)
		return err
	}
	return nil
}
