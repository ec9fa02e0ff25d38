package tune

import (
	"cmp"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
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
	return Objective{Name: name, covers: func(_ choices.Tree, v any) []int { return f(v.(A)) }}
}

// Variety is a [Cover] of the choices of values, so nothing needs to run on them. What a value
// covers is its answers, each with the two picks around it, and whether these occur once, twice, up
// to 4 times, up to 8 times and so on. An integer counts as one of 16 equal parts of its range.
// Texts do not count.
func Variety() Objective {
	return Objective{Name: "variety", covers: func(t choices.Tree, _ any) (all []int) {
		counts := map[uint64]int{}
		for i, around := range t.Walk() {
			if t[i].Kind == choices.Text {
				continue
			}
			what := answered(&t[i])
			for _, at := range around[max(0, len(around)-2):] {
				what = hash.Mix(what, answered(&t[at]))
			}
			n := counts[what]
			if counts[what]++; n&(n-1) == 0 { // 0, 1, 2, 4 and so on came before
				all = append(all, int(hash.Mix(what, uint64(n))))
			}
		}
		return all
	}}
}

// answered returns a hash of a choice point and an answer, for [Variety].
func answered(c *choices.Choice) uint64 {
	n := uint64(c.N)
	if c.Kind != choices.Pick {
		n = (n - uint64(c.Lo)) / ((uint64(c.Hi)-uint64(c.Lo))/16 + 1)
	}
	return hash.Mix(uint64(c.Slot)<<16|uint64(c.Family), n)
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
