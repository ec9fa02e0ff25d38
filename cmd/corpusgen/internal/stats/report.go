package stats

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverage"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// maxExample is how many bytes of Go code the page has of a value.
const maxExample = 1500

// Report measures targets and writes a page about them.
func (r *Surveyor) Report(ctx context.Context, page *Page, path string) error {
	err := r.Each(ctx, func(ctx context.Context, t *session.Target) error {
		shown := &Target{Package: t.Package.Path, Name: t.Name}
		_ = coverage.MeasureCoverage(ctx, t.Workshop, "") // if it cannot be, there is no code but tests
		found, err := r.measure(ctx, t, maxExample)
		if found != nil && found.Values > 0 && t.Flags != nil {
			files, failed := r.covered(ctx, t)
			if !errors.Is(failed, coverage.ErrNone) { // there is no code but tests
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
	r.Printf("%s in %s\n", session.Count(len(page.Targets), "target", "targets"), gotest.Short(path))
	return errors.Join(err, r.writeObservations())
}

// covered returns how far the corpus of a target covers files.
func (r *Surveyor) covered(ctx context.Context, t *session.Target) (files []File, err error) {
	dirs := t.Corpora()
	reach, err := coverage.Reach(ctx, t, dirs...)
	if reach == nil {
		return nil, err
	}
	for b, n := range reach.Profile { // entries that are left out stand on the page
		i := slices.IndexFunc(files, func(f File) bool { return f.Name == b.File })
		if i < 0 {
			i, files = len(files), append(files, File{Name: b.File})
		}
		files[i].Statements += b.Statements
		if n > 0 {
			files[i].Reached += b.Statements
		}
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return files, nil
}
