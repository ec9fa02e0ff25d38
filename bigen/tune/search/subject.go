package search

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/choices"
)

// A Run is what an optimizer learns of one value. It is valid during the call only.
type Run struct {
	Failed   bool          // the run has reached the limit of answers, or was rejected
	Invalid  bool          // the property has not accepted the value
	Measures []float64     // of the objectives, unless the run has failed
	Nodes    int           // see tune.Nodes
	Depth    int           // the greatest
	Bits     float64       // the information of its answers
	Answers  []tune.Answer // what samplers answered
}

// A Subject is a generator to be tuned.
type Subject interface {
	// Inspect returns a survey; see [tune.Inspect].
	Inspect(seed uint64, n int, tilt float64, limit int) (*tune.Survey, error)

	// Sample makes n values by a model and calls each for every one.
	Sample(m *tune.Model, seed uint64, n int, each func(r *Run)) error

	// Objectives returns the objectives, in the order of Run.Measures.
	Objectives() []tune.Objective
}

// Of returns a generator as a subject.
func Of[A any](g bigen.Gen[A], objectives ...tune.Objective) Subject {
	return &local[A]{g: g, objectives: objectives}
}

// OfValid is [Of] for a property that assumes something: valid reports of which values.
func OfValid[A any](g bigen.Gen[A], valid func(v A) bool, objectives ...tune.Objective) Subject {
	return &local[A]{g: g, valid: valid, objectives: objectives}
}

type local[A any] struct {
	g          bigen.Gen[A]
	valid      func(A) bool // nil: all are
	objectives []tune.Objective
	tree       choices.Tree
}

func (s *local[A]) Objectives() []tune.Objective { return s.objectives }

func (s *local[A]) Inspect(seed uint64, n int, tilt float64, limit int) (*tune.Survey, error) {
	return tune.Inspect(s.g, rand.New(rand.NewPCG(seed, 0)), n, tilt, limit), nil
}

func (s *local[A]) Sample(m *tune.Model, seed uint64, n int, each func(r *Run)) error {
	r := rand.New(rand.NewPCG(seed, 1))
	runner := tune.NewRunner(m)
	runner.Record = true
	run := Run{Measures: make([]float64, len(s.objectives))}
	for range n {
		v, tree, err := tune.MakeInto(s.tree, runner, s.g, r)
		if tree != nil {
			s.tree = tree[:0]
		}
		run.Failed, run.Bits, run.Answers = err != nil, runner.Bits(), runner.Answers()
		run.Nodes, run.Depth = runner.Nodes(), runner.Depth()
		run.Invalid = false
		if err == nil {
			run.Invalid = s.valid != nil && !s.valid(v)
			for i, o := range s.objectives {
				run.Measures[i] = o.Of(tree, v)
			}
		}
		each(&run)
	}
	return nil
}
