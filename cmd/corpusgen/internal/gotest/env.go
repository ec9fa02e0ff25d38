package gotest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// An Env is what the go command says about itself.
type Env struct {
	GOROOT, GOVERSION, GOCACHE, GOMODCACHE, GOFLAGS, GOEXE string
}

// ReadEnv asks the go command.
func ReadEnv(ctx context.Context) (*Env, error) {
	text, err := Output(ctx, "env", "-json", "GOROOT", "GOVERSION", "GOCACHE", "GOMODCACHE",
		"GOFLAGS", "GOEXE")
	if err != nil {
		return nil, err
	}
	env := &Env{}
	if err := json.Unmarshal([]byte(text), env); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	return env, nil
}

// Cached reports whether a directory is in the module cache.
func (e *Env) Cached(dir string) bool {
	return strings.HasPrefix(dir, e.GOMODCACHE+string(filepath.Separator))
}

// Use makes this process, and all that it starts, use the Go installation in goroot.
func (e *Env) Use(goroot string) error {
	path := filepath.Join(goroot, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	for name, value := range map[string]string{
		"GOROOT":      goroot,
		"GOTOOLCHAIN": "local",
		"PATH":        path,
	} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	e.GOROOT = goroot
	return nil
}
