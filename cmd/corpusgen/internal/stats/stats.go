// Package stats measures corpora beside their generators, for a terminal or a page.
package stats

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
)

// A Surveyor is one run of `corpusgen stats` or `corpusgen report`.
type Surveyor struct {
	*session.Session
	N        int
	Strength int
	Required []Requirement
}

// PrintAll measures targets and prints what it finds.
func (r *Surveyor) PrintAll(ctx context.Context) error {
	return r.Each(ctx, r.stats)
}

// stats measures a target and prints what it finds.
func (r *Surveyor) stats(ctx context.Context, t *session.Target) error {
	found, err := r.measure(ctx, t, 0)
	if found == nil {
		return err
	}
	if found.Plain {
		r.Printf("%s", plainText(t, found))
		r.Emit(StatsEvent{Head: t.Head("stats"), Plain: true, Stats: found})
		return err
	}
	r.Printf("%s", statsText(t.Label, found, r.Verbose))
	e := StatsEvent{Head: t.Head("stats"), Stats: found}
	for _, q := range r.Required {
		m := q.Measure(found)
		e.Required = append(e.Required, m)
		r.Printf("    %v\n", m)
		if m.Unknown {
			kind := "tag"
			if q.Label {
				kind = "label"
			}
			r.Note("%s: -require %s: the %s %q is in none of %s and %s: is it misspelled?", t.Label, q.Text, kind, q.Name,
				session.Count(found.Values, "value of the corpus", "values of the corpus"), session.Count(found.Random.Values, "random value", "random values"))
		}
		if !m.Met {
			r.Failed = true
		}
	}
	r.Emit(e)
	return err
}

// measure reads the corpus of a target, with values as Go code of at most so many bytes. Even
// with an error, it returns what it has found, if that is anything.
func (r *Surveyor) measure(ctx context.Context, t *session.Target, values int) (*Survey, error) {
	files, err := allFiles(t)
	if err != nil {
		return nil, err
	}
	answer, err := t.Ask(ctx, job.Order{Seed: r.Seed, Read: &job.Read{Files: files, Added: true, Draw: r.N, Run: true, Trees: true, Values: values}})
	if errors.Is(err, session.ErrPlain) {
		return plainSurvey(t)
	}
	if len(answer.Entries) == 0 && err != nil {
		return nil, err
	}
	found := newSurvey(answer.Entries, r.Strength)
	if r.N > 0 && found.Random.Made < r.N && err == nil {
		r.Note("%s: %d random values instead of %d: they are large; bigen.Recursive keeps those of a recursive generator near a size", t.Label, found.Random.Made, r.N)
	}
	return found, err
}

// allFiles returns the paths of the files in the corpus, also those that are no entries.
func allFiles(t *session.Target) (paths []string, err error) {
	if err := t.Check(t.Corpora()...); err != nil {
		return nil, err
	}
	paths, err = session.FilesIn(t.Corpora()...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Label, err)
	}
	for i := range paths {
		if paths[i], err = filepath.Abs(paths[i]); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// plainSurvey measures the files in the corpus of a target that does not use fuzzext.
func plainSurvey(t *session.Target) (*Survey, error) {
	paths, err := allFiles(t)
	var sizes []int
	var shortest []*job.Entry
	for _, path := range paths {
		text, failed := os.ReadFile(path)
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("%s: an entry is left out: %w", t.Label, failed))
			continue
		}
		sizes = append(sizes, len(text))
		shortest = append(shortest, &job.Entry{Of: path, Data: text, Value: plainValue(text)})
		if len(shortest) > 2*fewSmallest {
			shortest = smallest(shortest, fewSmallest)
		}
	}
	if sizes == nil && err != nil {
		return nil, err
	}
	return &Survey{Plain: true, Entries: len(sizes), Bytes: spreadOf(sizes), corpus: shortest}, err
}

type StatsEvent struct {
	session.Head
	Plain    bool `json:",omitempty"` // the target does not use fuzzext
	Stats    *Survey
	Required []Measured `json:",omitempty"`
}
