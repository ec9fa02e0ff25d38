package session

import (
	"context"
	"path/filepath"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/overlay"
)

// LinkTag is the build tag that makes fuzzext take orders, and use the overlay of the engine.
const LinkTag = "espalier"

// Overlay makes the overlay for the user's Go installation, below cache, and compiles it.
func Overlay(ctx context.Context, env *gotest.Env, cache string) (*overlay.Overlay, error) {
	o, err := MakeOverlay(env, cache, overlay.Make)
	if err != nil {
		return nil, err
	}
	return o, o.Check(ctx)
}

// MakeOverlay makes an overlay for the user's Go installation, below cache. If the go command
// allows no overlay for the installation, env becomes that of another one: a directory of links
// to its files.
func MakeOverlay(env *gotest.Env, cache string, make func(goroot, version, dir string) (*overlay.Overlay, error)) (*overlay.Overlay, error) {
	goroot, err := overlay.Replaceable(env.GOROOT, env.GOMODCACHE, filepath.Join(cache, "goroot"))
	if err != nil {
		return nil, err
	}
	if goroot != env.GOROOT {
		if err := env.Use(goroot); err != nil {
			return nil, err
		}
	}
	return make(goroot, env.GOVERSION, filepath.Join(cache, overlayDir))
}
