package tune

import (
	"fmt"
	"math"

	"golang.org/x/exp/slices"
)

// A Weigher is a sampler of a kind of your own, for [Own]: the point at which GödelTest's sampler
// factories are extended (section III-C).
type Weigher interface {
	// Params returns the parameters, numbers from 0 to 1, which [Differential] searches.
	Params() []float64

	// With returns a Weigher of the same kind with other parameters, as many.
	With(params []float64) Weigher

	// Outcomes returns how many outcomes there are, 1 to 256.
	Outcomes() int

	// Given returns the features of the context on which weights depend, none for a distribution
	// that is the same everywhere.
	Given() []Given

	// Weights sets the weights of all outcomes, which are 0 at first. cells has the cell of each
	// feature that Given returns. The probabilities are in proportion. What is not a positive
	// number counts as 0. If a choice point has fewer outcomes, the last ones do not occur.
	// The same parameters and cells must always give the same weights.
	Weights(cells []int, w []float64)
}

// Own returns a sampler of a kind of your own. A model with it is saved with the weights in place of
// the parameters, as a [Table].
func Own(w Weigher) Sampler { return own{w} }

type own struct{ Weigher }

func (s own) params() []float64 { return s.Params() }

func (s own) with(p []float64) Sampler { return own{s.With(p)} }

func (s own) outcomes() int { return s.Outcomes() }

func (s own) given() []Given { return s.Given() }

func (s own) check() error {
	if n := s.Outcomes(); n < 1 || n > maxOutcomes {
		return fmt.Errorf("%T of %d outcomes: want 1 to %d", s.Weigher, n, maxOutcomes)
	}
	if err := checkGiven(s.Given()); err != nil {
		return fmt.Errorf("%T: %w", s.Weigher, err)
	}
	return checkParams(fmt.Sprintf("%T", s.Weigher), s.Params())
}

func (s own) weights(c *situation, w []uint64) {
	given := s.Given()
	cells, floats := make([]int, len(given)), make([]float64, s.Outcomes())
	for i := range given {
		cells[i] = c.cell(given[i : i+1])
	}
	s.Weights(cells, floats)
	for i, x := range floats {
		if !(x > 0) || math.IsInf(x, 1) {
			floats[i] = 0
		}
	}
	Histogram(floats).weights(c, w)
}

// isOwn reports whether a sampler, or the one that decays, is of the user's kind.
func isOwn(s Sampler) bool {
	if d, ok := s.(Decay); ok {
		return isOwn(d.Sampler)
	}
	_, ok := s.(own)
	return ok
}

// tableOf returns the weights of a sampler by the cells of its contexts.
func tableOf(s Sampler) *Table {
	t := &Table{Given: s.given(), N: s.outcomes(), Rows: map[int][]float64{}}
	w := make([]uint64, t.N)
	for cell := range cellsOf(t.Given) {
		c := &situation{}
		for i, rest := len(t.Given)-1, cell; i >= 0; i-- {
			g := t.Given[i]
			value, _ := c.of(g.Feature) // two may be of one feature
			c.set(g.Feature, max(value, rest%g.Cells*g.Width))
			rest /= g.Cells
		}
		s.weights(c, w)
		row := make([]float64, t.N)
		if most := slices.Max(w); most > 0 {
			for k, x := range w {
				row[k] = float64(x) / float64(most)
			}
		}
		if cell == 0 {
			t.Rest = row
		} else if !slices.Equal(row, t.Rest) {
			t.Rows[cell] = row
		}
	}
	return t
}
