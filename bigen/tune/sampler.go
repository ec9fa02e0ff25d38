package tune

import (
	"fmt"
	"math"

	"golang.org/x/exp/slices"
)

// A Sampler says how probable each outcome of a choice point is (GödelTest, section III-C).
// The outcomes are the alternatives of a pick, by index, and the integers of a range, from
// the lowest. A range of more integers than the sampler has outcomes, or than 256, is
// divided into equal parts, and within a part all integers are equally likely.
//
// The samplers are [Geometric], [Histogram], [Decay], [Mixture], [Truncated] and [Table].
// Those that others are made of must not be nil.
type Sampler interface {
	// Params returns the parameters, numbers from 0 to 1, for an optimizer.
	Params() []float64

	// With returns a sampler of the same kind with other parameters.
	// It panics unless there are as many.
	With(params []float64) Sampler

	// outcomes returns how many outcomes the sampler has, 0 for any number.
	outcomes() int

	// given returns all that weights needs to know of the context.
	given() []Given

	// weights sets the weights of outcomes, each at most one. All have weight 0 if the
	// outcome is to be the first.
	weights(c *Context, w []uint64)

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
// The last outcome of a finite choice point gets the rest. So at a "stop or more?" it is the
// probability of more.
type Geometric struct{ P float64 }

// Params implements [Sampler]: P alone.
func (s Geometric) Params() []float64 { return []float64{s.P} }

// With implements [Sampler].
func (s Geometric) With(p []float64) Sampler { return Geometric{want(p, 1)[0]} }

func (s Geometric) outcomes() int  { return 0 }
func (s Geometric) given() []Given { return nil }
func (s Geometric) check() error   { return checkParams("geometric", s.Params()) }

func (s Geometric) weights(_ *Context, w []uint64) {
	p, tail := fixed(s.P), uint64(one)
	for k := range w[:len(w)-1] {
		next := tail * p >> fraction
		w[k], tail = tail-next, next
	}
	w[len(w)-1] = tail
}

// Histogram gives outcome k a probability in proportion to its k-th weight, equation 3 of
// GödelTest. If all weights are 0, the outcome is the first.
type Histogram []float64

// Params implements [Sampler]: the weights.
func (s Histogram) Params() []float64 { return slices.Clone(s) }

// With implements [Sampler].
func (s Histogram) With(p []float64) Sampler { return Histogram(slices.Clone(want(p, len(s)))) }

func (s Histogram) outcomes() int  { return len(s) }
func (s Histogram) given() []Given { return nil }

func (s Histogram) check() error {
	if len(s) == 0 || len(s) > maxOutcomes {
		return fmt.Errorf("histogram of %d weights: want 1 to %d", len(s), maxOutcomes)
	}
	return checkParams("histogram", s)
}

func (s Histogram) weights(_ *Context, w []uint64) {
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

// Params implements [Sampler]: those of the sampler and then the rates.
func (s Decay) Params() []float64 { return append(s.Sampler.Params(), s.Rates...) }

// With implements [Sampler].
func (s Decay) With(p []float64) Sampler {
	n := len(s.Sampler.Params())
	want(p, n+len(s.Rates))
	return Decay{s.Sampler.With(p[:n]), slices.Clone(p[n:])}
}

func (s Decay) outcomes() int { return s.Sampler.outcomes() }

func (s Decay) given() []Given {
	return append(s.Sampler.given(), Given{Feature: Depth, Width: 1, Cells: maxDecay})
}

func (s Decay) check() error {
	if err := checkPart("decay", s.Sampler); err != nil {
		return err
	}
	if n := len(s.Sampler.Params()); n != len(s.Rates) {
		return fmt.Errorf("decay has %d rates for %d parameters", len(s.Rates), n)
	}
	return checkParams("decay", s.Rates)
}

// maxDecay is the depth beyond which parameters decay no further.
const maxDecay = 256

func (s Decay) weights(c *Context, w []uint64) {
	params := s.Sampler.Params()
	for i, rate := range s.Rates {
		for range min(c[Depth], maxDecay-1) {
			params[i] *= rate // exactly rounded, so the same on every machine
		}
	}
	s.Sampler.With(params).weights(c, w)
}

// Mixture is A with probability Share, else B.
type Mixture struct {
	Share float64
	A, B  Sampler
}

// Params implements [Sampler]: Share and then those of A and B.
func (s Mixture) Params() []float64 {
	return append(append([]float64{s.Share}, s.A.Params()...), s.B.Params()...)
}

// With implements [Sampler].
func (s Mixture) With(p []float64) Sampler {
	n := len(s.A.Params())
	want(p, 1+n+len(s.B.Params()))
	return Mixture{p[0], s.A.With(p[1 : 1+n]), s.B.With(p[1+n:])}
}

func (s Mixture) outcomes() int {
	if s.A.outcomes() == 0 || s.B.outcomes() == 0 {
		return 0
	}
	return max(s.A.outcomes(), s.B.outcomes())
}

func (s Mixture) given() []Given { return append(s.A.given(), s.B.given()...) }

func (s Mixture) check() error {
	if err := checkPart("mixture", s.A); err != nil {
		return err
	}
	if err := checkPart("mixture", s.B); err != nil {
		return err
	}
	return checkParams("mixture", []float64{s.Share})
}

func (s Mixture) weights(c *Context, w []uint64) {
	s.A.weights(c, w)
	normalize(w)
	b := make([]uint64, len(w))
	s.B.weights(c, b)
	normalize(b)
	share := fixed(s.Share)
	for k := range w {
		w[k] = w[k]*share>>fraction + b[k]*(one-share)>>fraction
	}
}

// Truncated is a sampler without the outcomes below Lo and above Hi. If the sampler never has
// another, the outcome is Lo.
type Truncated struct {
	Sampler Sampler
	Lo, Hi  int // 0 <= Lo <= Hi
}

// Params implements [Sampler]: those of the sampler.
func (s Truncated) Params() []float64 { return s.Sampler.Params() }

// With implements [Sampler].
func (s Truncated) With(p []float64) Sampler { return Truncated{s.Sampler.With(p), s.Lo, s.Hi} }
func (s Truncated) outcomes() int            { return s.Sampler.outcomes() }
func (s Truncated) given() []Given           { return s.Sampler.given() }

func (s Truncated) check() error {
	if s.Lo < 0 || s.Hi < s.Lo {
		return fmt.Errorf("truncated to %d to %d", s.Lo, s.Hi)
	}
	return checkPart("truncated", s.Sampler)
}

func (s Truncated) weights(c *Context, w []uint64) {
	s.Sampler.weights(c, w)
	left := uint64(0)
	for k := range w {
		if k < s.Lo || k > s.Hi {
			w[k] = 0
		}
		left += w[k]
	}
	if left == 0 {
		w[min(s.Lo, len(w)-1)] = 1
	}
}

// Table is a histogram for each cell of contexts.
type Table struct {
	Given []Given
	N     int               // outcomes
	Rest  []float64         // the weights of cells that have none in Rows
	Rows  map[int][]float64 // by cell; with several Givens, the last one's changes first
}

// Params returns the weights of Rest only: the cells are for [search].
//
// [search]: https://pkg.go.dev/github.com/espalier-go/espalier/bigen/tune/search
func (s *Table) Params() []float64 { return slices.Clone(s.Rest) }

// With implements [Sampler]: it changes Rest.
func (s *Table) With(p []float64) Sampler {
	t := *s
	t.Rest = slices.Clone(want(p, len(s.Rest)))
	return &t
}

func (s *Table) outcomes() int  { return s.N }
func (s *Table) given() []Given { return s.Given }

func (s *Table) weights(c *Context, w []uint64) {
	row, ok := s.Rows[c.cell(s.Given)]
	if !ok {
		row = s.Rest
	}
	Histogram(row).weights(c, w)
}

func (s *Table) check() error {
	if s.N < 1 || s.N > maxOutcomes {
		return fmt.Errorf("table of %d outcomes: want 1 to %d", s.N, maxOutcomes)
	}
	if err := s.checkRow(s.Rest); err != nil {
		return err
	}
	for _, g := range s.Given {
		if g.Feature >= features || g.Width < 1 || g.Cells < 1 || g.Cells > maxCells {
			return fmt.Errorf("table by %v: a width of %d, %d cells", g.Feature, g.Width, g.Cells)
		}
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
	return checkParams("table", row)
}

// normalize scales weights so that their sum is about one.
func normalize(w []uint64) {
	sum := uint64(0)
	for _, x := range w {
		sum += x
	}
	if sum == 0 {
		w[0], sum = 1, 1
	}
	for k, x := range w {
		w[k] = uint64(float64(x) / float64(sum) * one)
	}
}

func want(params []float64, n int) []float64 {
	if len(params) != n {
		panic(fmt.Sprintf("tune: %d parameters: want %d", len(params), n))
	}
	return params
}

func checkPart(name string, s Sampler) error {
	if s == nil {
		return fmt.Errorf("%s lacks a sampler", name)
	}
	return s.check()
}

func checkParams(name string, params []float64) error {
	for _, x := range params {
		if !(x >= 0 && x <= 1) || math.IsNaN(x) {
			return fmt.Errorf("%s has a parameter %v: want 0 to 1", name, x)
		}
	}
	return nil
}
