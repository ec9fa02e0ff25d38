package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/overlay"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
)

// TempDir returns the directory in which corpusgen keeps files for later runs, and one of this run
// below it, which the caller removes. Go commands have their temporary files there from now on:
// runs that are interrupted leave some.
func TempDir() (cache string, dir *rundir.Dir, err error) {
	user, err := os.UserCacheDir()
	if err != nil {
		return "", nil, fmt.Errorf("no place for temporary files: %w", err)
	}
	cache = filepath.Join(user, "espalier")
	if dir, err = rundir.New(filepath.Join(cache, runDir)); err == nil {
		err = os.Setenv("GOTMPDIR", dir.Path)
	}
	return cache, dir, err
}

// runDir has the directories of runs. Its name keeps ./... from finding packages there, if a module
// has its cache within: they go while another go command looks.
const runDir = "_run"

// LinkTag is the build tag that makes fuzzext take orders, and use the overlay of the engine.
const LinkTag = "espalier"

// CheckedOverlay makes the overlay for the user's Go installation, and compiles it.
func (s *Session) CheckedOverlay(ctx context.Context) (*overlay.Overlay, error) {
	o, err := s.MakeOverlay(overlay.Make)
	if err != nil {
		return nil, err
	}
	return o, o.Check(ctx)
}

// MakeOverlay makes an overlay for the user's Go installation. If the go command allows no overlay
// for the installation, the session gets another one: a directory of links to its files.
func (s *Session) MakeOverlay(
	make func(goroot, version, dir string) (*overlay.Overlay, error),
) (*overlay.Overlay, error) {
	goroot, err := overlay.Replaceable(s.Env.GOROOT, s.Env.GOMODCACHE,
		filepath.Join(s.Cache, "goroot"))
	if err != nil {
		return nil, err
	}
	if goroot != s.Env.GOROOT {
		if err := s.Env.Use(goroot); err != nil {
			return nil, err
		}
	}
	return make(goroot, s.Env.GOVERSION, filepath.Join(s.Cache, overlayDir))
}

// overlayDir has the overlays of Go's own packages, in the directory of files for later runs. Its
// name keeps ./... from finding packages there, if a module has its cache within.
const overlayDir = "_overlay"
