package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/espalier-go/espalier/bigen/tune"
)

// CrossEntropyOptions are the settings of [CrossEntropy]. The zero value stands for those in
// parentheses.
type CrossEntropyOptions struct {
	Rounds int     // (20)
	Values int     // of a round (2000)
	Elite  float64 // the share of values that the next round follows (.1)
	Step   float64 // how far weights move towards those of the elite (.7)
	Limit  int     // answers of a run (1000)
	Seed   uint64

	// Tolerance is how far a measure may be from its target, as a share of it (.1). The search
	// ends early if the share Share of a round's values is within it in all measures (0: never).
	Tolerance float64
	Share     float64
	Progress  func(Progress) // called after each round, unless nil
}

func (o *CrossEntropyOptions) defaults() {
	if o.Rounds == 0 {
		o.Rounds = 20
	}
	if o.Values == 0 {
		o.Values = 2000
	}
	if o.Elite == 0 {
		o.Elite = .1
	}
	if o.Step == 0 {
		o.Step = .7
	}
	if o.Limit == 0 {
		o.Limit = 1000
	}
}

// CrossEntropy returns a model whose values meet the objectives, by the cross-entropy method. If
// ctx ends, it returns its error and the model of that round.
func CrossEntropy(ctx context.Context, s Subject, o CrossEntropyOptions) (*tune.Model, error) {
	o.defaults()
	m, decide, err := start(s, o.Seed, o.Limit, true)
	if err != nil {
		return nil, err
	}
	g := newGoal(s, o.Rounds, o.Tolerance, o.Share, o.Progress)
	matters := make([]evidence, len(decide))
	for i := range matters {
		matters[i].enough = decide[i]
	}
	for round := range o.Rounds {
		var runs []scored
		err := s.Sample(m, o.Seed+100+uint64(round), o.Values, func(r *Run) {
			if d, _ := g.add(r); !r.Failed && !r.Invalid {
				runs = append(runs, scored{d, slices.Clone(r.Answers)})
			}
		})
		if err != nil {
			return m, err
		}
		if done, err := g.round(ctx); done {
			return m, err
		}
		slices.SortStableFunc(runs, func(a, b scored) int { return cmp.Compare(a.distance, b.distance) })
		n := min(len(runs), int(o.Elite*float64(o.Values)))
		for n < len(runs) && runs[n].distance == 0 { // what is near enough needs no selection
			n++
		}
		m = follow(m, runs[:n], o.Step, matters)
	}
	return m, nil
}

type scored struct {
	distance float64
	answers  []tune.Answer
}

// priorCount is how many answers of the elite weigh as much as the weights before: fewer are
// chance.
const priorCount = 5

// follow moves the tables of m towards the answers of an elite: the tables that matter.
func follow(m *tune.Model, elite []scored, step float64, matters []evidence) *tune.Model {
	m = m.Clone()
	points := m.Points()
	tables := make([]*tune.Table, len(points))
	counts := make([]map[int][]float64, len(points))
	for i, p := range points {
		t := *m.Sampler(p).(*tune.Table)
		rows := map[int][]float64{}
		for cell, row := range t.Rows {
			rows[cell] = row
		}
		t.Rows = rows
		tables[i], counts[i] = &t, map[int][]float64{}
	}
	for _, e := range elite {
		for _, a := range e.answers {
			row := counts[a.Point][a.Cell]
			if row == nil {
				row = make([]float64, tables[a.Point].N)
				counts[a.Point][a.Cell] = row
			}
			row[a.Outcome]++
		}
	}
	for i, t := range tables {
		if matters[i].add(t, counts[i]); !matters[i].enough {
			continue
		}
		for cell, count := range counts[i] {
			old := t.Rows[cell]
			if old == nil {
				old = t.Rest
			}
			total := 0.0
			for _, n := range count {
				total += n
			}
			row := make([]float64, t.N)
			for k := range row {
				row[k] = round((1-step)*old[k] + step*(count[k]+priorCount*old[k])/(total+priorCount))
			}
			t.Rows[cell] = row
		}
		m.Set(points[i], t)
	}
	return m
}

// evidence says whether a table matters. One on which it does not depend what is asked afterward
// matters once the elites of all rounds have differed from its weights by more than chance explains:
// a chi-square test, by four standard deviations. Until then, it keeps its entropy.
type evidence struct {
	square, free float64
	enough       bool
}

func (e *evidence) add(t *tune.Table, counts map[int][]float64) {
	if e.enough {
		return
	}
	for cell, count := range counts {
		weights := t.Rows[cell]
		if weights == nil {
			weights = t.Rest
		}
		n, sum := 0.0, 0.0
		for k, w := range weights {
			n += count[k]
			sum += w
		}
		e.free--
		for k, w := range weights {
			if want := n * w / sum; want > 0 {
				e.square += (count[k] - want) * (count[k] - want) / want
				e.free++
			}
		}
	}
	e.enough = e.square > e.free+4*math.Sqrt(2*e.free)
}
