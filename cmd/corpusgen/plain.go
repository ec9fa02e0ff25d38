package main

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

// runPlain runs a target on the entries in dirs.
func (t *userTarget) runPlain(ctx context.Context, dirs []string) (*plainRun, error) {
	top, err := rundir.Sub(t.tmp, "plain")
	if err != nil {
		return nil, err
	}
	corpora := filepath.Join(top, "corpora")
	n, err := copyEntries(filepath.Join(corpora, t.name), dirs)
	if err != nil {
		return nil, err
	}
	link, err := t.linkFlags("'-X=testing.corpusDir=" + corpora + "'")
	if err != nil {
		return nil, err
	}
	r := &plainRun{binary: filepath.Join(top, "plain.test"+t.s.env.GOEXE), data: filepath.Join(top, "cover")}
	if err := os.Mkdir(r.data, 0o777); err != nil {
		return nil, err
	}
	r.Result, err = gotest.Test{
		Package: t.pkg.Path,
		Target:  t.name,
		Binary:  r.binary,
		Flags:   slices.Concat(t.s.BuildFlags(), []string{link}, t.flags, t.s.testFlags(&job.Order{})),
		Args:    slices.Concat([]string{"-test.gocoverdir=" + r.data}, t.s.Args),
		Vars:    []string{goTempVar + t.s.tmp.Path},
	}.Run(ctx)
	if err == nil && r.Entries < n {
		err = fmt.Errorf("%s: go test does not run the entries in %s:\n%s", t.label, strings.Join(dirs, " and "), trim(r.Result))
	}
	return r, err
}

// linkFlags returns the flag -ldflags of go test, with one more flag.
func (t *userTarget) linkFlags(more string) (string, error) {
	flags, ok := t.s.Lookup("ldflags")
	switch {
	case !ok:
		flags = "-s -w"
	case flags != "" && !strings.HasPrefix(flags, "-"):
		return "", fmt.Errorf("%s does not use fuzzext, so its entries outside of testdata/fuzz need a link flag: use -ldflags without a pattern of packages", t.label)
	}
	return "-ldflags=" + flags + " " + more, nil
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
	for _, dir := range dirs {
		files, _ := os.ReadDir(dir) // there may be none
		for _, f := range files {
			if f.IsDir() {
				continue
			}
			c := &measuredEntry{path: filepath.Join(dir, f.Name()), status: job.Valid}
			if c.file, err = corpus.ReadFile(c.path); err != nil {
				return nil, err
			}
			entries = append(entries, c)
		}
	}
	return entries, nil
}
