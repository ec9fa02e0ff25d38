package order

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/bigen/tune/search"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/bound"
	"github.com/espalier-go/espalier/internal/job"
)

// A model is what an order for one makes.
type model interface {
	json.Marshaler
	Prior() choices.Prior
}

// A tuning makes a model of a target's generator.
type tuning struct {
	*worker
	o      *job.Tune
	goals  []tune.Objective
	hangs  string // why the property runs no more, or ""
	result job.Tuned
	end    job.End
}

// tune carries out an order for a model.
func (w *worker) tune(o *job.Tune) job.End {
	t := &tuning{worker: w, o: o}
	err := t.answer()
	if err == nil {
		err = t.result.Write(o.Result)
	}
	if err != nil {
		t.end.Error = err.Error()
	}
	if t.hangs != "" {
		t.end.Note = t.hangs + " on one of the values: from then on, all count as valid"
	}
	return t.end
}

func (t *tuning) answer() error {
	if t.o.Grammar {
		return t.grammar()
	}
	for _, x := range t.o.Objectives {
		switch x.Kind {
		case "size":
			t.goals = append(t.goals, tune.Size(x.Target, x.Tags...))
		case "height":
			t.goals = append(t.goals, tune.Height(x.Target, x.Tags...))
		default:
			return fmt.Errorf("this version of fuzzext has no goal %q", x.Kind)
		}
	}
	own := tune.New()
	own.SetLimit(t.o.Limit)
	t.result.Own = t.describe(tune.NewRunner(own))
	prior, err := t.model()
	if err != nil {
		return err
	}
	t.result.By = t.describe(prior)
	return nil
}

// grammar reads the branching process off the generator.
func (t *tuning) grammar() error {
	g, err := predict.Read(t.gen)
	if err != nil {
		t.result.Stateful = err.Error()
		return nil
	}
	t.result.Grammar, err = g.MarshalJSON()
	return err
}

// model makes the model and a prior by it.
func (t *tuning) model() (prior choices.Prior, err error) {
	var m model
	switch {
	case t.o.Given != nil:
		given := tune.New()
		m, err = given, given.UnmarshalJSON(t.o.Given)
	case len(t.o.Like) > 0:
		m, err = t.learn()
	case len(t.o.Keep)+len(t.o.Exclude) > 0:
		m, err = t.exclude()
	default:
		var exact *predict.Exact
		if exact, err = t.exact(); exact != nil {
			m = exact
		} else if err == nil {
			m, err = t.search()
		}
	}
	if err != nil {
		return nil, err
	}
	t.result.Model, err = m.MarshalJSON()
	return m.Prior(), err
}

// learn learns from examples.
func (t *tuning) learn() (*choices.Model, error) {
	m := choices.NewModel()
	m.Unlike = t.o.Unlike
	var why error
	for _, in := range t.inputs(t.o.Like, false) {
		if in.err == nil {
			var tree choices.Tree
			if _, tree, _, _, in.err = t.value(bound.Of(t.Decode(in.data), 1<<20)); in.err == nil {
				m.Add(tree)
				t.result.Examples++
				continue
			}
		}
		why = fmt.Errorf("%s: %w", in.name, in.err)
	}
	if t.result.Examples == 0 {
		return nil, fmt.Errorf("the generator makes none of %d examples: %w", len(t.o.Like), why)
	}
	return m, nil
}

// exclude returns the generator's own weights without those of some tags.
func (t *tuning) exclude() (*tune.Model, error) {
	m := tune.New()
	m.SetLimit(t.o.Limit)
	points := t.picks()
	if err := t.known(points, append(slices.Clone(t.o.Keep), t.o.Exclude...)); err != nil {
		return nil, err
	}
	for _, p := range points {
		keeps := slices.ContainsFunc(p.Tags, func(tag string) bool { return slices.Contains(t.o.Keep, tag) })
		weights, some, changed := slices.Clone(p.Weights), false, false
		for i, tag := range p.Tags {
			if keeps && !slices.Contains(t.o.Keep, tag) || slices.Contains(t.o.Exclude, tag) {
				weights[i], changed = 0, true
			}
			some = some || weights[i] > 0
		}
		if !some {
			return nil, fmt.Errorf("no alternative would be left of %v", &p.Point)
		}
		if changed {
			m.Set(p.Point, tune.Histogram(weights))
		}
	}
	if !t.ends(m) {
		return nil, errors.New("values do not end with the tags that are left: allow one that ends them")
	}
	return m, nil
}

// ends reports whether one of a few values by m ends within the limit.
func (t *tuning) ends(m *tune.Model) bool {
	r, run := rand.New(rand.NewPCG(t.order.Seed, 5)), tune.NewRunner(m)
	for range 20 {
		if _, _, err := tune.Make(run, t.gen, r); err == nil {
			return true
		}
	}
	return false
}

// picks returns the picks of random values.
func (t *tuning) picks() (picks []tune.Surveyed) {
	for _, p := range tune.Inspect(t.gen, rand.New(rand.NewPCG(t.order.Seed, 3)), t.o.Measure, 1, t.o.Limit).Points {
		if p.Kind == choices.Pick {
			picks = append(picks, p)
		}
	}
	return picks
}

// known returns an error if one of the tags is of no pick.
func (t *tuning) known(picks []tune.Surveyed, tags []string) error {
	for _, tag := range tags {
		if !slices.ContainsFunc(picks, func(p tune.Surveyed) bool { return slices.Contains(p.Tags, tag) }) {
			return fmt.Errorf("none of %d values has a pick with the tag %q: is it misspelled?", t.o.Measure, tag)
		}
	}
	return nil
}

// exact returns a model that needs no search: the generator is context-free, the goal is a size and
// perhaps a height, and the property assumes nearly all values. It returns nil if there is none, and
// an error if there are no such values. If only some tags count, most values are of the largest sizes
// of everything else: that is no goal.
func (t *tuning) exact() (*predict.Exact, error) {
	heights := predict.AnyHeight
	var size *job.Objective
	for i := range t.o.Objectives {
		x := &t.o.Objectives[i]
		switch {
		case len(x.Tags) > 0:
			return nil, nil
		case x.Kind == "height" && heights == predict.AnyHeight:
			heights = t.within(x.Target)
		case x.Kind == "size" && size == nil:
			size = x
		default:
			return nil, nil
		}
	}
	if size == nil || t.o.Maximize != "" {
		return nil, nil
	}
	g, err := predict.Read(t.gen)
	if err != nil {
		return nil, nil
	}
	e, err := g.Exact(t.within(size.Target), heights)
	if errors.Is(err, predict.ErrNone) {
		return nil, err
	} else if err != nil {
		return nil, nil
	}
	const tried, enough = 200, 190
	good, r, prior := 0, rand.New(rand.NewPCG(t.order.Seed, 4)), e.Prior()
	for range tried {
		if v, tree, err := bigen.RunInto(nil, t.gen, choices.RandomBy(r, prior)); err == nil && len(tree) <= t.o.Limit && t.meets(tree, v) && t.valid(v) {
			good++
		}
	}
	if good < enough {
		return nil, nil
	}
	t.result.Counted = e.Values()
	return e, nil
}

// within returns the integers within the tolerance of a target.
func (t *tuning) within(target float64) [2]int {
	by := t.o.Tolerance*max(1, target) + 1e-9
	return [2]int{int(math.Ceil(max(0, target-by))), int(math.Floor(target + by))}
}

// meets reports whether a value meets all objectives.
func (t *tuning) meets(tree choices.Tree, v any) bool {
	for _, g := range t.goals {
		if g.Distance(g.Of(tree, v)) > t.o.Tolerance+1e-9 {
			return false
		}
	}
	return true
}

// search searches for a model whose values meet the objectives.
func (t *tuning) search() (m *tune.Model, err error) {
	picks := t.picks()
	for _, x := range t.o.Objectives {
		if err := t.known(picks, x.Tags); err != nil {
			return nil, err
		}
	}
	ctx := context.Background()
	if t.o.Seconds > 0 {
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, time.Duration(t.o.Seconds*float64(time.Second)))
		defer cancel()
	}
	progress := func(p search.Progress) {
		t.result.Rounds, t.result.Values = p.Round, p.Values
		t.end.Tried = p.Values
		t.out.Begin(job.Entry{Number: p.Round}, t.end)
	}
	subject := search.OfValid(t.gen, t.valid, t.goals...)
	if len(t.goals) > 0 {
		m, err = search.CrossEntropy(ctx, subject, search.CrossEntropyOptions{
			Rounds: t.o.Rounds, Values: t.o.Values, Limit: t.o.Limit, Seed: t.order.Seed,
			Tolerance: t.o.Tolerance, Share: t.o.Share, Progress: progress,
		})
	}
	if err == nil && t.o.Maximize != "" {
		m, err = t.maximize(ctx, subject, m, progress)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		t.result.TimedOut, err = true, nil
	}
	return m, err
}

// maximize raises the entropy of values, beginning with the model from unless it is nil.
func (t *tuning) maximize(ctx context.Context, subject search.Subject, from *tune.Model, progress func(search.Progress)) (*tune.Model, error) {
	before := t.result
	o := search.EntropyOptions{
		Rounds: 5 * t.o.Rounds, Values: max(1, t.o.Values/4), Limit: t.o.Limit, Seed: t.order.Seed, From: from, Tolerance: t.o.Tolerance, Contexts: true,
		Progress: func(p search.Progress) {
			p.Round, p.Values = p.Round+before.Rounds, p.Values+before.Values
			progress(p)
		},
	}
	if t.o.Maximize == "valid-entropy" || len(t.goals) > 0 {
		return search.ValidEntropy(ctx, subject, o)
	}
	return search.Entropy(ctx, subject, o)
}

// valid reports whether the property assumes a value.
func (t *tuning) valid(v any) bool {
	if t.hangs != "" {
		return true
	}
	verdict := t.Judge(v, nil)
	if verdict.Status == job.Hanging {
		t.hangs = verdict.Why
	}
	return verdict.Status != job.Invalid
}

// mostShown is how many values a description shows.
const mostShown = 1000

// describe tells what the values by a prior are like.
func (t *tuning) describe(prior choices.Prior) job.Described {
	d := job.Described{Tags: map[string]float64{}}
	runner, _ := prior.(*tune.Runner)
	moments := make([]sums, len(t.goals))
	r := rand.New(rand.NewPCG(^t.order.Seed, 2))
	var tree choices.Tree
	lengths := map[string]bool{}
	for range t.o.Measure {
		v, made, err := bigen.RunInto(tree, t.gen, choices.RandomBy(r, prior))
		if made != nil {
			tree = made[:0]
		}
		d.Values++
		if runner != nil {
			d.Bits += runner.Bits() / float64(t.o.Measure)
		}
		if err != nil || runner != nil && runner.Failed() {
			d.Failed++
			continue
		}
		within := t.valid(v)
		if !within {
			d.Invalid++
		} else if runner != nil {
			d.Valid += runner.Bits() / float64(t.o.Measure)
		}
		measures := make([]float64, len(t.goals))
		for i, g := range t.goals {
			measures[i] = g.Of(made, v)
			moments[i].add(measures[i])
			within = within && g.Distance(measures[i]) <= t.o.Tolerance+1e-9
		}
		if within {
			d.Within++
		}
		if len(d.Shown) < mostShown && len(t.goals) > 0 {
			d.Shown = append(d.Shown, measures)
		}
		for i := range made {
			if c := &made[i]; c.Kind == choices.Pick {
				d.Tags[c.Tag]++
				lengths[c.Tag] = c.Element && (lengths[c.Tag] || d.Tags[c.Tag] == 1)
			}
		}
	}
	for tag, only := range lengths {
		if only {
			d.Lengths = append(d.Lengths, tag)
		}
	}
	slices.Sort(d.Lengths)
	for tag := range d.Tags {
		d.Tags[tag] /= float64(max(1, d.Values-d.Failed))
	}
	for i := range moments {
		d.Measures = append(d.Measures, moments[i].moments())
	}
	return d
}

// sums are those of numbers and their squares.
type sums struct{ n, sum, squares, least, most float64 }

func (s *sums) add(x float64) {
	if s.n == 0 {
		s.least, s.most = x, x
	}
	s.n, s.sum, s.squares = s.n+1, s.sum+x, s.squares+x*x
	s.least, s.most = min(s.least, x), max(s.most, x)
}

func (s *sums) moments() job.Moments {
	n := max(1, s.n)
	mean := s.sum / n
	return job.Moments{Mean: mean, Deviation: math.Sqrt(max(0, s.squares/n-mean*mean)), Least: s.least, Most: s.most}
}
