package session

import (
	"context"
	"path/filepath"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/overlay"
)

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
// for the installation, that of the session becomes another one: a directory of links to its files.
func (s *Session) MakeOverlay(make func(goroot, version, dir string) (*overlay.Overlay, error)) (*overlay.Overlay, error) {
	goroot, err := overlay.Replaceable(s.Env.GOROOT, s.Env.GOMODCACHE, filepath.Join(s.Cache, "goroot"))
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
