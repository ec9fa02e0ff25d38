package fuzzext

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"sync/atomic"

	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
)

// checksDir has the failures of all tests, in the directory of the package.
var checksDir = filepath.Join("testdata", "fuzzext")

// nothingSaved says that checksDir did not exist when the first test looked, and that nothing has
// been saved since. So most tests need not look.
var (
	nothingSaved atomic.Bool
	lookForSaved = sync.OnceFunc(func() {
		_, err := os.Stat(inPackage(checksDir))
		nothingSaved.Store(errors.Is(err, fs.ErrNotExist))
	})
)

// readSaved returns the failures in a directory of checksDir, relative to the directory of the
// package.
func readSaved(dir string) ([]corpus.Entry, error) {
	if lookForSaved(); nothingSaved.Load() && !runsAlone() {
		return nil, nil
	}
	return corpus.Read(inPackage(dir))
}

// checkDir returns the directory for the failures of a test, in the directory of the package, unless
// corpusgen names another one.
func checkDir(test string) string {
	return cmp.Or(os.Getenv(engine.CorpusDir), filepath.Join(checksDir, corpus.SafePath(test)))
}

// saveEntry writes a corpus entry to a directory of the package, unless that is "", and returns
// its path in the package. mark is the end of its name.
func saveEntry(dir string, b []byte, mark string) (path string, isNew bool, err error) {
	if dir == "" {
		return "", false, nil
	}
	known := filepath.Join(dir, corpus.NameOf(corpus.MarshalArgs([]any{b}))+flakyMark)
	if _, err := os.Lstat(inPackage(known)); mark == "" && err == nil {
		return known, false, nil // its failure has come and gone
	}
	nothingSaved.Store(false)
	if path, isNew, err = corpus.WriteMarked(inPackage(dir), b, mark); err != nil {
		return "", false, err
	}
	if rel, err := filepath.Rel(packageDir, path); err == nil {
		path = rel
	}
	return path, isNew, err
}

// savedName matches the name of a saved failure.
var savedName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b[0-9a-f]{16}(` + flakyMark + `)?\b`)
})
