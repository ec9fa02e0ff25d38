package tune

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// Cover is the objective that values cover as much as possible together, such as the code that runs
// on them (GödelTest, section I). The function returns the numbers of what a value covers, each
// once, and may return the same slice each time. The measure of a value is how many these are.
//
// [CrossEntropy] follows the values whose share of what a round covers is largest: what n values
// of the round cover counts 1/n for each of them, which is a value's Shapley value. So values that
// cover what few others cover lead.
func Cover[A any](name string, f func(v A) []int) Objective {
	return Objective{Name: name, covers: func(v any) []int { return f(v.(A)) }}
}

// A covered is what a value covers, by one of several objectives.
type covered struct{ objective, number int }

// rank adds to the distance of each run where its share of what all runs cover, by an objective,
// stands among the shares of all: from 0 for the largest up to the weight of the objective.
func rank(runs []scored, objective int, weight float64) {
	common := map[covered]float64{}
	for _, r := range runs {
		for _, c := range r.covered {
			common[c]++
		}
	}
	shares, order := make([]float64, len(runs)), make([]int, len(runs))
	for i, r := range runs {
		order[i] = i
		for _, c := range r.covered {
			if c.objective == objective {
				shares[i] += 1 / common[c]
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(shares[b], shares[a]) })
	for at, i := range order {
		runs[i].distance += weight * float64(at) / float64(len(runs))
	}
}
