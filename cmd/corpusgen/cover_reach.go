package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverdata"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/instrument"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
)

// A reached says what the entries of a corpus reach.
type reached struct {
	profile coverdata.Profile
	entries int
}

// measureCoverage has the test binary of the package built so that it writes coverage data of
// the packages that the patterns match; see coverPackages.
func (w *workshop) measureCoverage(ctx context.Context, patterns string) error {
	if w.packages == nil {
		w.patterns = patterns
		packages, err := w.coverPackages(ctx, patterns)
		if err != nil {
			return err
		}
		w.packages = packages
	}
	w.buildWith("-cover", "-coverpkg="+strings.Join(w.packages, ","))
	return nil
}

// measureImports has what the tests import from other modules measured, too. It reports
// whether there is such a thing that was not measured.
func (w *workshop) measureImports() bool {
	packages := slices.Concat(w.packages, w.imports)
	return w.buildWith("-cover", "-coverpkg="+strings.Join(packages, ","))
}

// coverPackages returns the packages that are covered, for -coverpkg of go test: those that
// the patterns of the user match, or by default those of the module that the tests import.
// It sets those that they import from other modules.
func (w *workshop) coverPackages(ctx context.Context, patterns string) ([]string, error) {
	if patterns != "" {
		return []string{patterns}, nil
	}
	under := []string{w.pkg.Path}
	lone, err := instrument.FindLone(ctx, under, w.s.BuildFlags()...)
	if err != nil {
		return nil, err
	}
	for _, l := range lone {
		under = append(under, l.Imports...)
	}
	followed, others, err := instrument.Followed(ctx, instrument.Default(under...), []string{w.pkg.Path}, w.s.BuildFlags()...)
	if err == nil && len(followed) == 0 {
		err = fmt.Errorf("%s: there is no code to cover: name packages with -coverpkg", w.pkg.Path)
	}
	w.imports = others
	return followed, err
}

// reach runs a target on the entries in dirs, and on those that code adds. If there are
// entries that cannot be run, the result is that of the others, with an error.
func (t *userTarget) reach(ctx context.Context, dirs ...string) (*reached, error) {
	for _, dir := range dirs {
		if err := corpus.Check(dir); err != nil {
			return nil, fmt.Errorf("%s: %w", t.label, err)
		}
	}
	files, unreadable := t.files(dirs...)
	order := job.Order{Read: &job.Read{Files: files, Added: true, Run: true}}
	answer, data, err := t.covered(ctx, order)
	if plain := (plainError{}); errors.As(err, &plain) {
		return t.reachPlain(ctx, plain, data, dirs)
	} else if answer == nil || answer.End == nil {
		return nil, err
	}
	if unreadable != nil { // go test fails for it, too
		err = fmt.Errorf("%s: an entry is left out:\n%w", t.label, unreadable)
	}
	// The data of a process that an entry has ended are lost: the others run again.
	var killers []string
	entries := 0
	for _, e := range answer.Entries {
		switch e.Status {
		case job.Fatal:
			killers = append(killers, e.Of)
		case job.Rejected:
			err = errors.Join(err, fmt.Errorf("%s: an entry is left out: %s: %s", t.label, e.Of, e.Why))
		default:
			entries++
		}
	}
	if len(killers) > 0 {
		for _, name := range killers {
			t.s.note("%s: not known what %s reaches: the process ends with it", t.label, gotest.Short(name))
		}
		order.Read.Files = slices.DeleteFunc(files, func(path string) bool { return slices.Contains(killers, path) })
		order.Read.Added = !slices.ContainsFunc(killers, func(name string) bool { return strings.HasPrefix(name, "seed#") })
		var failed error
		if answer, data, failed = t.covered(ctx, order); answer == nil || answer.End == nil {
			return nil, failed
		}
	}
	profile, failed := readProfile(data)
	if failed != nil {
		return nil, t.noData(failed)
	}
	return &reached{profile: profile, entries: entries}, err
}

// covered is ask with a new directory for coverage data.
func (t *userTarget) covered(ctx context.Context, order job.Order) (answer *job.Answer, data string, err error) {
	if t.cover, err = rundir.Sub(t.tmp, "cover"); err != nil {
		return nil, "", err
	}
	answer, err = t.ask(ctx, order)
	return answer, t.cover, err
}

// reachPlain is reach for a target that does not use fuzzext. Go test has run it on its seed
// corpus.
func (t *userTarget) reachPlain(ctx context.Context, plain plainError, data string, dirs []string) (*reached, error) {
	t.s.served++
	result := plain.Result
	if len(dirs) > 1 || dirs[0] != t.seeds {
		run, err := t.runPlain(ctx, dirs)
		if err != nil {
			return nil, err
		}
		result, data = run.Result, run.data
	}
	profile, err := readProfile(data)
	if err != nil && strings.Contains(result.Output, "no packages being tested depend on") { // says the go command
		return nil, t.noData(err)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w:\n%s", t.label, err, trim(result))
	}
	return &reached{profile: profile, entries: result.Entries}, nil
}

// noData returns the error of a target that has run, if the coverage data cannot be read.
func (t *userTarget) noData(err error) error {
	if errors.Is(err, coverdata.ErrNone) && t.patterns != "" {
		return &brokenError{fmt.Errorf("%s: its tests import no package that -coverpkg %s matches", t.pkg.Path, t.patterns)}
	}
	return fmt.Errorf("%s: %w", t.label, err)
}

// readProfile reads what processes have written to a directory.
func readProfile(dir string) (coverdata.Profile, error) {
	meta, err := coverdata.ReadMeta(dir)
	if err != nil {
		return nil, err
	}
	counts, err := meta.Counts(dir)
	p := coverdata.Profile{}
	p.Add(meta, counts)
	return p, err
}
