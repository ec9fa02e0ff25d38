package order

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/goal"
	"github.com/espalier-go/espalier/internal/job"
)

// A tuner makes a model of a generator by which values meet a goal.
type tuner struct {
	*worker
	o       *job.Tune
	goal    goal.Goal
	subject *tune.Subject
	own     *tune.Model // of the generator's own weights
	result  job.Tuned
	end     job.End
	hangs   string // why the property runs no more, or ""
	reached []int  // branches, by the last run of the property
}

// tune carries out an order for a model.
func (w *worker) tune(o *job.Tune) job.End {
	t := &tuner{worker: w, o: o, own: tune.New()}
	t.subject = tune.OfValid(w.Gen, t.assumes)
	t.own.SetLimit(o.Limit)
	if err := t.run(); err != nil {
		t.end.Error = err.Error()
	} else {
		t.out.Tuned(&t.result)
	}
	if t.hangs != "" {
		t.end.Note = t.hangs + " on one of the values: from then on, all count as valid"
	}
	return t.end
}

// assumes reports whether the property assumes a value.
func (t *tuner) assumes(v any) bool {
	if t.hangs != "" {
		t.reached = nil
		return true
	}
	clear(t.Counters)
	verdict := t.Judge(v, nil)
	t.reached = t.reached[:0]
	for i, n := range t.Counters {
		if n > 0 {
			t.reached = append(t.reached, i)
		}
	}
	if verdict.Status == job.Hanging {
		t.hangs = verdict.Why
	}
	return verdict.Status != job.Invalid
}

// run makes the model and describes its values.
func (t *tuner) run() (err error) {
	if t.goal, err = goal.Parse(t.o.Goal); err != nil {
		return err
	}
	for i, x := range t.goal.Objectives {
		if x.Name == goal.Coverage {
			t.goal.Objectives[i] = tune.Cover(x.Name, func(any) []int { return t.reached })
		}
	}
	if t.goal.Covers() && len(t.Counters) == 0 {
		return errors.New("no code is instrumented: there is none of the main module")
	}
	m, err := t.model()
	if err != nil {
		for _, prefix := range []string{"predict: ", "tune: no model: "} {
			if text, ok := strings.CutPrefix(err.Error(), prefix); ok {
				err = errors.New(text)
			}
		}
		return err
	}
	for _, x := range t.subject.Objectives {
		t.result.Objectives = append(t.result.Objectives, job.Objective{
			Name: x.Name, Target: x.Target, Whole: x.String() == x.Name,
		})
	}
	if m == nil { // none of the compromises is picked
		return nil
	}
	t.result.Own, t.result.By = t.describe(t.own, t.o.Measure), t.describe(m, t.o.Measure)
	t.result.Model, err = m.MarshalJSON()
	return err
}

func (t *tuner) model() (*tune.Model, error) {
	switch t.goal.Kind {
	case goal.Measures:
		t.subject.Objectives = t.goal.Objectives
		if t.o.Front {
			return t.front()
		}
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
	e, n := bias.NewExamples(), 0
	e.Unlike = t.goal.Kind == "unlike"
	var why error
	for _, path := range t.o.Like {
		tree, err := t.example(path)
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

// example returns the choices of the value that an entry stands for.
func (t *tuner) example(path string) (choices.Tree, error) {
	in := t.inputs([]string{path}, false)[0]
	if in.err != nil {
		return nil, in.err
	}
	_, tree, _, _, err := t.value(values.Bound(t.Decode(in.data), 1<<20))
	return tree, err
}

// weigh finds weights for a goal about how often tags occur: by the branching process of the
// generator or, if it has none, by a search.
func (t *tuner) weigh() (*tune.Model, error) {
	g, err := predict.Read(t.Gen)
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
	ctx, cancel := t.limit()
	defer cancel()
	fitted, least, err := g.Fit(ctx, cost)
	if errors.Is(err, context.DeadlineExceeded) {
		t.result.TimedOut = true
	} else if err != nil {
		return nil, err
	}
	t.result.From, t.result.Cost, t.result.Predicted = " by the generator's branching process",
		least, map[string]float64{}
	for _, c := range fitted.Expect(size) {
		t.result.Predicted[c.Tag] += c.Mean
	}
	return fitted.Model(size), nil
}

// weighByValues weighs the tags of a generator whose numbers of tags cannot be computed: those to
// be left out are, and for others values are searched that have each as often as the goal says.
func (t *tuner) weighByValues() (*tune.Model, error) {
	wanted := map[string]float64{}
	switch t.goal.Kind {
	case "only", "without":
		t.result.From = " by the generator's own weights, without other tags"
		keep, exclude := t.goal.Names, []string(nil)
		if t.goal.Kind == "without" {
			keep, exclude = exclude, keep
		}
		return t.subject.Restrict(keep, exclude, t.o.Limit, t.order.Seed)
	case "uniform":
		t.subject.Sample(t.own, t.order.Seed, 200, func(r *tune.Run) {
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
	var tags []string
	for tag := range wanted {
		tags = append(tags, tag)
	}
	slices.Sort(tags)
	for _, tag := range tags {
		t.subject.Objectives = append(t.subject.Objectives, tune.Size(wanted[tag], tag))
	}
	return t.search()
}

// exact returns a model that needs no search: the generator is context-free, the goal is a size and
// perhaps a height, and the property assumes nearly all values. It returns nil if there is none,
// and an error if there are no such values. If only some tags count, most values are of the largest
// sizes of everything else, and that is not a goal.
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
	g, err := predict.Read(t.Gen)
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
	t.subject.Sample(m, t.order.Seed+4, tried, func(r *tune.Run) {
		if t.subject.Meets(r, t.o.Tolerance) && len(r.Tree) <= t.o.Limit {
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
	ctx, cancel := t.limit()
	defer cancel()
	m, err := tune.CrossEntropy(ctx, t.subject, t.options())
	return m, t.timeUp(err)
}

// front searches for compromises between the objectives. It returns the model of the one that is
// picked, or nil.
func (t *tuner) front() (*tune.Model, error) {
	ctx, cancel := t.limit()
	defer cancel()
	all, err := tune.Front(ctx, t.subject, t.options())
	if err = t.timeUp(err); err != nil {
		return nil, err
	}
	for _, c := range all {
		t.result.Front = append(t.result.Front, c.Means)
	}
	switch {
	case len(all) == 0:
		return nil, errors.New("no value was valid")
	case t.o.Pick > len(all):
		return nil, fmt.Errorf("-pick %d: there are %d models to pick from", t.o.Pick, len(all))
	case t.o.Pick == 0:
		return nil, nil
	}
	return all[t.o.Pick-1].Model, nil
}

// options returns the settings of a search.
func (t *tuner) options() tune.Options {
	return tune.Options{
		Rounds: t.o.Rounds, Values: t.o.Values, Limit: t.o.Limit, Seed: t.order.Seed,
		Population: compromises, Tolerance: t.o.Tolerance,
		Progress: func(p tune.Progress) {
			t.result.Rounds, t.result.Values = p.Round, p.Values
			t.end.Tried = p.Values
			t.out.Begin(job.Entry{Number: p.Round}, t.end)
		},
	}
}

// compromises is how many a search returns at most: a user chooses one of them.
const compromises = 10

// timeUp returns the error of a search, unless that is that its time was up after a round.
func (t *tuner) timeUp(err error) error {
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if t.result.TimedOut = true; t.result.Rounds == 0 {
		return errors.New("the time was up before the first round: give -time more, or a nearer goal")
	}
	return nil
}

// limit returns a context that ends when the time of a search is up.
func (t *tuner) limit() (context.Context, context.CancelFunc) {
	if t.o.Seconds <= 0 {
		return context.WithCancel(context.Background())
	}
	return context.WithTimeout(context.Background(), time.Duration(t.o.Seconds*float64(time.Second)))
}

// describe tells what n values by a model are like.
func (t *tuner) describe(m *tune.Model, n int) job.Described {
	d := job.Described{
		Tags:     map[string]float64{},
		Measures: make([]job.Moments, len(t.subject.Objectives)),
	}
	squares, covered := make([]float64, len(d.Measures)), map[int]bool{}
	t.subject.Sample(m, ^t.order.Seed, n, func(r *tune.Run) {
		d.Values++
		d.Bits += r.Bits / float64(n)
		switch {
		case r.Failed:
			d.Failed++
			return
		case r.Invalid:
			d.Invalid++
		case t.subject.Meets(r, t.o.Tolerance):
			d.Within++
		}
		if t.goal.Covers() && !r.Invalid {
			for _, n := range t.reached {
				covered[n] = true
			}
		}
		for i, x := range r.Measures {
			of := &d.Measures[i]
			of.Mean += x
			squares[i] += x * x
		}
		for i := range r.Tree {
			if c := &r.Tree[i]; c.Kind == choices.Pick {
				d.Tags[c.Tag]++
			}
		}
	})
	d.Covered = len(covered)
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
