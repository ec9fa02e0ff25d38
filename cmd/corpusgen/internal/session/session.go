// Package session is what the commands of corpusgen share that select fuzz targets: the flags, the
// targets, where they print, and the one way to ask a generator. A generator
// lives in a _test.go file, so only the package's test binary can run it: [Target.Ask] hands it one
// order and returns one answer.
//
//	s := session.New("seed")
//	n := s.Own.Int("n", 100, "")
//	return s.RunEach(ctx, args, nil, func(ctx context.Context, t *session.Target) error {
//		answer, err := t.Ask(ctx, job.Order{Make: &job.Make{N: *n}})
//		...
//	})
package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
	"github.com/espalier-go/espalier/internal/job"
)

// A Session is one run of a command that selects fuzz targets. It has the flags that these
// commands share.
type Session struct {
	*gotest.Flags
	*Output
	Env     *gotest.Env
	Listed  []gotest.Package // all that the command line names
	Pkgs    []gotest.Package // with the targets selected
	Match   *regexp.Regexp   // of -fuzz
	Dir     string           // of -o, absolute; "" if it is not set
	Seed    uint64
	Verbose bool
	Cached  bool // the engine's cache is part of the corpora
	AsJSON  bool

	// Tests says that tests that call fuzzext.Check are targets, too, and one that is named
	// exactly: it may call Check by another package.
	Tests bool
	Saved bool        // values that failed in a fuzzext.Check are entries, too
	Files []EntryFile // that the command line names, if it names files

	Cache  string      // directory of files for later runs
	Tmp    *rundir.Dir // orders, answers, what the go command builds
	Kept   gotest.Kept
	Failed bool // an error, or what the user looks for, has been printed
	Served int  // targets that have carried out an order

	fuzz, run, wd string // of -fuzz, -run and -C
}

// New returns the session of a command that asks generators, with the flags that all of them have.
func New(name string) *Session {
	s := NewBuild(name)
	s.Own.StringVar(&s.run, "run", ".", "")
	s.Own.BoolVar(&s.AsJSON, "json", false, "")
	return s
}

// NewBuild returns the session of a command that builds targets. Its -run, if any, means what it
// means to go test.
func NewBuild(name string) *Session {
	s := &Session{Flags: &gotest.Flags{Own: NewFlagSet(name)}, run: "."}
	s.Own.StringVar(&s.fuzz, "fuzz", ".", "")
	s.Own.StringVar(&s.wd, "C", "", "")
	return s
}

// Run reads a command line, selects targets, and calls do. Check checks the values of the flags
// that the command does not share; nil checks nothing.
func (s *Session) Run(
	ctx context.Context, args []string, check func() error, do func(context.Context) error,
) error {
	if err := s.open(ctx, args, check); err != nil {
		return err
	}
	defer s.close()
	return do(ctx)
}

// RunEach is Run for a command that does the same for each target.
func (s *Session) RunEach(
	ctx context.Context, args []string, check func() error, do func(context.Context, *Target) error,
) error {
	return s.Run(ctx, args, check, func(ctx context.Context) error { return s.Each(ctx, do) })
}

func (s *Session) open(ctx context.Context, args []string, check func() error) (err error) {
	if err := Parse(s.Flags, args); err != nil {
		return err
	}
	if s.Match, err = compile("fuzz", s.fuzz); err != nil {
		return err
	}
	top, _, _ := strings.Cut(s.run, "/")
	only, err := compile("run", top)
	if err != nil {
		return err
	}
	if s.Env, err = Settle(ctx, s.Flags, s.wd); err != nil {
		return err
	}
	if check != nil {
		if err := check(); err != nil {
			return err
		}
	}
	if s.Dir != "" {
		if s.Dir, err = filepath.Abs(s.Dir); err != nil {
			return err
		}
	}
	s.Output = NewOutput(s.AsJSON)
	if err := s.list(ctx, only); err != nil {
		return err
	}
	if s.Cache, s.Tmp, err = TempDir(); err != nil {
		return err
	}
	s.Kept = gotest.Kept(filepath.Join(s.Cache, "binary"))
	return nil
}

// list lists the packages, and selects targets. It prints what cannot be selected.
func (s *Session) list(ctx context.Context, only *regexp.Regexp) (err error) {
	if len(s.Packages) == 0 {
		s.Packages = []string{"."}
	}
	if s.Listed, err = gotest.List(ctx, s.Packages, s.BuildFlags()...); err != nil {
		return err
	}
	for i := range s.Listed {
		pkg := &s.Listed[i]
		pkg.Targets = slices.DeleteFunc(s.targetsOf(pkg), func(name string) bool {
			return !only.MatchString(testOf(name))
		})
	}
	var errs []error
	s.Pkgs, errs = SelectTargets(s.Listed, s.Packages, s.Match)
	isBroken := func(p gotest.Package) bool { return p.Err != nil }
	if s.Files != nil && !slices.ContainsFunc(s.Listed, isBroken) {
		return nil // ReadFiles names the files that have no target
	}
	for _, err := range errs {
		s.Complain(err)
	}
	return nil
}

// exact returns the regular expression by which a user names a test exactly.
func exact(test string) string { return "^" + test + "$" }

// Labels names the targets that are selected.
func (s *Session) Labels() (labels []string) {
	for _, pkg := range s.Pkgs {
		for _, name := range pkg.Targets {
			labels = append(labels, pkg.Path+" "+name)
		}
	}
	return labels
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

// Complain prints an error. The command continues, and fails in the end.
func (s *Session) Complain(err error) {
	s.Failed = true
	s.Output.Complain(err)
}

// Note prints what is not an error.
func (s *Session) Note(format string, args ...any) {
	s.Warn(fmt.Sprintf("corpusgen: "+format+"\n", args...))
}

// targetsOf returns the names of the targets of a package, with the tests that are targets of the
// session.
func (s *Session) targetsOf(pkg *gotest.Package) []string {
	targets := append(pkg.Targets, s.foldersOf(*pkg)...)
	for _, c := range pkg.Checks {
		if s.Tests && (c.Calls || s.fuzz == exact(c.Name) || s.run == exact(c.Name)) &&
			!slices.Contains(targets, c.Name) {
			targets = append(targets, c.Name)
		}
	}
	return targets
}

// ErrNoTarget says that all targets that are selected are plain.
var ErrNoTarget = errors.New("no target uses fuzzext: write f.Fuzz(fuzzext.Valid(gen, prop))")

// Each calls do for each target, until ctx ends. It returns the error of the command.
func (s *Session) Each(ctx context.Context, do func(context.Context, *Target) error) error {
	var plain []*Target
	for _, pkg := range s.Pkgs {
		w, err := newWorkshop(s, pkg)
		if err != nil {
			return err
		}
		n, err := w.each(ctx, do)
		if plain = append(plain, n...); err != nil {
			return err
		}
		w.close()
	}
	switch n := s.tellLeftOut(plain); {
	case s.Served == 0 && n > 0 && !s.Failed:
		return ErrNoTarget
	case s.Failed:
		return ErrReported
	}
	return nil
}

// each calls do for each target of a package, and prints errors. It returns the targets that are left
// out because they do not use fuzzext.
func (w *Workshop) each(
	ctx context.Context, do func(context.Context, *Target) error,
) (plain []*Target, err error) {
	for _, name := range w.Package.Targets {
		t := w.target(name)
		t.Status("starting")
		err := t.checkPlace()
		if err == nil {
			err = do(ctx, t)
		}
		if ctx.Err() != nil {
			return plain, context.Cause(ctx)
		}
		if errors.Is(err, ErrPlain) {
			plain = append(plain, t)
			continue
		}
		EachError(err, w.Session.Complain)
		if broken := (*BrokenError)(nil); errors.As(err, &broken) {
			return plain, nil // no other target would run
		}
	}
	return plain, nil
}

// tellLeftOut names the targets that do not use fuzzext, of each kind in a line. It returns how many
// fuzz targets these are.
func (s *Session) tellLeftOut(targets []*Target) (plain int) {
	for _, kind := range []struct {
		tests bool
		lack  string
	}{{false, "use fuzzext.Valid or fuzzext.Fuzz"}, {true, "call fuzzext.Check"}} {
		var labels []string
		for _, t := range targets {
			if t.IsTest() == kind.tests {
				labels = append(labels, t.Label)
			}
		}
		switch n := len(labels); {
		case n == 1:
			s.Note("%s is left out: it does not %s, so corpusgen cannot run its generator", labels[0],
				kind.lack)
		case n > 1:
			s.Note("%d targets are left out: they do not %s, so corpusgen cannot run their "+
				"generators: %s", n, kind.lack, Names(labels, s.Verbose))
		}
		if !kind.tests {
			plain = len(labels)
		}
	}
	return plain
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

// TestFlags returns the flags for the test binary of an order: the flags of the command line that
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
