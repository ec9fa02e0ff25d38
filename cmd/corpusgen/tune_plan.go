package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/bigen/tune/minimize"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/goal"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
)

// A plan is how a goal becomes a model of one target.
type plan struct {
	*job.Tune
	predicted map[string]float64 // how often each tag will occur; nil if unknown
	cost      float64            // how far that is from the goal
	stateful  string             // why it is unknown
}

// plan returns the plan for a target.
func (r *tuner) plan(ctx context.Context, t *session.Target, dir string) (*plan, error) {
	p := &plan{Tune: &job.Tune{
		Rounds:    r.rounds,
		Values:    r.n,
		Limit:     r.limit,
		Tolerance: r.tolerance / 100,
		Share:     r.share / 100,
		Seconds:   r.time.Seconds(),
		Measure:   described,
		Result:    filepath.Join(dir, "tuned.json"),
	}}
	var err error
	switch r.goal.Kind {
	case goal.Measures:
		p.Objectives = r.goal.Objectives
		if r.goal.Various {
			p.Maximize = string(goal.Entropy)
		}
	case goal.Like, goal.Unlike:
		p.Unlike = r.goal.Kind == goal.Unlike
		p.Like, err = examples(t, r.goal.Names)
	case goal.Entropy, goal.ValidEntropy:
		p.Maximize = string(r.goal.Kind)
	default:
		err = r.weigh(ctx, t, p)
	}
	return p, err
}

// examples returns the paths of the files that names stand for: files, or directories of them.
func examples(t *session.Target, names []string) (paths []string, err error) {
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, fmt.Errorf("examples: %w", err)
		}
		if !info.IsDir() {
			path, err := filepath.Abs(name)
			if err != nil {
				return nil, err
			}
			paths = append(paths, path)
			continue
		}
		files, err := t.Files(name)
		if err != nil {
			return nil, err
		}
		paths = append(paths, files...)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: there are no examples in %s", t.Label, strings.Join(names, " "))
	}
	return paths, nil
}

// weigh finds weights for a goal about how often tags occur: by the branching process of the
// generator or, if it has none, by a search.
func (r *tuner) weigh(ctx context.Context, t *session.Target, p *plan) error {
	result, err := tune(ctx, t, r.Seed, job.Tune{Grammar: true, Result: p.Result})
	if err != nil {
		return err
	}
	if p.stateful = result.Stateful; p.stateful != "" {
		return r.weighByValues(ctx, t, p)
	}
	var g predict.Grammar
	if err := g.UnmarshalJSON(result.Grammar); err != nil {
		return err
	}
	size := max(1, int(r.goal.Size))
	found, err := minimize.Weights(&g, r.cost(size))
	if err != nil {
		return fmt.Errorf("%s: %s", t.Label, strings.TrimPrefix(err.Error(), "predict: "))
	}
	p.cost = found.Cost
	weighed := g.With(found.Weights)
	if p.Given, err = weighed.Model(size).MarshalJSON(); err != nil {
		return err
	}
	p.predicted = map[string]float64{}
	for _, c := range weighed.Expect(size) {
		p.predicted[c.Tag] += c.Mean
	}
	return nil
}

func (r *tuner) cost(size int) predict.Cost {
	switch r.goal.Kind {
	case goal.Weighted:
		return predict.Weighted(r.goal.Weights, size)
	case goal.Only:
		return predict.Only(size, r.goal.Names...)
	case goal.Without:
		return predict.Without(size, r.goal.Names...)
	}
	return predict.Uniform(size)
}

// weighByValues plans for a generator whose numbers of tags cannot be computed: the tags to be left
// out are, and for others values are searched that have each as often as the goal says.
func (r *tuner) weighByValues(ctx context.Context, t *session.Target, p *plan) error {
	switch r.goal.Kind {
	case goal.Only:
		p.Keep = r.goal.Names
		return nil
	case goal.Without:
		p.Exclude = r.goal.Names
		return nil
	}
	wanted := map[string]float64{}
	for tag, weight := range r.goal.Weights {
		wanted[tag] = weight * r.goal.Size
	}
	if r.goal.Kind == goal.Uniform {
		order := *p.Tune
		order.Given, order.Measure = []byte(`{"format":"espalier model","version":1,"points":[]}`), 200
		result, err := tune(ctx, t, r.Seed, order)
		if err != nil {
			return err
		}
		for tag := range result.Own.Tags {
			if !slices.Contains(result.Own.Lengths, tag) { // these are free
				wanted[tag] = r.goal.Size
			}
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(wanted)) {
		p.Objectives = append(p.Objectives, job.Objective{Kind: "size", Tags: []string{tag}, Target: wanted[tag]})
	}
	return nil
}

// tune makes the target carry out an order for a model.
func tune(ctx context.Context, t *session.Target, seed uint64, o job.Tune) (*job.Tuned, error) {
	answer, err := t.Ask(ctx, job.Order{Seed: seed, Tune: &o})
	result, lost := job.ReadTuned(o.Result)
	if err = errors.Join(err, lost); err != nil {
		return nil, err
	}
	if result == nil {
		return nil, fmt.Errorf("%s has given no model", t.Label)
	}
	if answer.End != nil && answer.End.Note != "" {
		t.Session.Note("%s: %s", t.Label, answer.End.Note)
	}
	return result, os.Remove(o.Result)
}
