package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/instrument"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/interleave"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/overlay"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/engine"
)

// A fuzzEngine says how to build test binaries with the engine that the options ask for.
type fuzzEngine struct {
	tags  []string // for go test -c
	flags []string // for go test -c, after the flags of the user
	// overlay is the file that lists what replaces sources of the engine; "" for none.
	overlay string
	// passesOver says that the engine passes over known failures: fuzzing of a target can
	// resume after a failure.
	passesOver bool
	tokens     engine.Tokens
	// runsApart says that test binaries run entries of any directory.
	runsApart bool
	points    *interleave.Points // nil for none
}

// newFuzzEngine prepares the engine.
func newFuzzEngine(ctx context.Context, f *fuzzer) (*fuzzEngine, error) {
	e := &fuzzEngine{}
	if f.stock {
		e.flags = []string{"-fuzz=."}
		return e, nil
	}
	if value, ok := f.Lookup("overlay"); ok && f.overlay != "off" {
		return nil, session.UsageError{Msg: "GOFLAGS=-overlay=" + value +
			": corpusgen fuzz uses an overlay of its own, unless -stock or -overlay=off is set"}
	}
	plan, err := Instrument(ctx, f.Session, f.instrument)
	if err != nil {
		return nil, err
	}
	f.Print(f.Log, plan.followedText(f.instrument, f.verbose()))
	e.flags = plan.Flags
	e.tokens = tokens(f.dict, plan.files(f.instrument))
	if f.overlay == "off" {
		return e, nil
	}
	o, err := f.CheckedOverlay(ctx)
	switch {
	case err != nil && (f.overlay == "require" || ctx.Err() != nil):
		return nil, err
	case err != nil:
		f.Note("%v\ncorpusgen: fuzzing with the engine as it is", err)
		return e, nil
	}
	for _, missing := range o.Missing {
		if f.overlay == "require" {
			return nil, errors.New(missing)
		}
		f.Note("%s", missing)
	}
	if (f.limitTime > 0 || f.limitMem > 0) && o.Lacks(overlay.Limits) {
		return nil, errors.New("-limit-time and -limit-memory: this version of Go has an engine that " +
			"cannot be made to keep them")
	}
	e.tags = []string{session.LinkTag}
	e.overlay = o.File
	if err := e.addPoints(ctx, f); err != nil {
		if f.overflow {
			return nil, err
		}
		f.Note("%v\ncorpusgen: schedules are left to chance", err)
	}
	e.passesOver = !o.Lacks(overlay.KnownFailures)
	e.runsApart = !o.Lacks(overlay.Apart)
	return e, nil
}

// pointsDir is where what addPoints makes is.
func (f *fuzzer) pointsDir() string { return filepath.Join(f.Tmp.Path, "points") }

// addPoints adds to the overlay, for packages whose tests explore schedules, points at which
// goroutines can be stopped; and, for all packages, checks for overflow, if they are asked for.
func (e *fuzzEngine) addPoints(ctx context.Context, f *fuzzer) error {
	var patterns []string
	schedules := false
	for _, pkg := range f.Pkgs {
		schedules = schedules || pkg.Schedules
		if pkg.Schedules || f.overflow {
			patterns = append(patterns, pkg.Path)
		}
	}
	if len(patterns) == 0 {
		return nil
	}
	dir := f.pointsDir()
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	with := interleave.Options{Instrument: f.instrument, NoPoints: !schedules, Overflow: f.overflow,
		Verbose: f.verbose()}
	points, err := interleave.Overlay(ctx, dir, e.overlay, with, patterns, f.BuildFlags())
	if err == nil {
		// vet would report files with points
		e.overlay, e.flags = points.List, append(append(e.flags, "-vet=off"), points.Flags...)
		e.points = points
	}
	return err
}

// An instrumentation says which packages are instrumented.
type instrumentation struct {
	Flags    []string         // for go test -c
	reach    instrument.Reach // without patterns
	rules    []instrument.Rule
	packages *instrument.Packages
}

// Instrument returns the instrumentation for the targets of a session: of the packages that match
// patterns, which are separated by commas, or the default if there are none.
func Instrument(
	ctx context.Context, s *session.Session, patterns string,
) (*instrumentation, error) {
	build := s.BuildFlags()
	all, err := instrument.FlagsForAll(s.Values("gcflags"))
	if err != nil {
		return nil, session.UsageError{Msg: err.Error()}
	}
	p := &instrumentation{}
	var under []string
	for _, pkg := range s.Pkgs {
		under = append(under, pkg.Path)
	}
	if p.packages, err = instrument.List(ctx, under, build...); err == nil {
		err = p.packages.CheckMain(ctx)
	}
	if err != nil {
		return nil, err
	}
	if patterns != "" {
		if p.rules, err = instrument.Parse(ctx, patterns, build...); err != nil {
			return nil, session.UsageError{Msg: "-instrument: " + err.Error()}
		}
	} else {
		p.reach = p.packages.Reach()
		p.rules = p.reach.Rules
	}
	// GOFLAGS may have -fuzz, which instruments all
	p.Flags = append([]string{"-fuzz="}, instrument.Flags(p.rules, all)...)
	return p, nil
}

// files returns the source files of the packages whose coverage is followed, those of the main module
// first, but not of the standard library.
func (p *instrumentation) files(patterns string) (files []string) {
	packages := slices.Concat(p.reach.Main, p.reach.Others)
	if patterns != "" {
		packages, _ = p.packages.Followed(p.rules)
	}
	return p.packages.Files(packages)
}

// followedText says the coverage of which packages is followed, and of which others it is not. The
// patterns come from the user, or are "". It names about five of each, or all.
func (p *instrumentation) followedText(patterns string, all bool) string {
	if patterns == "" {
		text := following(p.reach.Main, all)
		if n := len(p.reach.Others); n > 0 {
			text += fmt.Sprintf("corpusgen: and of %s that they import: %s\n",
				session.Count(n, "other package", "other packages"),
				session.Names(p.reach.Others, all))
		}
		if n := len(p.reach.Left); n > 0 {
			text += fmt.Sprintf("corpusgen: but not of %s, since there is much code: %s. To choose "+
				"other packages, set -instrument\n",
				session.Count(n, "more package", "more packages"),
				session.Names(p.reach.Left, all))
		}
		return text
	}
	followed, others := p.packages.Followed(p.rules)
	text := following(followed, all)
	if len(others) > 0 {
		text += fmt.Sprintf("corpusgen: the tests also import %s: to follow that, too, add "+
			"-instrument %s,%s\n", session.Names(others, all), patterns, strings.Join(others, ","))
	}
	return text
}

func following(packages []string, all bool) string {
	text := "corpusgen: following the coverage of " +
		session.Count(len(packages), "package", "packages")
	if len(packages) > 0 {
		text += ": " + session.Names(packages, all)
	}
	return text + "\n"
}
