package tune

import (
	"context"
	"math"
)

// Options are the settings of [CrossEntropy] and [Differential]. The zero value stands for the
// defaults in parentheses, the first for CrossEntropy, the second for Differential (GödelTest,
// table II).
type Options struct {
	Rounds     int // (20; 200)
	Values     int // of a round (2000), or of each model that is tried (10)
	Population int // models at a time, and tried in a round: at least 8 (Differential: 100);
	// or that Front returns, at most (100)
	Limit int // answers of a run (CrossEntropy: 1000; otherwise the model's limit)
	Seed  uint64

	// Tolerance is how far a measure may be from its target, as a share of it (.1, as in GödelTest,
	// section V-F). The search ends early if the share Share of a round's values is within
	// Tolerance in all measures (0: never).
	Tolerance float64
	Share     float64
	Progress  func(Progress) // called after each round, unless nil
}

func (o *Options) defaults(rounds, values int) {
	if o.Rounds == 0 {
		o.Rounds = rounds
	}
	if o.Values == 0 {
		o.Values = values
	}
	if o.Population == 0 {
		o.Population = 100
	}
	if o.Limit == 0 {
		o.Limit = 1000
	}
	if o.Tolerance == 0 {
		o.Tolerance = .1
	}
}

// Progress is what a search reports after each round.
type Progress struct {
	Round  int     // from 1
	Values int     // made so far, in all rounds
	Within float64 // the share of this round's values that are valid and meet all objectives
	Bits   float64 // the mean information of this round's values; see [Run]
}

// rounds judges the values of each round.
type rounds struct {
	s   *Subject
	o   *Options
	now Progress

	n, within int
	bits      float64
}

// add judges a run.
func (g *rounds) add(r *Run) {
	g.n++
	g.bits += r.Bits
	if g.s.Meets(r, g.o.Tolerance) {
		g.within++
	}
}

// end ends a round. It reports whether the search may stop, because the values were good
// enough or, with an error, because its context has ended.
func (g *rounds) end(ctx context.Context) (done bool, err error) {
	n := float64(max(1, g.n))
	g.now = Progress{g.now.Round + 1, g.now.Values + g.n, float64(g.within) / n, g.bits / n}
	g.n, g.within, g.bits = 0, 0, 0
	if g.o.Progress != nil {
		g.o.Progress(g.now)
	}
	if err := ctx.Err(); err != nil {
		return true, err
	}
	return g.o.Share > 0 && g.now.Within >= g.o.Share, nil
}

// digits is the precision of the weights that searches try, so that the saved model is small,
// and is the one that was measured.
const digits = 1e6

// round returns x with 6 decimals. A number above 0 stays above 0.
func round(x float64) float64 {
	if x > 0 {
		x = max(x, 1/digits)
	}
	return math.Round(x*digits) / digits
}
