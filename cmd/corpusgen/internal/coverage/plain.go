package coverage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
	binary  string // path of the test binary
	corpus  string // the directory of the copy, which the binary reads; "" if there is none
	data    string // directory of coverage data
	killers []Killer
}

// A Killer is an entry that ends the process. It is left out of a run.
type Killer struct {
	Name   string // as go test has it
	Output string // of go test on this entry alone
}

// mostKillers bounds the entries of one corpus that end the process.
const mostKillers = 100

// runPlain runs a target on the entries in dirs. Go test has run it already on its seed corpus,
// with coverage data in the directory data. Entries that end the process are left out: without
// them, there are data of the others.
func runPlain(
	ctx context.Context, t *session.Target, ran session.PlainError, data string, dirs []string,
) (*plainRun, error) {
	t.Session.Served++
	r := &plainRun{Result: ran.Result, binary: t.Binary(), data: data}
	if len(dirs) == 1 && dirs[0] == t.Seeds && !r.died() && !r.misses(t.Seeds) {
		return r, nil
	}
	top, err := rundir.Sub(t.Tmp, "plain")
	if err != nil {
		return nil, err
	}
	corpora := filepath.Join(top, "corpora")
	r.corpus = filepath.Join(corpora, t.Name)
	n, err := copyEntries(r.corpus, dirs)
	if err != nil {
		return nil, err
	}
	r.binary = filepath.Join(top, "plain.test"+t.Session.Env.GOEXE)
	for {
		if err := r.run(ctx, t, top, corpora, r.skipped(t)...); err != nil {
			return nil, err
		}
		if !r.died() {
			break
		}
		if err := r.leaveOut(ctx, t, top, corpora); err != nil {
			return nil, err
		}
	}
	if len(r.Entries)+len(r.killers) < n {
		err = fmt.Errorf("%s: go test does not run the entries in %s:\n%s", t.Label,
			strings.Join(dirs, " and "), session.Trim(r.Result))
	}
	return r, err
}

// run runs the target on the entries in a directory that the test flags select.
func (r *plainRun) run(
	ctx context.Context, t *session.Target, top, corpora string, selected ...string,
) (err error) {
	link, err := t.LinkFlags("'-X=testing.corpusDir=" + corpora + "'")
	if err != nil {
		return err
	}
	if r.data, err = rundir.Sub(top, "cover"); err != nil {
		return err
	}
	r.Result, err = gotest.Test{
		Package: t.Package.Path,
		Target:  t.Name,
		Binary:  r.binary,
		Flags: slices.Concat(t.Session.BuildFlags(), []string{link}, t.Flags,
			t.Session.TestFlags(&job.Order{})),
		Args: slices.Concat(profileFlags(r.data), selected, t.Session.Args),
		Idle: session.MostIdle,
	}.Run(ctx)
	return err
}

// died reports whether an entry has ended the process, or the time for tests has, which leaves data of
// the entries before it.
func (r *plainRun) died() bool {
	_, err := readProfile(r.data)
	return r.Outcome == gotest.Failed && r.Last != "" && (errors.Is(err, ErrNone) ||
		strings.Contains(r.Output, "panic: test timed out after "))
}

// misses reports whether the target has passed without an entry in a directory: go test does not
// find it if TestMain changes the working directory.
func (r *plainRun) misses(dir string) bool {
	paths, _ := session.FilesIn(dir) // what cannot be read has none
	return r.Outcome == gotest.Passed && slices.ContainsFunc(paths, func(path string) bool {
		return !slices.Contains(r.Entries, filepath.Base(path))
	})
}

// skipped returns the test flags that leave out the entries that end the process.
func (r *plainRun) skipped(t *session.Target) []string {
	if len(r.killers) == 0 {
		return nil
	}
	names := make([]string, len(r.killers))
	for i, k := range r.killers {
		names[i] = regexp.QuoteMeta(k.Name)
	}
	return []string{"-test.skip=^" + t.Name + "$/^(" + strings.Join(names, "|") + ")$"}
}

// leaveOut runs the entry in which the process has died alone, to be sure, and leaves it out from
// now on.
func (r *plainRun) leaveOut(ctx context.Context, t *session.Target, top, corpora string) error {
	alone := &plainRun{binary: r.binary}
	name, whole := r.Last, session.Trim(r.Result)
	err := alone.run(ctx, t, top, corpora,
		"-test.run=^"+t.Name+"$/^"+regexp.QuoteMeta(name)+"$")
	switch {
	case err != nil:
		return err
	case !alone.died():
		return fmt.Errorf("%s: the process ends while %s runs, but not if it runs alone:\n%s",
			t.Label, name, whole)
	case len(r.killers) == mostKillers:
		return fmt.Errorf("%s: more than %d entries end the process, the last one so:\n%s",
			t.Label, mostKillers, session.Trim(alone.Result))
	}
	r.killers = append(r.killers, Killer{name, session.Trim(alone.Result)})
	return nil
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
