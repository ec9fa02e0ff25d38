package main

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

// A session is one run of a command that asks the generators of fuzz targets. It has the
// flags that these commands share.
type session struct {
	*gotest.Flags
	*output
	env  *gotest.Env
	pkgs []gotest.Package // with the targets selected
	dir  string           // of -o, absolute; "" if it is not set
	seed uint64
	v    bool

	tests bool        // tests that call fuzzext.Check are targets, too
	saved bool        // values that failed in a fuzzext.Check are entries, too
	files []entryFile // that the command line names, if it names files

	tmp    *rundir.Dir // orders, answers, what the go command builds
	kept   gotest.Kept
	failed bool // an error, or what the user looks for, has been printed
	served int  // targets that have carried out an order
}

// sessionUsage describes the flags that all sessions have.
const sessionUsage = `	-fuzz regexp
		use the targets whose names match, unanchored as in go test
		(default all). So does -run
	-json
		print one JSON object per line to standard output and
		everything else to standard error
	-C dir
		change to dir before anything else

The flags of go test that build packages (-tags, -race, -mod and so on), -short
and -timeout mean what they mean there, also in GOFLAGS. Targets that do not use
fuzzext are named and left out, unless the text above says that they take part.
`

// newSession reads a command line and selects targets. Define defines the flags that the
// command does not share; check checks their values. The caller must close the session.
func newSession(ctx context.Context, name string, args []string, define func(*session), check func(*session) error) (*session, error) {
	own := newFlagSet(name)
	s := &session{Flags: &gotest.Flags{Own: own}}
	fuzz := own.String("fuzz", ".", "")
	run := own.String("run", ".", "")
	asJSON := own.Bool("json", false, "")
	wd := own.String("C", "", "")
	define(s)
	if err := parse(s.Flags, args); err != nil {
		return nil, err
	}
	match, err := regexp.Compile(*fuzz)
	if err != nil {
		return nil, usageError{fmt.Sprintf("-fuzz is not a regular expression: %v", err)}
	}
	top, _, _ := strings.Cut(*run, "/")
	only, err := regexp.Compile(top)
	if err != nil {
		return nil, usageError{fmt.Sprintf("-run is not a regular expression: %v", err)}
	}
	if s.env, err = settle(ctx, s.Flags, *wd); err != nil {
		return nil, err
	}
	if err := check(s); err != nil {
		return nil, err
	}
	if s.dir != "" {
		if s.dir, err = filepath.Abs(s.dir); err != nil {
			return nil, err
		}
	}
	s.output = newOutput(*asJSON)
	if len(s.Packages) == 0 {
		s.Packages = []string{"."}
	}
	pkgs, err := gotest.List(ctx, s.Packages, s.BuildFlags()...)
	if err != nil {
		return nil, err
	}
	s.addSaved(pkgs)
	for i := range pkgs {
		for _, c := range pkgs[i].Checks {
			if s.tests && !slices.Contains(pkgs[i].Targets, c.Name) {
				pkgs[i].Targets = append(pkgs[i].Targets, c.Name)
			}
		}
	}
	for i := range pkgs {
		pkgs[i].Targets = slices.DeleteFunc(pkgs[i].Targets, func(name string) bool { return !only.MatchString(name) })
	}
	var errs []error
	s.pkgs, errs = selectTargets(pkgs, s.Packages, match)
	if s.files != nil && !slices.ContainsFunc(pkgs, func(p gotest.Package) bool { return p.Err != nil }) {
		errs = nil // readFiles names the files that have no target
	}
	for _, err := range errs {
		s.complain(err)
	}
	s.unfoldSaved(s.pkgs)
	cache, tmp, err := tempDir()
	if err != nil {
		return nil, err
	}
	s.tmp, s.kept = tmp, keptBinaries(cache)
	return s, nil
}

// defineOutput defines the flags of commands that make entries.
func (s *session) defineOutput() {
	s.Own.StringVar(&s.dir, "o", "", "")
	s.Own.Uint64Var(&s.seed, "seed", 1, "")
	s.Own.BoolVar(&s.v, "v", false, "")
}

func (s *session) close() {
	s.status("")
	s.tmp.Remove()
}

// complain prints an error. The command goes on, and fails in the end.
func (s *session) complain(err error) {
	s.failed = true
	s.output.complain(err)
}

// note prints what is no error.
func (s *session) note(format string, args ...any) {
	s.warn(fmt.Sprintf("corpusgen: "+format+"\n", args...))
}

// each calls do for each target, until ctx ends. It returns the error of the command.
func (s *session) each(ctx context.Context, do func(context.Context, *userTarget) error) error {
	plain := 0
	for _, pkg := range s.pkgs {
		w, err := newWorkshop(s, pkg)
		if err != nil {
			return err
		}
		for _, name := range pkg.Targets {
			t := w.target(name)
			t.status("starting")
			err := do(ctx, t)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if errors.Is(err, errPlain) && t.isTest() {
				s.note("%s is left out: it does not call fuzzext.Check, so corpusgen cannot run its generator", t.label)
				continue
			}
			if errors.Is(err, errPlain) {
				plain++
				s.note("%s is left out: it does not use fuzzext.Valid or fuzzext.Fuzz, so corpusgen cannot run its generator", t.label)
				continue
			}
			eachError(err, s.complain)
			if broken := (*brokenError)(nil); errors.As(err, &broken) {
				break // no other target would run
			}
		}
		w.close()
	}
	switch {
	case s.served == 0 && plain > 0 && !s.failed:
		return errors.New("no target uses fuzzext: write f.Fuzz(fuzzext.Valid(gen, prop))")
	case s.failed:
		return errReported
	}
	return nil
}

// A reason says why nothing becomes of a value.
type reason struct{ name, why string }

// reasons joins the errors of values. Without -v, those that share a reason are one line.
func (s *session) reasons(list []reason) error {
	sharing := map[string]int{}
	for _, r := range list {
		sharing[r.why]++
	}
	var errs []error
	for _, r := range list {
		text := r.name + ": " + strings.TrimRight(r.why, "\n")
		switch n := sharing[r.why]; {
		case n == 0:
			continue
		case n > 1 && !s.v:
			sharing[r.why] = 0
			text += fmt.Sprintf(" (and so for %d more: -v names them)", n-1)
		}
		errs = append(errs, errors.New(text))
	}
	return errors.Join(errs...)
}

// printf prints a result.
func (s *session) printf(format string, args ...any) {
	s.print(s.text, fmt.Sprintf(format, args...))
}

// testFlags returns the flags for the test binary of an order: those of the command line that
// make sense for it. It has the ten minutes of go test, in addition to the time ordered.
func (s *session) testFlags(order *job.Order) (flags []string) {
	limit := 10 * time.Minute
	if m := order.Mutate; m != nil && !m.Until.IsZero() {
		limit += time.Until(m.Until)
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
