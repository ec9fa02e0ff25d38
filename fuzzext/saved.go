package fuzzext

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/hash"
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

// readSaved returns the failures in a directory of checksDir, relative to that of the package.
func readSaved(dir string) ([]corpus.Entry, error) {
	if lookForSaved(); nothingSaved.Load() {
		return nil, nil
	}
	return corpus.Read(inPackage(dir))
}

// checkDir returns the directory for the failures of a test, in that of the package.
func checkDir(test string) string { return filepath.Join(checksDir, safePath(test)) }

// safePath returns a path, with slashes, for the name of a test. It writes as %XX what a file
// system does not allow, or takes for something else.
func safePath(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = safeName(p)
	}
	return strings.Join(parts, "/")
}

func safeName(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		safe := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			strings.IndexByte("_-+=#,@()[]{}^!", c) >= 0 || c == '.' && i > 0 && i < len(s)-1
		if safe {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	name := b.String()
	switch {
	case name == "":
		return "%"
	case reserved[strings.ToUpper(strings.SplitN(name, ".", 2)[0])]:
		return "%" + name
	case len(name) > 100:
		return fmt.Sprintf("%s%%%x", name[:80], hash.FNV64(s))
	}
	return name
}

// reserved holds the names that Windows reserves for devices.
var reserved = func() map[string]bool {
	m := map[string]bool{"CON": true, "PRN": true, "AUX": true, "NUL": true}
	for i := '0'; i <= '9'; i++ {
		m["COM"+string(i)], m["LPT"+string(i)] = true, true
	}
	return m
}()

// saveEntry writes a corpus entry to a directory of the package, unless that is "", and returns
// its path in the package.
func saveEntry(dir string, b []byte) (path string, isNew bool, err error) {
	if dir == "" {
		return "", false, nil
	}
	nothingSaved.Store(false)
	path, isNew, err = corpus.Write(inPackage(dir), b)
	if rel, err := filepath.Rel(packageDir, path); err == nil {
		path = rel
	}
	return path, isNew, err
}
