package overlay

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/internal/atomicfile"
)

// sums is the name of the list of an overlay's files in the user's directory. The list has
// the format of sha256sum. By it, Write recognizes the files later.
const sums = "SHA256SUMS"

// sumsHeader is its first line.
const sumsHeader = "# Written by corpusgen overlay, which replaces the files listed here unless they have been changed."

// Write writes the overlay into dir and returns the path of the JSON file for -overlay.
// The directory must hold nothing but an overlay that Write has written there, which it
// replaces: it is an error if there is any other file, or one that has been changed. If
// Write is interrupted, it can be called again.
func (o *Overlay) Write(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	old, err := written(dir)
	if err != nil {
		return "", err
	}
	files, err := o.in(dir)
	if err != nil {
		return "", err
	}
	now := map[string]bool{}
	for name, b := range files {
		now[sumLine(name, b)] = true
	}
	// While files are replaced, the list has both the old and the new ones.
	both := maps.Clone(old)
	maps.Copy(both, now)
	if err := writeFiles(dir, map[string][]byte{sums: sumsOf(both)}); err != nil {
		return "", err
	}
	if err := writeFiles(dir, files); err != nil {
		return "", err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if _, ok := files[e.Name()]; ok || e.Name() == sums {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, list), writeFile(dir, sums, sumsOf(now))
}

// written returns the lines of the list of an overlay in dir, none if there is no dir, or
// an error if anything else is in it.
func written(dir string) (map[string]bool, error) {
	entries, err := os.ReadDir(dir)
	lines := map[string]bool{}
	if errors.Is(err, fs.ErrNotExist) {
		return lines, nil
	} else if err != nil {
		return nil, err
	}
	b, _ := os.ReadFile(filepath.Join(dir, sums)) // an empty directory has none
	if list, ok := strings.CutPrefix(string(b), sumsHeader+"\n"); ok {
		for line := range strings.Lines(list) {
			lines[strings.TrimSuffix(line, "\n")] = true
		}
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), atomicfile.Prefix) || e.Name() == sums && len(lines) > 0 {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil || !lines[sumLine(e.Name(), b)] {
			return nil, fmt.Errorf("%s holds %s, which corpusgen has not written, or which has been changed since: choose another directory, or empty this one", dir, e.Name())
		}
	}
	return lines, nil
}

func sumLine(name string, b []byte) string { return fmt.Sprintf("%x  %s", sha256.Sum256(b), name) }

// sumsOf returns the list of lines, sorted by the names in them.
func sumsOf(lines map[string]bool) []byte {
	byName := slices.SortedFunc(maps.Keys(lines), func(a, b string) int {
		_, nameA, _ := strings.Cut(a, " ")
		_, nameB, _ := strings.Cut(b, " ")
		return cmp.Or(strings.Compare(nameA, nameB), strings.Compare(a, b))
	})
	return []byte(sumsHeader + "\n" + strings.Join(byName, "\n") + "\n")
}
