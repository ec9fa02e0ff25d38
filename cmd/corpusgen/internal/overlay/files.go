package overlay

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/internal/engine"
)

// glueFiles are the files of internal/fuzz that the edits refer to.
//
//go:embed glue
var glueFiles embed.FS

// enginePath is the directory of package internal/fuzz.
func enginePath(goroot string) string { return filepath.Join(goroot, "src", "internal", "fuzz") }

// sourcePath is the path of a source: of internal/fuzz, or of the package that its name has.
func sourcePath(goroot, name string) string {
	if strings.Contains(name, "/") {
		return filepath.Join(goroot, "src", filepath.FromSlash(name))
	}
	return filepath.Join(enginePath(goroot), name)
}

// flat is the name of a source's replacement in the directory of an overlay.
func flat(name string) string { return strings.ReplaceAll(name, "/", "-") }

// readSources returns the files of package internal/fuzz, but for its tests, by name.
func readSources(goroot string) (map[string][]byte, error) {
	sources, err := goFiles(os.DirFS(enginePath(goroot)))
	if err == nil && len(sources) == 0 {
		err = fmt.Errorf("the Go installation has no sources of its fuzzing engine in %s",
			enginePath(goroot))
	}
	return sources, err
}

// added returns the files that the overlay adds to internal/fuzz, by name.
func added(glue []string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range glue {
		b, err := glueFiles.ReadFile("glue/" + name)
		if err != nil {
			return nil, err
		}
		files["espalier_"+name] = bytes.TrimPrefix(b, []byte("//go:build ignore\n"))
	}
	sources, err := goFiles(engine.Sources)
	delete(sources, "sources.go")
	for name, b := range sources {
		files["espalier_"+name] = enginePackage.ReplaceAll(b, []byte("package fuzz"))
	}
	return files, err
}

var enginePackage = regexp.MustCompile(`(?m)^package engine$`)

// goFiles returns the files of a package, but for its tests, by name.
func goFiles(dir fs.FS) (map[string][]byte, error) {
	names, err := fs.Glob(dir, "*.go")
	files := map[string][]byte{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || err != nil {
			continue
		}
		files[name], err = fs.ReadFile(dir, name)
	}
	return files, err
}
