package gotest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/espalier-go/espalier/internal/safefile"
)

// Kept is a directory of test binaries for later runs. The go command takes a test binary that
// is up to date as it is, and linking is most of what an unchanged package costs.
type Kept string

// unused is after what time a test binary that nobody asks for is removed, as from the go
// command's own cache.
const unused = 5 * 24 * time.Hour

// Restore puts the test binary that was kept for pkg and flags at path. If there is none, or
// it cannot be read, the go command links another.
func (k Kept) Restore(path string, pkg Package, flags []string) {
	kept := k.file(pkg, flags)
	data, err := os.ReadFile(kept)
	if err != nil {
		return
	}
	now := time.Now()
	os.Chtimes(kept, now, now)
	if os.WriteFile(path, data, 0o777) != nil {
		os.Remove(path)
	}
}

// Keep keeps the test binary at path for pkg and flags, and removes those that were not used
// for a while. There may be none.
func (k Kept) Keep(path string, pkg Package, flags []string) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	kept := k.file(pkg, flags)
	if old, err := os.ReadFile(kept); err == nil && bytes.Equal(old, data) {
		return nil
	}
	k.trim(time.Now().Add(-unused))
	return safefile.Write(kept, data)
}

func (k Kept) file(pkg Package, flags []string) string {
	key := sha256.Sum256(fmt.Appendf(nil, "%q", slices.Concat([]string{pkg.Dir, pkg.Path}, flags)))
	return filepath.Join(string(k), fmt.Sprintf("%x", key[:12]))
}

func (k Kept) trim(before time.Time) {
	files, _ := os.ReadDir(string(k)) // there may be none yet
	for _, f := range files {
		if info, err := f.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().Before(before) {
			os.Remove(filepath.Join(string(k), f.Name()))
		}
	}
}
