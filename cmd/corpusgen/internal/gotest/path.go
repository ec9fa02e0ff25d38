package gotest

import (
	"os"
	"path/filepath"
)

// Short returns path relative to the current directory if it is below it, and
// otherwise unchanged.
func Short(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(wd, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return rel
}
