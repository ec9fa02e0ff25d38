// Package overlay makes Go's own fuzzing engine better informed without changing any file
// of the Go installation: it edits copies of the sources of internal/fuzz, which the go
// command compiles instead (see `go help build`, -overlay).
//
//	o, err := overlay.Make(goroot, "go1.26.3", cache)
//	cmd := exec.Command("go", "test", "-overlay="+o.File, "-fuzz=.")
//
// Edits are anchored in the syntax trees. If a source lacks the anchors of a part of the
// overlay, that part is left out, and the overlay says so.
package overlay

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/safefile"
)

// An Overlay is a set of files that the go command compiles in place of others.
type Overlay struct {
	File    string   // the JSON file for -overlay, which names the others
	Missing []string // messages about the parts for which the sources lack the anchors

	lacks   []string // the names of these parts
	goroot  string
	version string
	files   map[string][]byte // see sourcePath
}

// list is the name of the JSON file of an overlay.
const list = "overlay.json"

// Make writes the overlay for the Go installation in goroot, of the given version, as in
// go1.26.3, into a directory below dir, whose name depends on everything that the overlay
// depends on. It does not write again what is there already. It is an error if
// the sources lack the anchors of the part that the others build on.
func Make(goroot, version, dir string) (*Overlay, error) {
	return goEngine.make(goroot, version, dir)
}

func (f flavor) make(goroot, version, dir string) (*Overlay, error) {
	sources, err := readSources(goroot)
	if err != nil {
		return nil, err
	}
	for _, name := range f.others {
		b, err := os.ReadFile(sourcePath(goroot, name))
		if err != nil {
			return nil, unsupported(version, err.Error())
		}
		sources[name] = b
	}
	o, err := f.edit(version, sources)
	if err != nil {
		return nil, err
	}
	o.goroot = goroot

	h := sha256.New()
	fmt.Fprintln(h, goroot)
	for _, files := range []map[string][]byte{sources, o.files} {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			fmt.Fprintln(h, name, len(files[name]))
			h.Write(files[name])
		}
	}
	dir, err = filepath.Abs(filepath.Join(dir, fmt.Sprintf("%s-%x", version, h.Sum(nil)[:8])))
	if err != nil {
		return nil, err
	}
	replace, files := map[string]string{}, map[string][]byte{}
	for name, text := range o.files {
		replace[sourcePath(goroot, name)], files[flat(name)] = filepath.Join(dir, flat(name)), text
	}
	b, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return nil, err
	}
	o.File, files[list] = filepath.Join(dir, list), append(b, '\n')
	return o, safefile.WriteAll(dir, files)
}

// Lacks reports whether a part is missing.
func (o *Overlay) Lacks(part string) bool { return slices.Contains(o.lacks, part) }

// Check compiles the engine with the overlay, unless that has been done before: the edits
// may fit a source that they do not suit.
func (o *Overlay) Check(ctx context.Context) error {
	dir := filepath.Dir(o.File)
	checked := filepath.Join(dir, "checked")
	if _, err := os.Stat(checked); err == nil {
		return nil
	}
	// Neither the user's module nor the user's flags have a say in it. An empty GOFLAGS
	// would leave the settings of `go env -w` in force.
	cmd := exec.CommandContext(ctx, filepath.Join(o.goroot, "bin", "go"), "build",
		"-overlay="+o.File, "internal/fuzz")
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOROOT="+o.goroot, "GOTOOLCHAIN=local", "GO111MODULE=off",
		"GOFLAGS=-buildvcs=false")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := gotest.Run(cmd, nil)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return unsupported(o.version,
			fmt.Sprintf("with the overlay it does not compile: %v\n%s", err, bytes.TrimSpace(out.Bytes())))
	}
	return os.WriteFile(checked, nil, 0o666)
}
