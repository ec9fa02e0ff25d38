package tune

import (
	"cmp"
	"context"
	"maps"
	"math"

	"golang.org/x/exp/slices"
)

const (
	elite = .1 // the share of values that the next round follows
	step  = .7 // how far weights move towards the shares of the elite
)

// CrossEntropy returns a model whose values meet the objectives, by the cross-entropy method. If
// ctx ends, CrossEntropy returns the error of ctx and the model of that round. It also returns an
// error if none of many values has a pick with one of the tags of an objective.
func CrossEntropy(ctx context.Context, s *Subject, o Options) (*Model, error) {
	e, err := newEntropy(ctx, s, &o)
	if err != nil {
		return e.model, err
	}
	for range o.Rounds {
		if done, err := e.round(ctx, nil, nil); done {
			return e.model, err
		}
	}
	return e.model, nil
}

// An entropy is a search by the cross-entropy method.
type entropy struct {
	s       *Subject
	o       *Options
	rounds  *rounds
	model   *Model
	matters []evidence // of each point
}

// newEntropy begins a search. Its model is nil if it cannot begin.
func newEntropy(ctx context.Context, s *Subject, o *Options) (*entropy, error) {
	o.defaults(20, 2000)
	e := &entropy{s: s.until(ctx), o: o}
	e.rounds = &rounds{s: e.s, o: o}
	var tags []string
	for _, x := range s.Objectives {
		tags = append(tags, x.Tags...)
	}
	if len(tags) > 0 {
		if err := e.s.inspect(o.Seed+3, surveyRuns, 1, o.Limit).known(tags); err != nil &&
			ctx.Err() == nil {
			return e, err
		}
	}
	m, decide := start(e.s, o.Seed, o.Limit)
	e.model, e.matters = m, make([]evidence, len(decide))
	for i := range e.matters {
		e.matters[i].enough = decide[i]
	}
	return e, ctx.Err()
}

// round makes the values of a round, calls each for all of them, and follows the best. The weights
// are of the objectives: nil for 1 each. It reports whether the search may stop; see rounds.end.
func (e *entropy) round(
	ctx context.Context, weights []float64, each func(r *Run),
) (done bool, err error) {
	var runs []scored
	seed := e.o.Seed + 100 + uint64(e.rounds.now.Round)
	e.s.Sample(e.model, seed, e.o.Values, func(r *Run) {
		if e.rounds.add(r); each != nil {
			each(r)
		}
		if !r.Failed && !r.Invalid {
			runs = append(runs, scored{e.s.distance(r, weights), slices.Clone(r.answers),
				slices.Clone(r.covered)})
		}
	})
	if done, err := e.rounds.end(ctx); done {
		return true, err
	}
	for i, o := range e.s.Objectives {
		if o.covers != nil {
			rank(runs, i, weightOf(weights, i))
		}
	}
	slices.SortStableFunc(runs, func(a, b scored) int { return cmp.Compare(a.distance, b.distance) })
	n := min(len(runs), int(elite*float64(e.o.Values)))
	for n < len(runs) && runs[n].distance == 0 { // values that are near enough need no selection
		n++
	}
	e.model = follow(e.model, runs[:n], e.matters)
	return false, nil
}

type scored struct {
	distance float64
	answers  []answer
	covered  []covered
}

// priorCount is how many answers of the elite weigh as much as the earlier weights: fewer
// may be chance.
const priorCount = 5

// follow moves the tables of m that matter towards the answers of an elite.
func follow(m *Model, elite []scored, matters []evidence) *Model {
	m = m.clone()
	counts := countAnswers(m, elite)
	for i, p := range m.points {
		t := *p.sampler.(*Table)
		if matters[i].add(&t, counts[i]); !matters[i].enough {
			continue
		}
		rows := maps.Clone(t.Rows)
		if rows == nil {
			rows = map[int][]float64{}
		}
		for cell, count := range counts[i] {
			rows[cell] = towards(t.row(cell), count)
		}
		t.Rows = rows
		m.Set(p.Point, &t)
	}
	return m
}

// countAnswers counts the outcomes of each point, by the cells of its table.
func countAnswers(m *Model, elite []scored) []map[int][]float64 {
	counts := make([]map[int][]float64, len(m.points))
	for i := range counts {
		counts[i] = map[int][]float64{}
	}
	for _, e := range elite {
		for _, a := range e.answers {
			row := counts[a.point][a.cell]
			if row == nil {
				row = make([]float64, m.points[a.point].sampler.outcomes())
				counts[a.point][a.cell] = row
			}
			row[a.outcome]++
		}
	}
	return counts
}

// towards moves a row of probabilities by a step towards the shares of counts.
func towards(old, count []float64) []float64 {
	row, total := make([]float64, len(count)), 0.0
	for _, n := range count {
		total += n
	}
	for k := range row {
		row[k] = round((1-step)*old[k] + step*(count[k]+priorCount*old[k])/(total+priorCount))
	}
	return row
}

// evidence says whether a table matters. If later questions do not depend on the table, it matters
// once the elites of all rounds have differed from its weights by more than chance explains: a
// chi-square test, by four standard deviations. Until then, it keeps its entropy.
type evidence struct {
	square, free float64
	enough       bool
}

func (e *evidence) add(t *Table, counts map[int][]float64) {
	if e.enough {
		return
	}
	for cell, count := range counts {
		weights, n, sum := t.row(cell), 0.0, 0.0
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
