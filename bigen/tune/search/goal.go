package search

import (
	"context"

	"github.com/espalier-go/espalier/bigen/tune"
)

// Progress is what an optimizer tells after each round.
type Progress struct {
	Round, Rounds int     // this one, from 1, of at most so many
	Values        int     // made so far, in all rounds
	Within        float64 // the share of this round's values that are valid and meet all objectives
	Best          float64 // the greatest such share so far
	Bits          float64 // the mean information of this round's values; see [Run]
	Entropy       float64 // the same, if that of the others counts as 0; see [ValidEntropy]
}

// goal judges the values of a round.
type goal struct {
	objectives []tune.Objective
	tolerance  float64
	share      float64
	report     func(Progress)
	now        Progress

	n, within     int
	bits, entropy float64
}

// defaultTolerance is that of GödelTest, section V-F.
const defaultTolerance = .1

func newGoal(s Subject, rounds int, tolerance, share float64, report func(Progress)) *goal {
	if tolerance == 0 {
		tolerance = defaultTolerance
	}
	return &goal{objectives: s.Objectives(), tolerance: tolerance, share: share, report: report, now: Progress{Rounds: rounds}}
}

// add judges a run. It returns its distance, the sum over all objectives, and whether it is valid
// and meets all of them.
func (g *goal) add(r *Run) (distance float64, meets bool) {
	g.n++
	g.bits += r.Bits
	if r.Failed {
		return 0, false
	}
	meets = !r.Invalid
	for i, o := range g.objectives {
		d := o.Distance(r.Measures[i])
		distance += d
		meets = meets && d <= g.tolerance+1e-9
	}
	if meets {
		g.within++
		g.entropy += r.Bits
	}
	return distance, meets
}

// round ends a round. It reports whether the search may stop: because the values were good
// enough, or, with an error, because its context has ended.
func (g *goal) round(ctx context.Context) (done bool, err error) {
	g.now.Round++
	g.now.Values += g.n
	g.now.Within = float64(g.within) / float64(max(1, g.n))
	g.now.Bits = g.bits / float64(max(1, g.n))
	g.now.Entropy = g.entropy / float64(max(1, g.n))
	g.now.Best = max(g.now.Best, g.now.Within)
	g.n, g.within, g.bits, g.entropy = 0, 0, 0, 0
	if g.report != nil {
		g.report(g.now)
	}
	if err := ctx.Err(); err != nil {
		return true, err
	}
	return g.share > 0 && g.now.Within >= g.share, nil
}
