// Package stats measures corpora beside their generators, for a terminal or a page.
package stats

import (
	"context"
	"errors"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
)

// A surveyor is one run of `corpusgen stats` or `corpusgen report`.
type surveyor struct {
	*session.Session
	random   int // values to compare with
	strength int
	required []Requirement
}

// newSurveyor defines the flags that stats and report share.
func newSurveyor(name string) *surveyor {
	r := &surveyor{Session: session.New(name)}
	r.Own.IntVar(&r.random, "random", 1000, "")
	session.Renamed(r.Own, "n", "random")
	r.Own.IntVar(&r.strength, "t", 2, "")
	r.DefineCache()
	r.Own.Uint64Var(&r.Seed, "seed", 1, "")
	r.Saved = true
	return r
}

// check checks them.
func (r *surveyor) check() error {
	switch {
	case r.random < 0:
		return session.Usagef("-random %d: must not be negative", r.random)
	case r.strength < 1 || r.strength > 4:
		return session.Usagef("-t %d: must be from 1 to 4", r.strength)
	}
	return nil
}

// Stats is `corpusgen stats`.
func Stats(ctx context.Context, args []string) error {
	r := newSurveyor("stats")
	r.DefineVerbose()
	r.Own.Func("require", "", func(text string) error {
		q, err := ParseRequirement(text)
		r.required = append(r.required, q)
		return err
	})
	return r.RunEach(ctx, args, r.check, r.stats)
}

// stats measures a target and prints what it finds.
func (r *surveyor) stats(ctx context.Context, t *session.Target) error {
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
	for _, q := range r.required {
		m := q.Measure(found)
		e.Required = append(e.Required, m)
		r.Printf("    %v\n", m)
		if m.Unknown {
			kind := "tag"
			if q.Label {
				kind = "label"
			}
			r.Note("%s: -require %s: the %s %q is in none of %s and %s: is it misspelled?", t.Label,
				q.Text, kind, q.Name,
				session.Count(found.Values, "value of the corpus", "values of the corpus"),
				session.Count(found.Random.Values, "random value", "random values"))
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
func (r *surveyor) measure(ctx context.Context, t *session.Target, values int) (*Survey, error) {
	files, err := t.Files(t.Corpora()...)
	if err != nil {
		return nil, err
	}
	answer, err := t.Ask(ctx, job.Order{
		Seed: r.Seed,
		Read: &job.Read{
			Files:  files,
			Added:  true,
			Draw:   r.random,
			Run:    true,
			Trees:  true,
			Values: values,
		},
	})
	if errors.Is(err, session.ErrPlain) {
		return plainSurvey(t)
	}
	if len(answer.Entries) == 0 && err != nil {
		return nil, err
	}
	found := newSurvey(answer.Entries, r.strength)
	if r.random > 0 && found.Random.Made < r.random && err == nil {
		r.Note("%s: %d random values instead of %d: they are large; bigen.Recursive keeps the "+
			"values of a recursive generator near a size", t.Label, found.Random.Made, r.random)
	}
	return found, err
}

// plainSurvey measures the files in the corpus of a target that does not use fuzzext.
func plainSurvey(t *session.Target) (*Survey, error) {
	paths, err := t.Files(t.Corpora()...)
	var sizes []int
	var shortest []*job.Entry
	for _, path := range paths {
		var args []any
		text, failed := corpus.ReadFile(path)
		if failed == nil {
			args, failed = corpus.UnmarshalArgs(text)
		}
		if failed != nil {
			err = errors.Join(err, t.LeftOut(job.Entry{Of: path, Why: failed.Error()}))
			continue
		}
		sizes = append(sizes, corpus.Size(args))
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
