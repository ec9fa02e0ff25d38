package rl

import (
	"math"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// algorithm1 is RLCheck's algorithm 1 as printed, one learner for each choice point, beside the
// learner that it judges.
type algorithm1 struct {
	*monteCarlo
	q          map[made]float64
	counts     map[made]float64
	episode    []made
	all, worse int // choices, and those that have another of a greater value
}

// A made is a choice at a choice point in a state.
type made struct {
	point, state uint64
	slot         int
}

// choose counts the choices that are not greedy (line 9).
func (a *algorithm1) choose(p *Path, d *decision) int {
	m := made{d.point, a.abstract(p), a.monteCarlo.choose(p, d)}
	best := a.q[m]
	for f := d.free; f != 0; f &= f - 1 {
		best = max(best, a.q[made{m.point, m.state, trailing(f)}])
	}
	if a.all++; best > a.q[m]+1e-4 {
		a.worse++
	}
	a.episode = append(a.episode, m)
	return m.slot
}

// end is lines 12 to 17, with the reward of equation 1.
func (a *algorithm1) end(o outcome) {
	a.monteCarlo.end(o)
	if o == dropped {
		return
	}
	r := map[outcome]float64{unique: 20, valid: 0, invalid: -1}[o]
	for _, m := range a.episode {
		a.q[m] = (r + a.q[m]*a.counts[m]) / (a.counts[m] + 1)
		a.counts[m]++
	}
	a.episode = nil
}

// The policy of RLCheck is the printed algorithm: it makes the same averages, and takes a choice
// that is not the best no more often than epsilon says.
func TestAlgorithm1(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		abstract Abstraction
		epsilon  float64
	}{
		{"greedy", TreeLR(4), 0},
		{"Sequence", Sequence(4), .25},
		{"Tree", Tree(4), .25},
		{"TreeLR", TreeLR(4), .25},
		{"one state", Sequence(0), .25},
	} {
		rewards := Rewards{Unique: 20, Valid: 0, Invalid: -1}
		g := New(seeded(1), MonteCarlo(c.epsilon, c.abstract, rewards))
		learner := g.learner.(*monteCarlo)
		a := &algorithm1{monteCarlo: learner, q: map[made]float64{}, counts: map[made]float64{}}
		g.learner = a
		seen := map[outcome]int{}
		for range long.Count(1000, 20_000) {
			v, err := bigen.Value(naive(3), g.Begin())
			require.NoError(t, err)
			switch {
			case !v.Valid(math.MinInt, math.MaxInt):
				g.Invalid()
				seen[invalid]++
			case g.Valid(hashOfTree(v)):
				seen[unique]++
			default:
				seen[valid]++
			}
		}
		if worse := float64(a.worse) / float64(a.all); c.epsilon == 0 {
			require.Zero(t, worse)
		} else {
			require.Len(t, seen, 3, c.name)
			require.Greater(t, worse, .03, c.name)
			require.Less(t, worse, c.epsilon+.03, c.name)
		}
		for m, q := range a.q {
			row := learner.table.row(learner.table.at(hash.Mix(m.point, m.state)))
			require.Equal(t, a.counts[m], float64(row.n[m.slot]), c.name)
			require.InDelta(t, q, row.q[m.slot], 1e-3, c.name)
		}
	}
}

// hashOfTree returns a hash of a tree, so that equal ones are not unique.
func hashOfTree(v *bsttest.Tree) uint64 {
	if v == nil {
		return 1
	}
	return hash.Mix(hash.Mix(hashOfTree(v.L), uint64(v.X)), hashOfTree(v.R))
}
