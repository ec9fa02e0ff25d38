package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/survey"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/observe"
)

// measureUsage describes the flags that stats and report share.
const measureUsage = `	-n N
		compare with N values that the generator makes at random, by its
		own weights (default 1000; 0 for none). Fewer are made if they
		have more than 524288 choices in all
	-t T
		count combinations of up to T choices, from 1 to 4 (default 2)
	-cache
		measure also the entries in the engine's cache
	-seed S
		start the random stream at S (default 1)
	-observe FILE
		write what the property says of each value to FILE, as
		observations in Hypothesis's format, which Tyche reads
`

var _ = register(&command{
	name:    "stats",
	summary: "measure corpora beside their generators",
	usage: `usage: corpusgen stats [flags] [packages]

Stats prints, for each fuzz target, what its corpus has: the entries in
testdata/fuzz/FuzzXxx and the values that code adds by fuzzext.Add, but not
those that fuzzext.Fuzz chooses by itself. Beside it stands the same of values
that the generator makes at random.

	values   what the property says of the entries. The lines below count
	         those that it assumes
	bytes, choices
	         how large they are
	label    the share of values that the property gives a label (T.Label)
	tag      the share of values that have a choice, and its share of all
	         choices, with the ratio of these. A choice is the tag of a pick,
	         a number or the length of a text; above 15, its powers of two.
	         Those that deviate least by chance come first
	T-way    combinations of T choices, with how they are placed, that the
	         corpus covers, and those that it lacks of the random values. So
	         node(1: leaf) is a leaf somewhere in part 1 of a node, and
	         _(0: 6, 1: 4) a 6 in part 0 and a 4 in part 1 of a choice
	idle     entries that add no combination to those of the others
	equal    entries that stand for the same value as an earlier one
	near     entries that differ from an earlier one in one part of at most
	         two choices. Values of fewer than 8 choices do not count

Entries that fail, or that stand for no value, come first. Targets that do not
use fuzzext have entries and sizes only.
` + savedUsage + `
For example:

	corpusgen stats ./...
	corpusgen stats -require 'node>=20%' -require 'label:empty<5%'

The flags are:

` + measureUsage + `	-require SHARE
		fail unless the share is met for each target that is selected;
		may be given several times. 'TAG>=P%' demands that P percent of
		the values of the corpus that the property assumes have a choice
		of the tag, at least once. 'label:NAME>=P%' demands that of the
		label. Also with >, <= or <. A tag or label that no value has is
		noted
	-v
		print all tags, and up to 1000 combinations that the corpus
		lacks, instead of ten
` + sessionUsage + `
The exit status is 1 if something went wrong with a target, or a required share
is missed. It is 0 if there are entries that fail or stand for no value.
`,
	run: runStats,
})

// A surveyor is one run of `corpusgen stats` or `corpusgen report`.
type surveyor struct {
	*session
	n        int
	strength int
	cache    bool
	required []survey.Requirement
	observe  string // absolute path; "" for none

	observations []observe.Observation
}

// defineMeasure defines the flags that stats and report share.
func (r *surveyor) defineMeasure(s *session) {
	s.Own.IntVar(&r.n, "n", 1000, "")
	s.Own.IntVar(&r.strength, "t", 2, "")
	s.Own.BoolVar(&r.cache, "cache", false, "")
	s.Own.Uint64Var(&s.seed, "seed", 1, "")
	s.Own.StringVar(&r.observe, "observe", "", "")
	s.saved = true
}

// checkMeasure checks them.
func (r *surveyor) checkMeasure() (err error) {
	switch {
	case r.n < 0:
		return usageError{fmt.Sprintf("-n %d: must not be negative", r.n)}
	case r.strength < 1 || r.strength > 4:
		return usageError{fmt.Sprintf("-t %d: must be from 1 to 4", r.strength)}
	}
	if r.observe == "" {
		return nil
	}
	if err := observe.Replaceable(r.observe); err != nil {
		return usageError{fmt.Sprintf("-observe: %v", err)}
	}
	r.observe, err = filepath.Abs(r.observe)
	return err
}

func runStats(ctx context.Context, args []string) error {
	r := &surveyor{}
	s, err := newSession(ctx, "stats", args, func(s *session) {
		r.defineMeasure(s)
		s.Own.BoolVar(&s.v, "v", false, "")
		s.Own.Func("require", "", func(text string) error {
			q, err := survey.ParseRequirement(text)
			r.required = append(r.required, q)
			return err
		})
	}, func(*session) error { return r.checkMeasure() })
	if err != nil {
		return err
	}
	defer s.close()
	r.session = s
	err = s.each(ctx, r.stats)
	return errors.Join(err, r.writeObservations())
}

// stats measures a target and prints what it finds.
func (r *surveyor) stats(ctx context.Context, t *userTarget) error {
	found, err := r.measure(ctx, t, 0)
	if errors.Is(err, errPlain) {
		sizes, err := t.plainSizes(r.cache)
		if sizes == nil && err != nil {
			return err
		}
		r.printf("%s", plainText(t, sizes))
		r.emit(statsEvent{event: t.event("stats"), Plain: true, Stats: &survey.Survey{Entries: len(sizes), Bytes: survey.SpreadOf(sizes)}})
		return err
	}
	if found == nil {
		return err
	}
	r.printf("%s", statsText(t.label, found, r.v))
	e := statsEvent{event: t.event("stats"), Stats: found}
	for _, q := range r.required {
		m := q.Measure(found)
		e.Required = append(e.Required, m)
		r.printf("    %v\n", m)
		if m.Unknown {
			kind := "tag"
			if q.Label {
				kind = "label"
			}
			r.note("%s: -require %s: the %s %q is in none of %s and %s: is it misspelled?", t.label, q.Text, kind, q.Name,
				count(found.Values, "value of the corpus", "values of the corpus"), count(found.Random.Values, "random value", "random values"))
		}
		if !m.Met {
			r.failed = true
		}
	}
	r.emit(e)
	return err
}

// measure reads the corpus of a target, with values as Go code of at most so many bytes. Even
// with an error, it returns what it has found, if that is anything.
func (r *surveyor) measure(ctx context.Context, t *userTarget, values int) (*survey.Survey, error) {
	files, err := t.allFiles(r.cache)
	if err != nil {
		return nil, err
	}
	if r.observe != "" {
		values = max(values, maxShown)
	}
	start := float64(time.Now().UnixMilli()) / 1000
	answer, err := t.ask(ctx, job.Order{Seed: r.seed, Read: &job.Read{Files: files, Added: true, Draw: r.n, Run: true, Trees: true, Values: values}})
	if errors.Is(err, errPlain) || len(answer.Entries) == 0 && err != nil {
		return nil, err
	}
	if r.observe != "" {
		for _, e := range answer.Entries {
			o := observe.Of(t.label, start, e.Status, e.Why, e.Value, choices.Tree(e.Tree), len(e.Data), e.Labels)
			o.HowGenerated = "corpus entry " + survey.Name(&e)
			if e.Drawn {
				o.HowGenerated = "generated at random"
			}
			r.observations = append(r.observations, o)
		}
	}
	found := survey.New(answer.Entries, r.strength)
	if r.n > 0 && found.Random.Made < r.n && err == nil {
		r.note("%s: %d random values instead of %d: they are large; bigen.Recursive keeps those of a recursive generator near a size", t.label, found.Random.Made, r.n)
	}
	return found, err
}

func (r *surveyor) writeObservations() error {
	if r.observe == "" {
		return nil
	}
	return observe.Write(r.observe, r.observations)
}

// allFiles returns the paths of the files in the corpus, also those that are no entries.
func (t *userTarget) allFiles(cache bool) (paths []string, err error) {
	dirs := []string{t.seeds}
	if cache {
		dirs = append(dirs, t.cache())
	}
	for _, dir := range dirs {
		if err := corpus.Check(dir); err != nil {
			return nil, fmt.Errorf("%s: %w", t.label, err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil && !os.IsNotExist(err) {
			return nil, fmt.Errorf("%s: %w", t.label, err)
		}
		for _, e := range entries {
			if e.IsDir() {
				continue
			}
			path, err := filepath.Abs(filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// plainSizes returns the sizes of the files in the corpus of a target that does not use
// fuzzext.
func (t *userTarget) plainSizes(cache bool) (sizes []int, err error) {
	paths, err := t.allFiles(cache)
	for _, path := range paths {
		info, failed := os.Stat(path)
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("%s: an entry is left out: %w", t.label, failed))
			continue
		}
		sizes = append(sizes, int(info.Size()))
	}
	return sizes, err
}

type statsEvent struct {
	event
	Plain    bool `json:",omitempty"` // the target does not use fuzzext
	Stats    *survey.Survey
	Required []survey.Measured `json:",omitempty"`
}
