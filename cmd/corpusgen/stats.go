package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/stats"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/survey"
	"github.com/espalier-go/espalier/internal/observe"
)

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

// defineMeasure defines the flags that stats and report share.
func defineMeasure(r *stats.Surveyor, s *session.Session) {
	s.Own.IntVar(&r.N, "n", 1000, "")
	s.Own.IntVar(&r.Strength, "t", 2, "")
	s.Own.BoolVar(&r.Cache, "cache", false, "")
	s.Own.Uint64Var(&s.Seed, "seed", 1, "")
	s.Own.StringVar(&r.Observe, "observe", "", "")
	s.Saved = true
}

// checkMeasure checks them.
func checkMeasure(r *stats.Surveyor) (err error) {
	switch {
	case r.N < 0:
		return session.UsageError{Msg: fmt.Sprintf("-n %d: must not be negative", r.N)}
	case r.Strength < 1 || r.Strength > 4:
		return session.UsageError{Msg: fmt.Sprintf("-t %d: must be from 1 to 4", r.Strength)}
	}
	if r.Observe == "" {
		return nil
	}
	if err := observe.Replaceable(r.Observe); err != nil {
		return session.UsageError{Msg: fmt.Sprintf("-observe: %v", err)}
	}
	r.Observe, err = filepath.Abs(r.Observe)
	return err
}

func runStats(ctx context.Context, args []string) error {
	r := &stats.Surveyor{}
	s, err := session.New(ctx, "stats", args, func(s *session.Session) {
		defineMeasure(r, s)
		s.Own.BoolVar(&s.Verbose, "v", false, "")
		s.Own.Func("require", "", func(text string) error {
			q, err := survey.ParseRequirement(text)
			r.Required = append(r.Required, q)
			return err
		})
	}, func(*session.Session) error { return checkMeasure(r) })
	if err != nil {
		return err
	}
	defer s.Close()
	r.Session = s
	return r.PrintAll(ctx)
}
