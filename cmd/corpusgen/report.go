package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverdata"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/report"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/survey"
)

var _ = register(&command{
	name:    "report",
	summary: "write a page about corpora, to read in a browser",
	usage: `usage: corpusgen report -o report.html [flags] [packages]

Report writes what corpusgen stats measures to one HTML page, with charts,
examples as Go code, and how far the corpus covers the files of the module that
the tests import. The page needs no other file and no network.

For example:

	corpusgen report -o report.html ./...

The flags are:

	-o FILE
		write the page to FILE (default report.html). A file that is
		such a page is replaced, any other is an error
` + measureUsage + sessionUsage + `
The exit status is 1 if something went wrong with a target. The page has what
could be measured.
`,
	run: runReport,
})

// maxExample is how many bytes of Go code the page has of a value.
const maxExample = 1500

func runReport(ctx context.Context, args []string) error {
	r := &surveyor{}
	page := &report.Page{Command: "corpusgen report " + strings.Join(args, " ")}
	path := ""
	s, err := newSession(ctx, "report", args, func(s *session) {
		s.Own.StringVar(&path, "o", "report.html", "")
		r.defineMeasure(s)
	}, func(*session) (err error) {
		if err := r.checkMeasure(); err != nil {
			return err
		}
		if err := report.Replaceable(path); err != nil {
			return usageError{fmt.Sprintf("-o: %v", err)}
		}
		path, err = filepath.Abs(path)
		return err
	})
	if err != nil {
		return err
	}
	defer s.close()
	r.session = s
	err = s.each(ctx, func(ctx context.Context, t *userTarget) error {
		shown := &report.Target{Package: t.pkg.Path, Name: t.name}
		_ = t.measureCoverage(ctx, "") // if it cannot be, there is no code but tests
		found, err := r.measure(ctx, t, maxExample)
		if errors.Is(err, errPlain) {
			var sizes []int
			sizes, err = t.plainSizes(r.cache)
			shown.Plain = true
			found = &survey.Survey{Entries: len(sizes), Bytes: survey.SpreadOf(sizes)}
		}
		if !shown.Plain && found != nil && found.Values > 0 && t.flags != nil {
			files, failed := r.covered(ctx, t)
			if !errors.Is(failed, coverdata.ErrNone) { // there is no code but tests
				err = errors.Join(err, failed)
			}
			shown.Files = files
		}
		if found != nil {
			shown.Survey = found
			page.Targets = append(page.Targets, shown)
		}
		return err
	})
	if ctx.Err() != nil || len(page.Targets) == 0 {
		return err
	}
	if more := page.Write(path); more != nil {
		return errors.Join(err, more)
	}
	s.printf("%s in %s\n", count(len(page.Targets), "target", "targets"), gotest.Short(path))
	return errors.Join(err, r.writeObservations())
}

// covered returns how far the corpus of a target covers files.
func (r *surveyor) covered(ctx context.Context, t *userTarget) (files []report.File, err error) {
	dirs := []string{t.seeds}
	if r.cache {
		dirs = append(dirs, t.cache())
	}
	reach, err := t.reach(ctx, dirs...)
	if reach == nil {
		return nil, err
	}
	for b, n := range reach.profile { // entries that are left out stand on the page
		i := slices.IndexFunc(files, func(f report.File) bool { return f.Name == b.File })
		if i < 0 {
			i, files = len(files), append(files, report.File{Name: b.File})
		}
		files[i].Statements += b.Statements
		if n > 0 {
			files[i].Reached += b.Statements
		}
	}
	slices.SortFunc(files, func(a, b report.File) int { return cmp.Compare(a.Name, b.Name) })
	return files, nil
}
