package tune

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"golang.org/x/exp/slices"
)

// A Subject is a generator to tune, with the objectives of its values.
type Subject struct {
	Objectives []Objective

	run   func(src choices.Source) (any, choices.Tree, error)
	valid func(v any) bool // nil if all are valid
	ended func() bool      // whether nothing more must run; nil for never
}

// until returns the subject for a search that ends with ctx.
func (s *Subject) until(ctx context.Context) *Subject {
	of := *s
	of.ended = func() bool { return ctx.Err() != nil }
	return &of
}

// Of returns a generator as a subject.
func Of[A any](g bigen.Gen[A], objectives ...Objective) *Subject {
	var memory choices.Tree
	return &Subject{Objectives: objectives, run: func(src choices.Source) (any, choices.Tree, error) {
		v, t, err := bigen.RunInto(memory, g, src)
		if t != nil {
			memory = t[:0]
		}
		return v, t, err
	}}
}

// OfValid is [Of] for a property that assumes something: valid reports which values it assumes.
func OfValid[A any](g bigen.Gen[A], valid func(v A) bool, objectives ...Objective) *Subject {
	s := Of(g, objectives...)
	s.valid = func(v any) bool { return valid(v.(A)) }
	return s
}

// A Run is what [Subject.Sample] reports about one value. It is valid only during the call.
type Run struct {
	Failed   bool // the run has reached the limit of answers, or was rejected
	Invalid  bool // the property has not accepted the value
	Value    any
	Tree     choices.Tree // the choices of the value
	Measures []float64    // of the objectives, unless the run has failed

	// Bits is the information of the answers, if the model has samplers: the sum of the base-2
	// logarithms of their probabilities, without the sign. Its mean over runs is the entropy of the
	// choices. Texts, integers with edges that no sampler answers, and answers after a filter do
	// not count.
	Bits float64

	nodes, depth int // the feature Nodes at the end, and the greatest Depth
	answers      []answer
	covered      []covered
}

// Sample makes n values by a model and calls each for every value.
func (s *Subject) Sample(m *Model, seed uint64, n int, each func(r *Run)) {
	r := rand.New(rand.NewPCG(seed, 1))
	prior := m.Prior()
	by, _ := prior.(*runner)
	if by != nil {
		by.record = true
	}
	run := Run{Measures: make([]float64, len(s.Objectives))}
	for range n {
		if s.ended != nil && s.ended() {
			return
		}
		v, tree, err := s.run(choices.RandomBy(r, prior))
		run.Value, run.Tree, run.Failed, run.Invalid = v, tree, err != nil, false
		if by != nil {
			run.Failed = run.Failed || by.failed
			run.Bits, run.answers = by.bits, by.answers
			run.nodes, run.depth = by.tracker.at.nodes, by.deepest
		}
		if !run.Failed {
			run.Invalid = s.valid != nil && !s.valid(v)
			s.measure(&run)
		}
		each(&run)
	}
}

// measure measures a run that has made a value.
func (s *Subject) measure(r *Run) {
	r.covered = r.covered[:0]
	for i, o := range s.Objectives {
		switch {
		case o.covers != nil:
			all := o.covers(r.Tree, r.Value)
			for _, n := range all {
				r.covered = append(r.covered, covered{i, n})
			}
			r.Measures[i] = float64(len(all))
		case o.measure != nil:
			r.Measures[i] = o.measure(r.Tree, r.Value)
		case r.Invalid: // of Valid
			r.Measures[i] = 0
		default:
			r.Measures[i] = 1
		}
	}
}

// Meets reports whether a run has made a valid value whose measures are all within a tolerance of
// their targets, as a share of them.
func (s *Subject) Meets(r *Run, tolerance float64) bool {
	meets := !r.Failed && !r.Invalid
	for i, o := range s.Objectives {
		meets = meets && o.distance(r.Measures[i]) <= tolerance+1e-9
	}
	return meets
}

// distance returns the distance of a run that has not failed, the sum over all objectives with
// their weights.
func (s *Subject) distance(r *Run, weights []float64) (sum float64) {
	for i, o := range s.Objectives {
		sum += weightOf(weights, i) * o.distance(r.Measures[i])
	}
	return sum
}

// weightOf returns the weight of an objective: 1 if there are no weights.
func weightOf(weights []float64, objective int) float64 {
	if weights == nil {
		return 1
	}
	return weights[objective]
}

// Restrict returns a model with the generator's own weights, but without some tags: picks that
// have a tag of keep take no other tags, and no pick takes a tag of exclude. The error says that a
// tag is unknown, or that values do not end without it.
func (s *Subject) Restrict(keep, exclude []string, limit int, seed uint64) (*Model, error) {
	y := s.inspect(seed, surveyRuns, 1, limit)
	if err := y.known(append(slices.Clone(keep), exclude...)); err != nil {
		return nil, err
	}
	m := New()
	m.SetLimit(limit)
	for _, p := range y.points {
		if p.Kind != choices.Pick || len(p.Tags) < 2 {
			continue
		}
		weights, changed := restricted(p.Tags, p.weights, keep, exclude)
		if !slices.ContainsFunc(weights, func(w float64) bool { return w > 0 }) {
			return nil, fmt.Errorf("no alternative would be left of %v", &p.Point)
		}
		if changed {
			m.Set(p.Point, Histogram(weights))
		}
	}
	ends := false
	s.Sample(m, seed, 20, func(r *Run) { ends = ends || !r.Failed })
	if !ends {
		return nil, fmt.Errorf("values do not end without other tags than %q, or with none of "+
			"%q: allow one that ends them", keep, exclude)
	}
	return m, nil
}

// restricted returns weights that are 0 for tags that a pick must not take.
func restricted(
	tags []string, weights []float64, keep, exclude []string,
) (left []float64, changed bool) {
	isKept := func(tag string) bool { return slices.Contains(keep, tag) }
	keeps := slices.ContainsFunc(tags, isKept)
	left = slices.Clone(weights)
	for i, tag := range tags {
		if keeps && !isKept(tag) || slices.Contains(exclude, tag) {
			left[i], changed = 0, true
		}
	}
	return left, changed
}

// surveyRuns is how many values decide whether a tag is known.
const surveyRuns = 2000

// known returns an error if no pick has one of the tags.
func (y *survey) known(tags []string) error {
	for _, tag := range tags {
		if !slices.ContainsFunc(y.points, func(p surveyed) bool { return slices.Contains(p.Tags, tag) }) {
			return fmt.Errorf("none of %d values has a pick with the tag %q: is it misspelled?",
				surveyRuns, tag)
		}
	}
	return nil
}
