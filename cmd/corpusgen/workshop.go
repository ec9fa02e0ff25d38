package main

import (
	"cmp"
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

// A workshop is a package whose targets carry out orders. Its test binary is built once.
type workshop struct {
	s     *session
	pkg   gotest.Package
	tmp   string
	flags []string // of go test, in addition to those of the session
	built bool     // whether binary has been built
	with  []string // the build flags then

	patterns string   // of -coverpkg
	packages []string // whose coverage measureCoverage measures
	imports  []string // packages of other modules that the tests import
}

func newWorkshop(s *session, pkg gotest.Package) (*workshop, error) {
	tmp, err := rundir.Sub(s.tmp.Path, "package")
	return &workshop{s: s, pkg: pkg, tmp: tmp}, err
}

// binary is the path of the test binary.
func (w *workshop) binary() string { return filepath.Join(w.tmp, "fuzz.test"+w.s.env.GOEXE) }

// buildFlags returns the flags with which the go command builds the test binary, and puts the
// one of an earlier run in place.
func (w *workshop) buildFlags() []string {
	flags := slices.Concat(w.s.BuildFlags(linkTag), w.s.LinkFlags(), w.flags)
	if !w.built {
		w.s.kept.Restore(w.binary(), w.pkg, flags)
		w.built, w.with = true, flags
	}
	return flags
}

// buildWith sets the flags of go test, in addition to those of the session, and reports whether
// they change.
func (w *workshop) buildWith(flags ...string) (changed bool) {
	if slices.Equal(w.flags, flags) {
		return false
	}
	w.keep()
	w.flags, w.built = flags, false
	return true
}

// keep keeps the test binary for later runs.
func (w *workshop) keep() {
	if w.built {
		w.s.kept.Keep(w.binary(), w.pkg, w.with) // if that fails, the next run links another
	}
}

func (w *workshop) close() {
	w.keep()
	os.RemoveAll(w.tmp)
}

// A userTarget is a fuzz target of the user, or a test that calls fuzzext.Check.
type userTarget struct {
	*workshop
	name  string
	label string // for output
	seeds string // directory of its seed corpus, as output shows it
	cover string // directory for coverage data; "" for none
}

func (w *workshop) target(name string) *userTarget {
	t := &userTarget{workshop: w, name: name, label: w.pkg.Path + " " + name}
	kind := "fuzz"
	if t.isTest() {
		kind = "fuzzext"
	}
	t.seeds = gotest.Short(filepath.Join(w.pkg.Dir, "testdata", kind, filepath.FromSlash(name)))
	return t
}

// errPlain says that a target does not use fuzzext.
var errPlain = errors.New("the target does not use fuzzext")

// A plainError is errPlain of a target that has run as go test runs it.
type plainError struct{ *gotest.Result }

func (plainError) Error() string   { return errPlain.Error() }
func (plainError) Is(e error) bool { return e == errPlain }

type (
	// A brokenError says why no target of a package can run.
	brokenError struct{ error }
	// A deathError says that the property has ended the process.
	deathError struct{ error }
)

// maxDeaths is how often the property may end the process that carries out an order. Only the
// first mutant that does so is reported: nobody knows whether the others differ.
const maxDeaths = 20

// ask makes the target carry out an order. If the property ends the process, or does not
// return, another process goes on behind the value. The error is errPlain if the target does
// not use fuzzext, a [*brokenError] if no other target of the package would run, and a
// [*deathError] if no process can go on. Even with an error, the answer has what there is.
func (t *userTarget) ask(ctx context.Context, order job.Order) (*job.Answer, error) {
	whole := &job.Answer{}
	for deaths, fatal := 0, 0; ; {
		result, answer, err := t.askOnce(ctx, &order, whole)
		if answer != nil {
			whole.Entries = append(whole.Entries, answer.Entries...)
			whole.Add(cmp.Or(answer.End, answer.SoFar))
		}
		switch {
		case err != nil:
			return whole, err
		case answer == nil:
			return whole, t.unanswered(result)
		}
		t.s.served++
		if whole.End != nil && whole.End.Error != "" {
			text := whole.End.Error
			if order.Make != nil {
				text = fmt.Sprintf("%d of %d entries: %s", len(whole.Entries), order.Make.N, text)
			}
			return whole, fmt.Errorf("%s: %s", t.label, text)
		}
		next, more := order.Rest(answer)
		if answer.End == nil {
			deaths++
			killer := answer.Begun
			if killer == nil || !more {
				return whole, &deathError{fmt.Errorf("%s fails before it makes an entry:\n%s", t.label, trim(result))}
			}
			if killer.Status == job.Failing {
				killer.Why += "\nwhile this value is minimized, the property ends the process:\n" + trim(result)
			} else {
				fatal++
				killer.Status, killer.Why = job.Fatal, "the property, or the generator, ends the process:\n"+trim(result)
			}
			if order.Mutate == nil || killer.Status == job.Failing || fatal == 1 {
				whole.Entries = append(whole.Entries, *killer)
			}
			if deaths == maxDeaths {
				return whole, fmt.Errorf("%s: gave up after %d values on which the property ends the process: mend that first", t.label, deaths)
			}
		} else if !more {
			// What is wrong with an entry that has been read stands in the answer.
			if order.Read == nil && result.Outcome != gotest.Passed && result.Outcome != gotest.Skipped {
				err = fmt.Errorf("%s is done, but go test fails:\n%s", t.label, trim(result))
			}
			return whole, err
		}
		order = next
	}
}

// askOnce starts one process with an order, what remains of one after an answer. The answer is
// nil if the target gives none.
func (t *userTarget) askOnce(ctx context.Context, order *job.Order, before *job.Answer) (*gotest.Result, *job.Answer, error) {
	dir, err := rundir.Sub(t.tmp, t.test())
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	order.Target, order.Answer = t.name, filepath.Join(dir, "answer.json")
	path := filepath.Join(dir, "order.json")
	if err := order.Write(path); err != nil {
		return nil, nil, err
	}
	args := t.s.Args
	if t.cover != "" { // the go command has a directory of its own, and passes this one on
		args = slices.Concat([]string{"-test.gocoverdir=" + t.cover}, args)
	}
	defer t.watch(order, before)()
	result, err := gotest.Test{
		Package: t.pkg.Path,
		Target:  t.test(),
		Binary:  t.binary(),
		Flags:   slices.Concat(t.buildFlags(), t.s.testFlags(order)),
		Args:    args,
		Vars:    []string{job.Env + "=" + path, goTempVar + t.s.tmp.Path},
	}.Run(ctx)
	answer, lost := order.ReadAnswer()
	if err == nil {
		err = lost
	}
	return result, answer, err
}

// unanswered returns an error that says why the target gave no answer.
func (t *userTarget) unanswered(result *gotest.Result) error {
	if result.Entries > 0 && !t.isTest() {
		return plainError{result}
	}
	switch result.Outcome {
	case gotest.Broken:
		return &brokenError{fmt.Errorf("%s: go test fails before it runs %s:\n%s", t.pkg.Path, t.name, trim(result))}
	case gotest.Absent:
		return fmt.Errorf("%s: go test does not run %s (does TestMain call m.Run?):\n%s", t.pkg.Path, t.name, trim(result))
	case gotest.Skipped:
		return fmt.Errorf("%s skips itself before it calls fuzzext.Valid, Fuzz or Check, so corpusgen cannot run its generator", t.label)
	case gotest.Failed:
		return fmt.Errorf("%s fails before it makes an entry:\n%s", t.label, trim(result))
	}
	return plainError{result}
}

func trim(result *gotest.Result) string { return strings.TrimRight(result.Output, "\n") }

// files returns the paths of the entries in directories, and an error for those that cannot
// be read as entries of a target that uses fuzzext.
func (t *userTarget) files(dirs ...string) (paths []string, err error) {
	var errs []error
	for _, dir := range dirs {
		entries, err := corpus.Read(dir)
		errs = append(errs, err)
		for _, e := range entries {
			path, err := filepath.Abs(filepath.Join(dir, e.Name))
			if err != nil {
				return nil, err
			}
			paths = append(paths, path)
		}
	}
	return paths, errors.Join(errs...)
}

// cache is the directory in which the engine keeps what it finds.
func (t *userTarget) cache() string {
	return filepath.Join(gotest.FuzzCache(t.s.env, t.pkg), engineName(t.pkg, t.name))
}

// place returns the directory to which entries go: the seed corpus, or one below that of -o.
func (t *userTarget) place() string {
	switch {
	case t.s.dir == "":
		return t.seeds
	case len(t.s.pkgs) == 1:
		return gotest.Short(filepath.Join(t.s.dir, t.name))
	}
	return gotest.Short(filepath.Join(t.s.dir, filepath.FromSlash(t.pkg.Path), t.name))
}

// deliver writes entries to the corpus, and returns the paths of those that are new. It
// stops at the first that it cannot write, and when ctx ends.
func (t *userTarget) deliver(ctx context.Context, entries []job.Entry) (paths []string, old int, err error) {
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return paths, old, err
		}
		path, isNew, err := corpus.Write(t.place(), e.Data)
		switch {
		case err != nil:
			return paths, old, fmt.Errorf("%s: writing the corpus: %w", t.label, err)
		case isNew:
			paths = append(paths, path)
		default:
			old++
		}
	}
	return paths, old, nil
}
