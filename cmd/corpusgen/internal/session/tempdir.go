package session

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
)

// overlayDir has the overlays of Go's own packages, in the directory of files for later runs. Its
// name keeps ./... from finding packages there, if a module has its cache within.
const overlayDir = "_overlay"

// TempDir returns the directory in which corpusgen keeps files for later runs, and one of
// this run below it, which the caller removes. Go commands have their temporary files there from now on:
// those that are interrupted leave some behind.
func TempDir() (cache string, dir *rundir.Dir, err error) {
	user, err := os.UserCacheDir()
	if err != nil {
		return "", nil, fmt.Errorf("no place for temporary files: %w", err)
	}
	cache = filepath.Join(user, "espalier")
	if dir, err = rundir.New(filepath.Join(cache, "run")); err == nil {
		err = os.Setenv("GOTMPDIR", dir.Path)
	}
	return cache, dir, err
}
