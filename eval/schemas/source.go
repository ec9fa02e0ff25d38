package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/eval/others"
)

// A module is one of the Go proxy, whose files are data here.
type module struct{ path, version, sum string }

func (m module) String() string { return m.path + "@" + m.version }

// dir returns the directory of the module in the cache, once it is there. The sum may be empty if
// each file of the module has a hash of its own.
func (m module) dir(ctx context.Context) (string, error) {
	out, err := others.Output(ctx, os.TempDir(), "go", "mod", "download", "-json", m.String())
	var got struct{ Dir, Sum, Error string }
	if json.Unmarshal(out, &got) == nil && got.Error != "" {
		err = fmt.Errorf("%s", got.Error)
	}
	if err != nil {
		return "", fmt.Errorf("download the module %s: %w", m, err)
	}
	if m.sum != "" && got.Sum != m.sum {
		return "", fmt.Errorf("the module %s has the sum %s, not %s: its files are not the ones to measure "+
			"against; clear them with go clean -modcache, and try again", m, got.Sum, m.sum)
	}
	return got.Dir, nil
}

// sourceDir returns the directory of a source: go:PATH@VERSION, or git:OWNER/NAME@COMMIT, which has a
// checkout below a directory.
func sourceDir(ctx context.Context, source, checkouts string) (string, error) {
	kind, rest, _ := strings.Cut(source, ":")
	name, version, ok := strings.Cut(rest, "@")
	switch {
	case kind == "go" && ok:
		return module{path: name, version: version}.dir(ctx)
	case kind != "git" || !ok:
		return "", fmt.Errorf("%s is not a source: write go:PATH@VERSION or git:OWNER/NAME@COMMIT", source)
	}
	dir := filepath.Join(checkouts, name)
	if _, err := os.Stat(dir); checkouts == "" || err != nil {
		return "", fmt.Errorf("%s needs a checkout: clone it from GitHub to DIR/%s, check out the commit, "+
			"and say -dir DIR; or leave such sources out with -only ' go:'", source, name)
	}
	return dir, nil
}
