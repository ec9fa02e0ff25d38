package tune

import (
	"errors"
	"fmt"
	"math"

	"golang.org/x/exp/slices"
)

// A Sampler says how probable each outcome of a choice point is (GödelTest, section III-C).
// The outcomes are the alternatives of a pick, by index, and the integers of a range, from
// the lowest. A range of more integers than the sampler has outcomes, or than 256, is
// divided into equal parts, and within a part all integers are equally likely.
//
// The samplers are [Geometric], [Histogram], [Decay] and [Table], and what [Own] makes.
type Sampler interface {
	// params returns the parameters, numbers from 0 to 1, for an optimizer.
	params() []float64

	// with returns a sampler of the same kind with other parameters, which must be as many.
	with(params []float64) Sampler

	// outcomes returns how many outcomes the sampler has, or 0 for any number.
	outcomes() int

	// given returns what weights needs to know about the context.
	given() []Given

	// weights sets the weights of outcomes, each at most one. If all are 0, the
	// outcome is the first.
	weights(c *situation, w []uint64)

	// check reports what is wrong with the parameters.
	check() error
}

// Probabilities are fixed-point numbers, so that the answers of a model are the same on every
// machine.
const (
	fraction = 31 // bits: products and sums of many fit 64
	one      = 1 << fraction
)

// fixed returns x, from 0 to 1, as a fixed-point number. The product is exact.
func fixed(x float64) uint64 { return uint64(x * one) }

// Geometric has P(k) = (1-P) P^k, equation 2 of GödelTest: P is the probability of one more.
// The last outcome of a finite choice point gets the rest. So at a "stop or more?", P is the
// probability of more.
type Geometric struct{ P float64 }

func (s Geometric) params() []float64 { return []float64{s.P} }

func (s Geometric) with(p []float64) Sampler { return Geometric{p[0]} }

func (s Geometric) outcomes() int  { return 0 }
func (s Geometric) given() []Given { return nil }
func (s Geometric) check() error   { return checkParams("geometric", s.params()) }

func (s Geometric) weights(_ *situation, w []uint64) {
	p, tail := fixed(s.P), uint64(one)
	for k := range w[:len(w)-1] {
		next := tail * p >> fraction
		w[k], tail = tail-next, next
	}
	w[len(w)-1] = tail
}

// Histogram gives outcome k a probability in proportion to its k-th weight, equation 3 of
// GödelTest. Weights are numbers from 0. If all are 0, the outcome is the first.
type Histogram []float64

// params returns the weights, in proportion to the greatest if that is above 1.
func (s Histogram) params() []float64 {
	p, most := slices.Clone(s), 1.
	for _, x := range s {
		most = max(most, x)
	}
	for k := range p {
		p[k] /= most
	}
	return p
}

func (s Histogram) with(p []float64) Sampler { return Histogram(slices.Clone(p)) }

func (s Histogram) outcomes() int  { return len(s) }
func (s Histogram) given() []Given { return nil }

func (s Histogram) check() error {
	if len(s) == 0 || len(s) > maxOutcomes {
		return fmt.Errorf("histogram of %d weights: want 1 to %d", len(s), maxOutcomes)
	}
	return checkWeights("histogram", s)
}

func (s Histogram) weights(_ *situation, w []uint64) {
	top := 0.0
	for _, x := range s[:min(len(s), len(w))] {
		top = max(top, x)
	}
	for k := range w {
		w[k] = 0
		if k < len(s) && top > 0 {
			w[k] = fixed(s[k] / top)
		}
	}
}

// Decay multiplies parameter i of a sampler with Rates[i] at each level of depth: the meta
// sampler of GödelTest, section III-C. With rates below 1, deeper choice points take earlier
// outcomes.
type Decay struct {
	Sampler Sampler
	Rates   []float64 // as many as Sampler has parameters
}

// params returns the parameters of the sampler and then the rates.
func (s Decay) params() []float64 { return append(s.Sampler.params(), s.Rates...) }

func (s Decay) with(p []float64) Sampler {
	n := len(s.Sampler.params())
	return Decay{s.Sampler.with(p[:n]), slices.Clone(p[n:])}
}

func (s Decay) outcomes() int { return s.Sampler.outcomes() }

func (s Decay) given() []Given {
	return append(s.Sampler.given(), Given{Feature: Depth, Width: 1, Cells: maxDecay})
}

func (s Decay) check() error {
	if s.Sampler == nil {
		return errors.New("decay lacks a sampler")
	}
	if err := s.Sampler.check(); err != nil {
		return err
	}
	if n := len(s.Sampler.params()); n != len(s.Rates) {
		return fmt.Errorf("decay has %d rates for %d parameters", len(s.Rates), n)
	}
	return checkParams("decay", s.Rates)
}

// maxDecay is the depth beyond which parameters decay no further.
const maxDecay = 256

func (s Decay) weights(c *situation, w []uint64) {
	params := s.Sampler.params()
	for i, rate := range s.Rates {
		for range min(c.depth, maxDecay-1) {
			params[i] *= rate // exactly rounded, so the same on every machine
		}
	}
	s.Sampler.with(params).weights(c, w)
}

// Table is a histogram for each cell of contexts.
type Table struct {
	Given []Given           `json:"given,omitempty"`
	N     int               `json:"n"`              // outcomes
	Rest  []float64         `json:"rest"`           // the weights of cells that have none in Rows
	Rows  map[int][]float64 `json:"rows,omitempty"` // by cell; the last Given changes first
}

// params returns only the weights of Rest: the cells are for [CrossEntropy].
func (s *Table) params() []float64 { return Histogram(s.Rest).params() }

func (s *Table) with(p []float64) Sampler {
	t := *s
	t.Rest = slices.Clone(p)
	return &t
}

func (s *Table) outcomes() int  { return s.N }
func (s *Table) given() []Given { return s.Given }

func (s *Table) weights(c *situation, w []uint64) {
	Histogram(s.row(c.cell(s.Given))).weights(c, w)
}

// row returns the weights of a cell.
func (s *Table) row(cell int) []float64 {
	if row, ok := s.Rows[cell]; ok {
		return row
	}
	return s.Rest
}

func (s *Table) check() error {
	if s.N < 1 || s.N > maxOutcomes {
		return fmt.Errorf("table of %d outcomes: want 1 to %d", s.N, maxOutcomes)
	}
	if err := s.checkRow(s.Rest); err != nil {
		return err
	}
	if err := checkGiven(s.Given); err != nil {
		return fmt.Errorf("table %w", err)
	}
	cells := cellsOf(s.Given)
	for cell, row := range s.Rows {
		if cell < 0 || cell >= cells {
			return fmt.Errorf("table of %d cells has a cell %d", cells, cell)
		}
		if err := s.checkRow(row); err != nil {
			return err
		}
	}
	return nil
}

func (s *Table) checkRow(row []float64) error {
	if len(row) != s.N {
		return fmt.Errorf("table of %d outcomes has a row of %d", s.N, len(row))
	}
	return checkWeights("table", row)
}

func checkGiven(given []Given) error {
	for _, g := range given {
		if _, ok := (&situation{}).of(g.Feature); !ok {
			return fmt.Errorf("by %q, which is not a feature", g.Feature)
		}
		if g.Width < 1 || g.Cells < 1 || g.Cells > maxCells {
			return fmt.Errorf("by %v: a width of %d, %d cells", g.Feature, g.Width, g.Cells)
		}
	}
	return nil
}

func checkWeights(name string, weights []float64) error {
	for _, x := range weights {
		if !(x >= 0) || math.IsInf(x, 1) {
			return fmt.Errorf("%s has a weight %v: want a number from 0", name, x)
		}
	}
	return nil
}

func checkParams(name string, params []float64) error {
	for _, x := range params {
		if !(x >= 0 && x <= 1) || math.IsNaN(x) {
			return fmt.Errorf("%s has a parameter %v: want 0 to 1", name, x)
		}
	}
	return nil
}
