package coverage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
)

// A plainRun is a run of a target that does not use fuzzext on the entries in any directories.
// Package testing reads those in the directory that its variable corpusDir names. So the test
// binary is linked with another value, and the directory has a copy of the entries.
type plainRun struct {
	*gotest.Result
	binary string // path of the test binary
	data   string // directory of coverage data
}

// runPlain runs a target on the entries in dirs. Go test has run it already on its seed corpus,
// with coverage data in the directory data.
func runPlain(
	ctx context.Context, t *session.Target, ran session.PlainError, data string, dirs []string,
) (*plainRun, error) {
	t.Session.Served++
	if len(dirs) == 1 && dirs[0] == t.Seeds {
		return &plainRun{ran.Result, t.Binary(), data}, nil
	}
	top, err := rundir.Sub(t.Tmp, "plain")
	if err != nil {
		return nil, err
	}
	corpora := filepath.Join(top, "corpora")
	n, err := copyEntries(filepath.Join(corpora, t.Name), dirs)
	if err != nil {
		return nil, err
	}
	link, err := t.LinkFlags("'-X=testing.corpusDir=" + corpora + "'")
	if err != nil {
		return nil, err
	}
	r := &plainRun{
		binary: filepath.Join(top, "plain.test"+t.Session.Env.GOEXE),
		data:   filepath.Join(top, "cover"),
	}
	if err := os.Mkdir(r.data, 0o777); err != nil {
		return nil, err
	}
	r.Result, err = gotest.Test{
		Package: t.Package.Path,
		Target:  t.Name,
		Binary:  r.binary,
		Flags: slices.Concat(t.Session.BuildFlags(), []string{link}, t.Flags,
			t.Session.TestFlags(&job.Order{})),
		Args: slices.Concat(profileFlags(r.data), t.Session.Args),
	}.Run(ctx)
	if err == nil && r.Entries < n {
		err = fmt.Errorf("%s: go test does not run the entries in %s:\n%s", t.Label,
			strings.Join(dirs, " and "), session.Trim(r.Result))
	}
	return r, err
}

// copyEntries copies the files in dirs to dir, and returns how many there are then.
func copyEntries(dir string, dirs []string) (n int, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, err
	}
	entries, err := plainEntries(dirs...)
	for _, e := range entries {
		path := filepath.Join(dir, filepath.Base(e.path))
		if _, failed := os.Stat(path); failed == nil {
			continue // of the same name, so of the same content
		}
		n++
		err = errors.Join(err, os.WriteFile(path, e.file, 0o666))
	}
	return n, err
}

// plainEntries returns the files in directories of entries.
func plainEntries(dirs ...string) (entries []*measuredEntry, err error) {
	paths, _ := session.FilesIn(dirs...) // what cannot be read has none
	for _, path := range paths {
		c := &measuredEntry{path: path, status: job.Valid}
		if c.file, err = corpus.ReadFile(path); err != nil {
			return nil, err
		}
		entries = append(entries, c)
	}
	return entries, nil
}
