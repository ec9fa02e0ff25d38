package stats

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverage"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/page"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
)

// maxExample is how many bytes of Go code the page has of a value.
const maxExample = 1500

// maxLines is how many lines of code the page has.
const maxLines = 20_000

// Report is `corpusgen report`.
func Report(ctx context.Context, args []string) error {
	r := newSurveyor("report")
	path := r.Own.String("o", "report.html", "")
	session.DefineForce(r.Own)
	return r.Run(ctx, args, func() (err error) {
		if err := r.check(); err != nil {
			return err
		}
		if err := page.Replaceable(*path, "report"); err != nil {
			return session.Usagef("-o: %v", err)
		}
		*path, err = filepath.Abs(*path)
		return err
	}, func(ctx context.Context) error {
		return r.report(ctx, &Page{Command: "corpusgen report " + strings.Join(args, " ")}, *path)
	})
}

// report measures targets and writes a page about them.
func (r *surveyor) report(ctx context.Context, page *Page, path string) error {
	lines := 0
	err := r.Each(ctx, func(ctx context.Context, t *session.Target) error {
		shown := &Section{ID: len(page.Targets) + 1, Package: t.Package.Path, Name: t.Name}
		gaps, err := r.survey(ctx, t, shown)
		if shown.Survey == nil {
			return err
		}
		page.Targets = append(page.Targets, shown)
		for _, f := range shown.Files {
			if lines += len(f.Lines); f.Reached == 0 || lines > maxLines {
				lines -= len(f.Lines)
				f.Lines = nil
			}
		}
		shown.fail(t, filepath.Dir(path))
		shown.weaken(t, gaps)
		return err
	})
	if ctx.Err() != nil || len(page.Targets) == 0 {
		return err
	}
	if more := page.Write(path); more != nil {
		return errors.Join(err, more)
	}
	problems := 0
	for _, t := range page.Targets {
		problems += len(t.Survey.Problems)
	}
	text := ""
	if problems > 0 {
		text = ": " + session.Count(problems, "entry fails or stands for no value",
			"entries fail or stand for no value")
	}
	r.Printf("%s in %s%s\n", session.Count(len(page.Targets), "target", "targets"),
		gotest.Short(path), text)
	return err
}

// survey measures the values of a target, and its coverage. It returns what is not covered.
func (r *surveyor) survey(
	ctx context.Context, t *session.Target, shown *Section,
) (gaps []coverage.Part, err error) {
	_ = coverage.MeasureCoverage(ctx, t.Workshop, "", false) // without coverage, there is no code but tests
	found, err := r.measure(ctx, t, maxExample)
	shown.Survey = found
	if found == nil || found.Values == 0 && !found.Plain || t.Flags == nil {
		return nil, err
	}
	gaps, failed := shown.cover(ctx, t)
	if errors.Is(failed, coverage.ErrNone) { // there is no code but tests
		failed = nil
	}
	return gaps, errors.Join(err, failed)
}

// cover finds the code that the corpus of a target reaches, and returns what it does not.
func (shown *Section) cover(
	ctx context.Context, t *session.Target,
) (gaps []coverage.Part, err error) {
	reach, err := coverage.Reach(ctx, t, t.Corpora()...)
	if reach == nil {
		return nil, err
	}
	if reach.Result != nil {
		shown.Survey.Problems = plainProblems(t, reach.Result.Output)
		for _, k := range reach.Killers {
			shown.Survey.Problems = append(shown.Survey.Problems,
				plainProblem(t, k.Name, job.Fatal, k.Output))
		}
		shown.Survey.leaveOutProblems()
	}
	shown.Files, gaps, err = coverage.Sources(ctx, t.Session, reach.Profile)
	return gaps, err // entries that are left out stand on the page
}
