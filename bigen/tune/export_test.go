package tune

import "github.com/espalier-go/espalier/choices"

// Params returns what Differential tunes.
func Params(m *Model) []float64 { return m.params() }

// WithParams returns m with other parameters.
func WithParams(m *Model, params []float64) *Model { return m.with(params) }

// Measured returns the measure of a tree.
func Measured(o Objective, t choices.Tree) float64 { return o.measure(t, nil) }

// Best returns the costs of the front of compromises with some costs.
func Best(costs [][]float64, most int) (best [][]float64) {
	f := &front{most: most}
	for _, c := range costs {
		f.all = append(f.all, Compromise{Costs: c})
	}
	for _, c := range f.best() {
		best = append(best, c.Costs)
	}
	return best
}

// Ranked returns the distances of runs that cover something.
func Ranked(covers [][]int) (distances []float64) {
	runs := make([]scored, len(covers))
	for i, all := range covers {
		for _, n := range all {
			runs[i].covered = append(runs[i].covered, covered{0, n})
		}
	}
	rank(runs, 0, 1)
	for _, r := range runs {
		distances = append(distances, r.distance)
	}
	return distances
}

// FeaturesOf returns what a tree covers by Variety.
func FeaturesOf(t choices.Tree) []int { return Variety().covers(t, nil) }
