package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"golang.org/x/exp/slices"
)

// A Compromise is a model of a [Front].
type Compromise struct {
	Model *Model

	// Means are of the measures of valid values, for each objective. For [Cover], it is how much
	// the values of a round cover together; for [Valid], the share of valid values.
	Means []float64

	// Costs compare compromises: for each objective, less is better. They are the mean distances
	// from the target, as shares of it; or, for Cover, Means with the other sign.
	Costs []float64
}

// Front returns compromises between objectives that compete (GödelTest, section I): models none of
// which is better than another one in one objective without being worse in another. They are in the
// order of the first objective, the best first.
//
//  1. [CrossEntropy] finds a model with equal weights of the objectives.
//  2. From that model, a branch leads to each objective: as many rounds again, in which the weights
//     of the others fall to 0.
//  3. The model of each round is a compromise, with what its values in the round cost. The front
//     has those that no other dominates: one that costs at most as much in all objectives, and less
//     in one.
//
// If these are more than Options.Population, those that are nearest to their neighbors are left
// out, one after the other, by NSGA-II's crowding distance. A search for k objectives has k+1 times
// Options.Rounds rounds. If ctx ends, Front returns the error of ctx and the front so far. It
// panics if there are fewer than two objectives.
func Front(ctx context.Context, s *Subject, o Options) ([]Compromise, error) {
	if len(s.Objectives) < 2 {
		panic(fmt.Sprintf("tune: a front of %d objectives: want at least 2", len(s.Objectives)))
	}
	middle, err := newEntropy(ctx, s, &o)
	if err != nil {
		return nil, err
	}
	o.Share = 0
	f := &front{n: len(s.Objectives), most: o.Population}
	if err := f.follow(ctx, middle, -1); err != nil {
		return f.best(), err
	}
	for i := range f.n {
		branch := *middle
		branch.matters = slices.Clone(middle.matters)
		if err := f.follow(ctx, &branch, i); err != nil {
			return f.best(), err
		}
	}
	return f.best(), nil
}

// A front is a search by [Front].
type front struct {
	n, most int // objectives, and compromises to be had
	all     []Compromise
}

// follow notes the model of each round of a search in which the weights of all objectives but one
// fall from 1 to 0, or stay for objective -1.
func (f *front) follow(ctx context.Context, e *entropy, objective int) error {
	for round := range e.o.Rounds {
		weights := make([]float64, f.n)
		for i := range weights {
			weights[i] = 1
			if objective >= 0 && i != objective {
				weights[i] -= float64(round+1) / float64(e.o.Rounds)
			}
		}
		t := newTally(e.s.Objectives)
		m := e.model
		done, err := e.round(ctx, weights, t.add)
		if t.valid > 0 {
			f.all = append(f.all, t.compromise(m))
		}
		if done {
			return err
		}
	}
	return nil
}

// best returns the compromises that no other dominates. Of those that cost the same, it returns the
// first.
func (f *front) best() (all []Compromise) {
	for i, c := range f.all {
		if !slices.ContainsFunc(f.all, func(o Compromise) bool { return dominates(o, c) }) &&
			!slices.ContainsFunc(f.all[:i], func(o Compromise) bool {
				return slices.Equal(o.Costs, c.Costs)
			}) {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b Compromise) int { return slices.Compare(a.Costs, b.Costs) })
	for len(all) > f.most {
		gaps := crowding(all)
		i := slices.Index(gaps, slices.Min(gaps))
		all = slices.Delete(all, i, i+1)
	}
	return all
}

// crowding returns how far the neighbors of each compromise are apart: the sum over all objectives,
// of each as a share of its range. The ends of a range are infinitely far apart.
func crowding(all []Compromise) []float64 {
	gaps, order := make([]float64, len(all)), make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	for k := range all[0].Costs {
		cost := func(at int) float64 { return all[order[at]].Costs[k] }
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(all[a].Costs[k], all[b].Costs[k])
		})
		last := len(order) - 1
		span := max(cost(last)-cost(0), math.SmallestNonzeroFloat64)
		gaps[order[0]], gaps[order[last]] = math.Inf(1), math.Inf(1)
		for at := 1; at < last; at++ {
			gaps[order[at]] += (cost(at+1) - cost(at-1)) / span
		}
	}
	return gaps
}

// dominates reports whether a costs at most as much as b in all objectives, and less in one.
func dominates(a, b Compromise) bool {
	less := false
	for i := range a.Costs {
		if cmp.Less(b.Costs[i], a.Costs[i]) {
			return false
		}
		less = less || a.Costs[i] < b.Costs[i]
	}
	return less
}

// A tally adds up what the values of a round cost.
type tally struct {
	objectives   []Objective
	means, costs []float64
	covered      map[covered]bool
	n, valid     float64
}

func newTally(objectives []Objective) *tally {
	n := len(objectives)
	return &tally{objectives: objectives, means: make([]float64, n), costs: make([]float64, n),
		covered: map[covered]bool{}}
}

func (t *tally) add(r *Run) {
	t.n++
	if r.Failed || r.Invalid {
		return
	}
	t.valid++
	for i, o := range t.objectives {
		t.means[i] += r.Measures[i]
		t.costs[i] += o.distance(r.Measures[i])
	}
	for _, c := range r.covered {
		t.covered[c] = true
	}
}

// compromise returns what the values of a model are like.
func (t *tally) compromise(m *Model) Compromise {
	for i, o := range t.objectives {
		switch {
		case o.covers != nil:
			t.means[i] = 0
			for c := range t.covered {
				if c.objective == i {
					t.means[i]++
				}
			}
			t.costs[i] = -t.means[i]
		case o.measure == nil: // Valid
			t.means[i] = t.valid / t.n
			t.costs[i] = 1 - t.means[i]
		default:
			t.means[i] /= t.valid
			t.costs[i] /= t.valid
		}
	}
	return Compromise{m, t.means, t.costs}
}
