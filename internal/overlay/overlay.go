// Package overlay makes Go's own fuzzing engine better informed without changing any file
// of the Go installation: it edits copies of the sources of internal/fuzz, which the go
// command compiles instead (see `go help build`, -overlay).
//
// Edits are anchored in the syntax trees. A source that does not have the anchors of a
// part of the overlay is left without that part, and the overlay says so.
package overlay

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/internal/engine"
)

// An Overlay is a set of files that the go command compiles in place of others.
type Overlay struct {
	File    string   // the JSON file for -overlay
	Missing []string // what is said of the parts that the sources have no place for
	lacks   []string // their names
}

// Lacks reports whether a part is missing.
func (o *Overlay) Lacks(part string) bool { return slices.Contains(o.lacks, part) }

// Check has the go command compile the engine with the overlay, once: the edits may fit a
// source that they do not suit. The error is an [*UnsupportedError] then.
func (o *Overlay) Check(ctx context.Context, version string) error {
	checked := filepath.Join(filepath.Dir(o.File), "checked")
	if _, err := os.Stat(checked); err == nil {
		return nil
	}
	// No flag of the user's has a say in it.
	cmd := exec.CommandContext(ctx, "go", "build", "-overlay="+o.File, "internal/fuzz")
	cmd.Env = append(cmd.Environ(), "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); ctx.Err() != nil {
		return context.Cause(ctx)
	} else if err != nil {
		return &UnsupportedError{version, fmt.Sprintf("with the overlay it does not compile: %v\n%s", err, bytes.TrimSpace(out))}
	}
	return os.WriteFile(checked, nil, 0o666)
}

// Make writes the overlay for the Go installation in goroot, of the given version, as in
// go1.26.3, into a directory below dir whose name depends on all that the overlay depends
// on. What is there already is not written again. If no part of the overlay applies, the
// error is an [*UnsupportedError].
func Make(goroot, version, dir string) (*Overlay, error) {
	src := filepath.Join(goroot, "src", "internal", "fuzz")
	sources, err := readSources(src)
	if err != nil {
		return nil, err
	}
	files, o, err := edit(version, sources)
	if err != nil {
		return nil, err
	}

	names := slices.Sorted(maps.Keys(files))
	h := sha256.New()
	fmt.Fprintln(h, src)
	for _, name := range names {
		fmt.Fprintln(h, name, len(files[name]))
		h.Write(files[name])
	}
	dir = filepath.Join(dir, fmt.Sprintf("%s-%x", version, h.Sum(nil)[:8]))
	replace := map[string]string{}
	for _, name := range names {
		replace[filepath.Join(src, name)] = filepath.Join(dir, name)
	}
	list, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return nil, err
	}
	files["overlay.json"] = append(list, '\n')
	if err := writeAll(dir, files); err != nil {
		return nil, err
	}
	o.File = filepath.Join(dir, "overlay.json")
	return o, nil
}

// readSources returns the files of package internal/fuzz.
func readSources(dir string) (map[string][]byte, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	sources := map[string][]byte{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		sources[filepath.Base(path)] = b
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("the Go installation has no sources of its fuzzing engine in %s", dir)
	}
	return sources, nil
}

// added returns the files that the overlay adds.
func added() (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(engine.Sources, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") || path == "sources.go" {
			return err
		}
		b, err := fs.ReadFile(engine.Sources, path)
		files["espalier_"+path] = bytes.Replace(b, []byte("\npackage engine\n"), []byte("\npackage fuzz\n"), 1)
		if bytes.HasPrefix(b, []byte("package engine\n")) {
			files["espalier_"+path] = bytes.Replace(b, []byte("package engine\n"), []byte("package fuzz\n"), 1)
		}
		return err
	})
	files["espalier_glue.go"] = bytes.TrimPrefix(glue, []byte("//go:build ignore\n"))
	return files, err
}

// writeAll writes files that do not exist yet, each of them at once.
func writeAll(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, b := range files {
		path := filepath.Join(dir, name)
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, b) {
			continue
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		tmp, err := os.CreateTemp(dir, ".tmp-*")
		if err != nil {
			return err
		}
		_, err = tmp.Write(b)
		if err2 := tmp.Close(); err == nil {
			err = err2
		}
		if err == nil {
			err = os.Rename(tmp.Name(), path)
		}
		if err != nil {
			os.Remove(tmp.Name())
			return err
		}
	}
	return nil
}
