package predict

import (
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/choices"
)

// maxLevels is the greatest size that a model bounds.
const maxLevels = 1 << 15

// Model returns a model that makes values as the grammar predicts them for this size: by its
// weights, and with the last level that [Grammar.Expect] assumes. If the weights of a pick depend
// on more than its alternatives, as before [Grammar.With], the generator answers it, without a last
// level.
func (g *Grammar) Model(size int) *tune.Model {
	const (
		limit       = 1 << 16 // answers: as many as bigen allows
		maxOutcomes = 256     // of a sampler
	)
	m := tune.New()
	m.SetLimit(limit)
	for f := range g.families {
		fam := &g.families[f]
		weights := g.commonWeights(f)
		if f == 0 || len(weights) < 2 || len(weights) > maxOutcomes {
			continue
		}
		free := scaled(weights, nil)
		var s tune.Sampler = tune.Histogram(free)
		if size <= maxLevels {
			s = &tune.Table{
				Given: []tune.Given{{Feature: tune.Depth, Width: 1, Cells: size + 1}},
				N:     len(free), Rest: free,
				Rows: map[int][]float64{size: scaled(weights, fam.last)},
			}
		}
		for _, p := range fam.points {
			m.Set(tune.Point{Kind: choices.Pick, Tags: fam.tags, Slot: p.slot, In: p.in}, s)
		}
	}
	return m
}

// commonWeights returns the weights of the alternatives of a family, or nil if its types
// differ.
func (g *Grammar) commonWeights(f int) []float64 {
	common := make([]float64, len(g.families[f].tags))
	for n := range common {
		common[n] = -1
	}
	for i := range g.types {
		if g.types[i].family != f {
			continue
		}
		for n, a := range g.types[i].alts {
			switch {
			case a.absent:
			case common[n] < 0:
				common[n] = a.weight
			case common[n] != a.weight:
				return nil
			}
		}
	}
	return common
}

// scaled scales weights so that the greatest is 1. Weights that do not remain are 0. If all are 0,
// the first that remains becomes 1.
func scaled(weights []float64, remain []bool) []float64 {
	out, most := make([]float64, len(weights)), 0.0
	for n, w := range weights {
		if remain == nil || remain[n] {
			out[n] = max(0, w)
			most = max(most, w)
		}
	}
	if most <= 0 && remain != nil {
		out[firstOf(remain)], most = 1, 1
	}
	for n := range out {
		if most > 0 {
			out[n] /= most
		}
	}
	return out
}
