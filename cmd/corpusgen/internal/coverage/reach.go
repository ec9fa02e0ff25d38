package coverage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/instrument"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/job"
)

// A reached says what the entries of a corpus reach.
type reached struct {
	Profile Profile
	Result  *gotest.Result // of go test, if the target does not use fuzzext
	Killers []Killer       // entries, of such a target, that are left out
	entries int
}

// MeasureCoverage has the test binary of the package built so that it writes coverage data of
// the packages that the patterns match; see coverPackages.
func MeasureCoverage(
	ctx context.Context, w *session.Workshop, patterns string, all bool,
) error {
	if w.Packages == nil {
		w.Patterns = patterns
		packages, err := coverPackages(ctx, w, patterns, all)
		if err != nil {
			return err
		}
		w.Packages = packages
	}
	w.BuildWith("-cover", "-coverpkg="+strings.Join(w.Packages, ","))
	return nil
}

// coverPackages returns the packages that are covered, for -coverpkg of go test: those that
// the patterns of the user match. The default is the packages of the module that the tests import;
// or all that fuzzing follows, if all is true or the module has only tests. It sets those that the
// tests import from other modules and that are not covered.
func coverPackages(
	ctx context.Context, w *session.Workshop, patterns string, all bool,
) ([]string, error) {
	if patterns != "" {
		return []string{patterns}, nil
	}
	p, err := instrument.List(ctx, []string{w.Package.Path}, w.Session.BuildFlags()...)
	if err != nil {
		return nil, err
	}
	reach := p.Reach()
	followed := reach.Main
	_, w.Imports = p.Followed(instrument.Default(w.Package.Path))
	if all || !p.HasCode(reach.Main) {
		followed, w.Imports = slices.Concat(reach.Main, reach.Others), nil
	}
	if len(followed) == 0 {
		err = fmt.Errorf("%s: there is no code to cover: name packages with -coverpkg", w.Package.Path)
	}
	return followed, err
}

// Reach runs a target on the entries in dirs, and on those that code adds. If there are
// entries that cannot be run, the result is about the others, with an error.
func Reach(ctx context.Context, t *session.Target, dirs ...string) (*reached, error) {
	files, err := t.Files(dirs...)
	if err != nil {
		return nil, err
	}
	order := job.Order{Read: &job.Read{Files: files, Added: true, Run: true}}
	answer, data, err := covered(ctx, t, order)
	if plain := (session.PlainError{}); errors.As(err, &plain) {
		run, err := runPlain(ctx, t, plain, data, dirs)
		if err != nil {
			return nil, err
		}
		return run.reached(t)
	} else if answer == nil || answer.End == nil {
		return nil, err
	}
	// The data of a process that an entry has ended are lost: the others run again.
	var killers []string
	entries := 0
	for _, e := range answer.Entries {
		switch e.Status {
		case job.Fatal:
			killers = append(killers, e.Of)
		case job.Rejected:
			err = errors.Join(err, t.LeftOut(e))
		default:
			entries++
		}
	}
	if len(killers) > 0 {
		for _, name := range killers {
			noteKiller(t, name, "")
		}
		order.Read.Files = slices.DeleteFunc(files, func(path string) bool {
			return slices.Contains(killers, path)
		})
		order.Read.Added = !slices.ContainsFunc(killers, func(name string) bool {
			return strings.HasPrefix(name, "seed#")
		})
		var failed error
		if answer, data, failed = covered(ctx, t, order); answer == nil || answer.End == nil {
			return nil, failed
		}
	}
	profile, failed := readProfile(data)
	if failed != nil {
		return nil, noData(t, failed)
	}
	return &reached{Profile: profile, entries: entries}, err
}

// covered is ask with a new directory for coverage data.
func covered(
	ctx context.Context, t *session.Target, order job.Order,
) (answer *job.Answer, data string, err error) {
	if data, err = rundir.Sub(t.Tmp, "cover"); err != nil {
		return nil, "", err
	}
	t.Args = profileFlags(data) // the go command has a directory of its own, and passes this one on
	answer, err = t.Ask(ctx, order)
	return answer, data, err
}

// reached says what the entries of a target that does not use fuzzext reach.
func (r *plainRun) reached(t *session.Target) (*reached, error) {
	profile, err := readProfile(r.data)
	// says the go command
	if err != nil && strings.Contains(r.Output, "no packages being tested depend on") {
		return nil, noData(t, err)
	} else if err != nil && strings.Contains(r.Output, "coverage: [no statements]") {
		return nil, fmt.Errorf("%s: %w, since there is no code but tests: name packages with -coverpkg",
			t.Label, err)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w:\n%s", t.Label, err, session.Trim(r.Result))
	}
	for _, k := range r.killers {
		noteKiller(t, k.Name, k.Output)
	}
	return &reached{profile, r.Result, r.killers, len(r.Entries)}, nil
}

// noteKiller says that an entry ends the process, and where, if the output of go test tells.
func noteKiller(t *session.Target, name, output string) {
	what, at := "the process ends with it", engine.PlaceOf(output)
	if strings.Contains(output, "SIGQUIT: quit") || strings.Contains(output, "panic: test timed out ") {
		what, at = "it does not return in time", ""
		if function, place := engine.HangPlace(output); place != "" {
			at = place + ", in " + function
		}
	}
	if at != "" {
		at = ", at " + at
	}
	t.Session.Note("%s: not known what %s reaches: %s%s", t.Label, gotest.Short(name), what, at)
}

// noData returns the error of a target that has run, if the coverage data cannot be read.
func noData(t *session.Target, err error) error {
	if errors.Is(err, ErrNone) && t.Patterns != "" {
		return &session.BrokenError{Err: fmt.Errorf("%s: its tests import no package that "+
			"-coverpkg %s matches", t.Package.Path, t.Patterns)}
	}
	return fmt.Errorf("%s: %w", t.Label, err)
}
