package bias

import (
	"github.com/espalier-go/espalier/choices"
	"golang.org/x/exp/slices"
)

// Follow makes values like the examples that f counts: the common inputs of example-based
// generation ("Bigenerators, Exposed!", section 6.1). The weights of alternatives are the
// frequencies of their tags, so that alternatives which the examples lack do not occur. If
// none is left, as below a pick that the examples do not reach, the source takes the first
// alternative. Integers and texts are as from [Examples] without contexts: drawn, in
// proportion, from the answers of the examples that fit the question, or as usual if none fits.
//
// Since examples are finite, they contain enough of what ends values: values that follow
// them mostly end well before they are as large as a generator may make them.
//
// For smoothing, use [Weighted] with a sum of weights, as in
//
//	Weighted(func(tag string, w float64) float64 { return float64(f[Mark{Tag: tag}]) + w/10 })
//
// Later changes of f have no effect on the bias.
func Follow(f Frequencies) Bias {
	return f.bias(false, func(_, count float64) float64 { return count })
}

// Invert makes values unlike the examples that f counts: the uncommon inputs of
// example-based generation ("Bigenerators, Exposed!", section 6.1). The weight of an
// alternative whose tag occurs n times is the generator's, divided by n+1. Integers are
// drawn from those that do not occur, if the range has any. Texts that occur are avoided,
// unless the question allows few others.
//
// Later changes of f have no effect on the bias.
func Invert(f Frequencies) Bias {
	return f.bias(true, func(weight, count float64) float64 { return weight / (count + 1) })
}

// bias weighs alternatives by the count of their tags, and answers integers and texts by f.
func (f Frequencies) bias(unlike bool, weigh func(weight, count float64) float64) Bias {
	counts := map[string]float64{}
	for m, n := range f {
		if m.Kind == choices.Pick {
			counts[m.Tag] = float64(max(0, n))
		}
	}
	leaves := f.leaves()
	leaves.Unlike = unlike
	return Bias{leaves: leaves, every: 1, weigh: func(alts []choices.Alt) {
		for i := range alts {
			alts[i].Weight = weigh(alts[i].Weight, counts[alts[i].Tag])
		}
	}}
}

// leaves returns the integers and texts as examples without contexts.
func (f Frequencies) leaves() *Examples {
	m := &Examples{}
	for _, mark := range f.Marks() { // in an order that is the same in every process
		n, node := f[mark], &m.kinds[min(mark.Kind, choices.Text)]
		if mark.Kind == choices.Pick || mark.Kind > choices.Text ||
			n <= 0 || node.total == exampleTotal {
			continue
		}
		count := min(uint32(min(n, exampleCount)), exampleTotal-node.total)
		node.answers = append(node.answers, exampleAnswer{mark.Tag, mark.N, count})
		node.total += count
	}
	for k := range m.kinds {
		slices.SortFunc(m.kinds[k].answers, answerOrder(k).compare)
	}
	return m
}
