// Package tuning makes a model of a generator by which values meet a goal, as corpusgen tune orders.
package tuning

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/goal"
	"github.com/espalier-go/espalier/internal/job"
)

// A Generator is what there is to know of one, whatever type its values have.
type Generator struct {
	Subject *tune.Subject
	Read    func() (*predict.Grammar, error)            // its branching process
	Example func(path string) (t choices.Tree, e error) // what an entry stands for
}

// Run carries out an order. It tells of each round of a search.
func Run(g Generator, o *job.Tune, seed uint64, progress func(tune.Progress)) (*job.Tuned, error) {
	goal, err := goal.Parse(o.Goal)
	if err != nil {
		return nil, err
	}
	t := &tuner{Generator: g, o: o, goal: goal, seed: seed, progress: progress, own: tune.New()}
	t.own.SetLimit(o.Limit)
	m, err := t.model()
	if err != nil {
		for _, prefix := range []string{"predict: ", "tune: no model: "} {
			if text, ok := strings.CutPrefix(err.Error(), prefix); ok {
				err = errors.New(text)
			}
		}
		return nil, err
	}
	for _, x := range t.Subject.Objectives {
		t.result.Objectives = append(t.result.Objectives, job.Objective{Name: x.Name, Target: x.Target})
	}
	t.result.Own, t.result.By = t.describe(t.own, o.Measure), t.describe(m, o.Measure)
	t.result.Model, err = m.MarshalJSON()
	return &t.result, err
}

// A tuner carries out one order.
type tuner struct {
	Generator
	o        *job.Tune
	goal     goal.Goal
	seed     uint64
	progress func(tune.Progress)
	own      *tune.Model // of the generator's own weights
	result   job.Tuned
}

func (t *tuner) model() (*tune.Model, error) {
	switch t.goal.Kind {
	case goal.Measures:
		t.Subject.Objectives = t.goal.Objectives
		if m, err := t.exact(); m != nil || err != nil {
			return m, err
		}
		return t.search()
	case "like", "unlike":
		return t.learn()
	}
	return t.weigh()
}

// learn learns from examples.
func (t *tuner) learn() (*tune.Model, error) {
	e, n := choices.NewExamples(), 0
	e.Unlike = t.goal.Kind == "unlike"
	var why error
	for _, path := range t.o.Like {
		tree, err := t.Example(path)
		if err != nil {
			why = fmt.Errorf("%s: %w", path, err)
			continue
		}
		e.Add(tree)
		n++
	}
	if n == 0 {
		return nil, fmt.Errorf("the generator makes none of %d examples: %w", len(t.o.Like), why)
	}
	t.result.From = fmt.Sprintf(" of %d of %d examples", n, len(t.o.Like))
	return tune.OfExamples(e), nil
}

// weigh finds weights for a goal about how often tags occur: by the branching process of the
// generator or, if it has none, by a search.
func (t *tuner) weigh() (*tune.Model, error) {
	g, err := t.Read()
	if err != nil {
		t.result.Stateful = strings.TrimPrefix(err.Error(), "predict: ")
		return t.weighByValues()
	}
	size := max(1, int(t.goal.Size))
	cost := predict.Without(size, t.goal.Names...) // or uniform: without none
	switch t.goal.Kind {
	case "weighted":
		cost = predict.Weighted(t.goal.Weights, size)
	case "only":
		cost = predict.Only(size, t.goal.Names...)
	}
	fitted, least, err := g.Fit(cost)
	if err != nil {
		return nil, err
	}
	t.result.From, t.result.Cost, t.result.Predicted = " by the generator's branching process", least, map[string]float64{}
	for _, c := range fitted.Expect(size) {
		t.result.Predicted[c.Tag] += c.Mean
	}
	return fitted.Model(size), nil
}

// weighByValues weighs the tags of a generator whose numbers of tags cannot be computed: those to be
// left out are, and for others values are searched that have each as often as the goal says.
func (t *tuner) weighByValues() (*tune.Model, error) {
	wanted := map[string]float64{}
	switch t.goal.Kind {
	case "only", "without":
		t.result.From = " by the generator's own weights, without other tags"
		keep, exclude := t.goal.Names, []string(nil)
		if t.goal.Kind == "without" {
			keep, exclude = exclude, keep
		}
		return t.Subject.Restrict(keep, exclude, t.o.Limit, t.seed)
	case "uniform":
		t.Subject.Sample(t.own, t.seed, 200, func(r *tune.Run) {
			for i := range r.Tree {
				if c := &r.Tree[i]; c.Kind == choices.Pick && !c.Element { // lengths of slices are free
					wanted[c.Tag] = t.goal.Size
				}
			}
		})
	default:
		for tag, weight := range t.goal.Weights {
			wanted[tag] = weight * t.goal.Size
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(wanted)) {
		t.Subject.Objectives = append(t.Subject.Objectives, tune.Size(wanted[tag], tag))
	}
	return t.search()
}

// exact returns a model that needs no search: the generator is context-free, the goal is a size and
// perhaps a height, and the property assumes nearly all values. It returns nil if there is none, and
// an error if there are no such values. If only some tags count, most values are of the largest sizes
// of everything else: that is no goal.
func (t *tuner) exact() (*tune.Model, error) {
	ranges := map[string][2]int{}
	for _, x := range t.goal.Objectives {
		if _, twice := ranges[x.Name]; twice || x.Name != "size" && x.Name != "height" {
			return nil, nil
		}
		by := t.o.Tolerance*max(1, x.Target) + 1e-9
		ranges[x.Name] = [2]int{int(math.Ceil(max(0, x.Target-by))), int(math.Floor(x.Target + by))}
	}
	size, ok := ranges["size"]
	if !ok {
		return nil, nil
	}
	height, ok := ranges["height"]
	if !ok {
		height = predict.AnyHeight
	}
	g, err := t.Read()
	if err != nil {
		return nil, nil
	}
	m, err := g.Exact(size, height)
	if errors.Is(err, predict.ErrNone) {
		return nil, err
	} else if err != nil {
		return nil, nil
	}
	const tried, enough = 200, 190
	good := 0
	t.Subject.Sample(m, t.seed+4, tried, func(r *tune.Run) {
		if t.Subject.Meets(r, t.o.Tolerance) && len(r.Tree) <= t.o.Limit {
			good++
		}
	})
	if good < enough {
		return nil, nil
	}
	values, _ := m.Counted()
	t.result.From = fmt.Sprintf(", which draws from all 2^%.1f values that meet the goal", values)
	return m, nil
}

// search searches for a model whose values meet the objectives.
func (t *tuner) search() (*tune.Model, error) {
	ctx := context.Background()
	if t.o.Seconds > 0 {
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, time.Duration(t.o.Seconds*float64(time.Second)))
		defer cancel()
	}
	m, err := tune.CrossEntropy(ctx, t.Subject, tune.Options{
		Rounds: t.o.Rounds, Values: t.o.Values, Limit: t.o.Limit, Seed: t.seed, Tolerance: t.o.Tolerance,
		Progress: func(p tune.Progress) {
			t.result.Rounds, t.result.Values = p.Round, p.Values
			t.progress(p)
		},
	})
	if errors.Is(err, context.DeadlineExceeded) {
		t.result.TimedOut, err = true, nil
	}
	return m, err
}

// describe tells what n values by a model are like.
func (t *tuner) describe(m *tune.Model, n int) job.Described {
	d := job.Described{Tags: map[string]float64{}, Measures: make([]job.Moments, len(t.Subject.Objectives))}
	squares := make([]float64, len(d.Measures))
	t.Subject.Sample(m, ^t.seed, n, func(r *tune.Run) {
		d.Values++
		d.Bits += r.Bits / float64(n)
		switch {
		case r.Failed:
			d.Failed++
			return
		case r.Invalid:
			d.Invalid++
		case t.Subject.Meets(r, t.o.Tolerance):
			d.Within++
		}
		for i, x := range r.Measures {
			of := &d.Measures[i]
			if made := d.Values - d.Failed; made == 1 {
				of.Least, of.Most = x, x
			}
			of.Least, of.Most = min(of.Least, x), max(of.Most, x)
			of.Mean += x
			squares[i] += x * x
		}
		for i := range r.Tree {
			if c := &r.Tree[i]; c.Kind == choices.Pick {
				d.Tags[c.Tag]++
			}
		}
	})
	made := float64(max(1, d.Values-d.Failed))
	for i := range d.Measures {
		of := &d.Measures[i]
		of.Mean /= made
		of.Deviation = math.Sqrt(max(0, squares[i]/made-of.Mean*of.Mean))
	}
	for tag := range d.Tags {
		d.Tags[tag] /= made
	}
	return d
}
