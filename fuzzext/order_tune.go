package fuzzext

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/search"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/job"
)

// tune searches for a model whose values meet objectives, and describes its values.
func (w *ordered[V]) tune(o *job.Tune) (end job.End) {
	c := newSeeding(w.spec, w.order.Seed, hash.FNV64(w.order.Target))
	defer c.end()
	subject := search.Of(w.gen, objectives(o)...)
	if o.Judge {
		subject = search.OfValid(w.gen, func(v V) bool {
			valid, _ := c.judge(v)
			return valid
		}, objectives(o)...)
	}
	result := &job.Tuned{}
	m := tune.New()
	m.SetLimit(o.Limit)
	result.Own = w.describe(o, m, subject)
	if o.Rounds > 0 {
		w.search(o, subject, result, &end, &m)
		if end.Error != "" {
			return end
		}
	}
	result.By = w.describe(o, m, subject)
	if c.hangs {
		end.Note = fmt.Sprintf("the property has not returned after %v on one of them: from then on, all values count as valid", runLimit)
	}
	var err error
	if result.Model, err = m.MarshalJSON(); err == nil {
		err = result.Write(o.Result)
	}
	if err != nil {
		end.Error = err.Error()
	}
	return end
}

func objectives(o *job.Tune) (all []tune.Objective) {
	for _, x := range o.Objectives {
		switch x.Kind {
		case "size":
			all = append(all, tune.Size(x.Target, x.Tags...))
		case "height":
			all = append(all, tune.Height(x.Target, x.Tags...))
		default:
			panic(fmt.Sprintf("an objective of kind %q", x.Kind))
		}
	}
	return all
}

// search searches for a model.
func (w *ordered[V]) search(o *job.Tune, s search.Subject, result *job.Tuned, end *job.End, m **tune.Model) {
	ctx := context.Background()
	if o.Seconds > 0 {
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, time.Duration(o.Seconds*float64(time.Second)))
		defer cancel()
	}
	progress := func(p search.Progress) {
		result.Rounds, result.Values = p.Round, p.Values
		end.Tried = p.Values
		w.out.Begin(job.Entry{Number: p.Round}, *end)
	}
	var found *tune.Model
	var err error
	switch o.Maximize {
	case "":
		found, err = search.CrossEntropy(ctx, s, search.CrossEntropyOptions{
			Rounds: o.Rounds, Values: o.Values, Limit: o.Limit, Seed: w.order.Seed,
			Tolerance: o.Tolerance, Share: o.Share, Progress: progress,
		})
	default:
		err = fmt.Errorf("nothing maximizes %q", o.Maximize)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		result.TimedOut, err = true, nil
	}
	if err != nil {
		end.Error = err.Error()
		return
	}
	*m = found
}

// mostShown is how many values a description shows.
const mostShown = 1000

// describe makes values by a model and tells what they are like.
func (w *ordered[V]) describe(o *job.Tune, m *tune.Model, s search.Subject) job.Described {
	d := job.Described{Tags: map[string]float64{}}
	goals := s.Objectives()
	sums := make([]sums, len(goals))
	err := s.Sample(m, ^w.order.Seed, o.Measure, func(r *search.Run) {
		d.Values++
		d.Bits += r.Bits
		switch {
		case r.Failed:
			d.Failed++
			return
		case r.Invalid:
			d.Invalid++
		}
		within := !r.Invalid
		for i, g := range goals {
			sums[i].add(r.Measures[i])
			within = within && g.Distance(r.Measures[i]) <= o.Tolerance+1e-9
		}
		if within {
			d.Within++
		}
		if len(d.Shown) < mostShown {
			d.Shown = append(d.Shown, append([]float64{}, r.Measures...))
		}
		for i := range r.Tree {
			if c := &r.Tree[i]; c.Kind == choices.Pick {
				d.Tags[c.Tag]++
			}
		}
	})
	if err != nil {
		panic(err) // a local subject has none
	}
	d.Bits /= float64(max(1, d.Values))
	for tag := range d.Tags {
		d.Tags[tag] /= float64(max(1, d.Values-d.Failed))
	}
	for i := range sums {
		d.Measures = append(d.Measures, sums[i].moments())
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
