// Package session is what the commands of corpusgen share that ask the generators of fuzz targets:
// the flags, the targets that they select, where they print, and the one way to ask. A generator
// lives in a _test.go file, so only the package's test binary can run it: [Target.Ask] hands it one
// order and returns one answer.
//
//	session.Run(ctx, "seed", args, define, check, func(s *session.Session) error {
//		return s.Each(ctx, func(ctx context.Context, t *session.Target) error {
//			answer, err := t.Ask(ctx, job.Order{Make: &job.Make{N: 20}})
//			...
//		})
//	})
package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
	"github.com/espalier-go/espalier/internal/job"
)

// OnlyTarget returns an error, with the targets there are, unless one is selected.
func (s *Session) OnlyTarget() error {
	var labels []string
	for _, pkg := range s.Pkgs {
		for _, name := range pkg.Targets {
			labels = append(labels, pkg.Path+" "+name)
		}
	}
	switch {
	case len(labels) == 0:
		return ErrReported // by newSession
	case len(labels) > 1:
		return UsageError{fmt.Sprintf("values go to one target, but %d are selected: use -fuzz, and -package; there are:\n\t%s", len(labels), strings.Join(labels, "\n\t"))}
	}
	return nil
}

// A Session is one run of a command that asks the generators of fuzz targets. It has the
// flags that these commands share.
type Session struct {
	*gotest.Flags
	*Output
	Env     *gotest.Env
	Pkgs    []gotest.Package // with the targets selected
	Dir     string           // of -o, absolute; "" if it is not set
	Seed    uint64
	Verbose bool
	Cached  bool // the engine's cache is part of the corpora

	Tests bool        // tests that call fuzzext.Check are targets, too
	Saved bool        // values that failed in a fuzzext.Check are entries, too
	Files []EntryFile // that the command line names, if it names files

	Tmp    *rundir.Dir // orders, answers, what the go command builds
	kept   gotest.Kept
	Failed bool // an error, or what the user looks for, has been printed
	Served int  // targets that have carried out an order
}

// Run reads a command line, selects targets, and calls do. Define defines the flags that the
// command does not share; check checks their values.
func Run(ctx context.Context, name string, args []string, define func(*Session), check, do func(*Session) error) error {
	s, err := open(ctx, name, args, define, check)
	if err != nil {
		return err
	}
	defer s.close()
	return do(s)
}

func open(ctx context.Context, name string, args []string, define func(*Session), check func(*Session) error) (*Session, error) {
	own := NewFlagSet(name)
	s := &Session{Flags: &gotest.Flags{Own: own}}
	fuzz := own.String("fuzz", ".", "")
	run := own.String("run", ".", "")
	asJSON := own.Bool("json", false, "")
	wd := own.String("C", "", "")
	define(s)
	if err := Parse(s.Flags, args); err != nil {
		return nil, err
	}
	match, err := compile("fuzz", *fuzz)
	if err != nil {
		return nil, err
	}
	top, _, _ := strings.Cut(*run, "/")
	only, err := compile("run", top)
	if err != nil {
		return nil, err
	}
	if s.Env, err = Settle(ctx, s.Flags, *wd); err != nil {
		return nil, err
	}
	if err := check(s); err != nil {
		return nil, err
	}
	if s.Dir != "" {
		if s.Dir, err = filepath.Abs(s.Dir); err != nil {
			return nil, err
		}
	}
	s.Output = NewOutput(*asJSON)
	if len(s.Packages) == 0 {
		s.Packages = []string{"."}
	}
	pkgs, err := gotest.List(ctx, s.Packages, s.BuildFlags()...)
	if err != nil {
		return nil, err
	}
	for i := range pkgs {
		targets := append(pkgs[i].Targets, s.foldersOf(pkgs[i])...)
		for _, c := range pkgs[i].Checks {
			if s.Tests && !slices.Contains(targets, c.Name) {
				targets = append(targets, c.Name)
			}
		}
		pkgs[i].Targets = slices.DeleteFunc(targets, func(name string) bool { return !only.MatchString(testOf(name)) })
	}
	var errs []error
	s.Pkgs, errs = SelectTargets(pkgs, s.Packages, match)
	if s.Files != nil && !slices.ContainsFunc(pkgs, func(p gotest.Package) bool { return p.Err != nil }) {
		errs = nil // readFiles names the files that have no target
	}
	for _, err := range errs {
		s.Complain(err)
	}
	cache, tmp, err := TempDir()
	if err != nil {
		return nil, err
	}
	s.Tmp, s.kept = tmp, KeptBinaries(cache)
	return s, nil
}

// DefineOutput defines the flags of commands that make entries.
func (s *Session) DefineOutput() {
	s.Own.StringVar(&s.Dir, "o", "", "")
	s.Own.Uint64Var(&s.Seed, "seed", 1, "")
	s.DefineVerbose()
}

func (s *Session) close() {
	s.Status("")
	s.Tmp.Remove()
}

// DefineCache defines -cache.
func (s *Session) DefineCache() { s.Own.BoolVar(&s.Cached, "cache", false, "") }

// DefineVerbose defines -v.
func (s *Session) DefineVerbose() { s.Own.BoolVar(&s.Verbose, "v", false, "") }

// List prints the names of files, with -v.
func (s *Session) List(paths []string) {
	for _, path := range paths {
		if s.Verbose {
			s.Printf("\t%s\n", filepath.Base(path))
		}
	}
}

// Complain prints an error. The command goes on, and fails in the end.
func (s *Session) Complain(err error) {
	s.Failed = true
	s.Output.Complain(err)
}

// Note prints what is no error.
func (s *Session) Note(format string, args ...any) {
	s.Warn(fmt.Sprintf("corpusgen: "+format+"\n", args...))
}

// ErrNoTarget says that all targets that are selected are plain.
var ErrNoTarget = errors.New("no target uses fuzzext: write f.Fuzz(fuzzext.Valid(gen, prop))")

// Each calls do for each target, until ctx ends. It returns the error of the command.
func (s *Session) Each(ctx context.Context, do func(context.Context, *Target) error) error {
	plain := 0
	for _, pkg := range s.Pkgs {
		w, err := newWorkshop(s, pkg)
		if err != nil {
			return err
		}
		for _, name := range pkg.Targets {
			t := w.target(name)
			t.Status("starting")
			err := t.checkPlace()
			if err == nil {
				err = do(ctx, t)
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if errors.Is(err, ErrPlain) && t.IsTest() {
				s.Note("%s is left out: it does not call fuzzext.Check, so corpusgen cannot run its generator", t.Label)
				continue
			}
			if errors.Is(err, ErrPlain) {
				plain++
				s.Note("%s is left out: it does not use fuzzext.Valid or fuzzext.Fuzz, so corpusgen cannot run its generator", t.Label)
				continue
			}
			EachError(err, s.Complain)
			if broken := (*BrokenError)(nil); errors.As(err, &broken) {
				break // no other target would run
			}
		}
		w.close()
	}
	switch {
	case s.Served == 0 && plain > 0 && !s.Failed:
		return ErrNoTarget
	case s.Failed:
		return ErrReported
	}
	return nil
}

// A Reason says why nothing becomes of a value.
type Reason struct{ Name, Why string }

// Reasons joins the errors of values. Without -v, those that share a reason are one line.
func (s *Session) Reasons(list []Reason) error {
	sharing := map[string]int{}
	for _, r := range list {
		sharing[r.Why]++
	}
	var errs []error
	for _, r := range list {
		text := r.Name + ": " + strings.TrimRight(r.Why, "\n")
		switch n := sharing[r.Why]; {
		case n == 0:
			continue
		case n > 1 && !s.Verbose:
			sharing[r.Why] = 0
			text += fmt.Sprintf(" (and so for %d more: -v names them)", n-1)
		}
		errs = append(errs, errors.New(text))
	}
	return errors.Join(errs...)
}

// Printf prints a result.
func (s *Session) Printf(format string, args ...any) {
	s.Print(s.Text, fmt.Sprintf(format, args...))
}

// TestFlags returns the flags for the test binary of an order: those of the command line that
// make sense for it. It has the ten minutes of go test, in addition to the time ordered.
func (s *Session) TestFlags(order *job.Order) (flags []string) {
	limit := 10 * time.Minute
	if m := order.Mutate; m != nil {
		limit += m.Limit
	}
	flags = append(flags, "-timeout="+limit.String())
	for _, f := range s.Test {
		switch name, _, _ := strings.Cut(f, "="); name {
		case "-test.short", "-test.timeout", "-test.cpu":
			flags = append(flags, f)
		}
	}
	return flags
}
