package rl

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// policyFeatures is the version of the meaning of a policy's keys and rows. It must change
// when factors or paths compute other keys, when questions become other decisions, or
// when the meaning of rows changes.
const policyFeatures = 1

// A savedRow is a row of the default policy: the probability and the evidence of each slot that
// differs notably from a fresh one.
type savedRow struct {
	Key   uint64    `json:"key"`
	Slots []int     `json:"slots"`
	Theta []float32 `json:"theta"` // by Slots
	N     []float32 `json:"n"`     // by Slots
}

// notable is the least difference of a probability that is worth saving.
const notable = 1. / 64

// saved returns the rows that differ from fresh ones. If there are more than a file may have, it
// returns those with the most evidence and, among equals, the smaller keys. Even half as many make
// no measurable difference.
func (l *factors) saved() []savedRow {
	var all []savedRow
	add := func(key uint64, row *factorRow) {
		s := savedRow{Key: key}
		for i, theta := range row.theta {
			if theta < priorTheta-notable || theta > priorTheta+notable {
				s.Slots, s.Theta, s.N = append(s.Slots, i), append(s.Theta, theta), append(s.N, row.n[i])
			}
		}
		if len(s.Slots) > 0 {
			all = append(all, s)
		}
	}
	t := l.table
	for key, i := range t.young.index {
		add(key, t.young.row(i))
	}
	if t.old != nil && t.old != t.young {
		for key, i := range t.old.index {
			if t.young.find(key) < 0 {
				add(key, t.old.row(i))
			}
		}
	}
	return mostEvidence(all)
}

// mostEvidence returns as many rows as a file may have, by key.
func mostEvidence(all []savedRow) []savedRow {
	evidence := func(s savedRow) (sum float32) {
		for _, n := range s.N {
			sum += n
		}
		return sum
	}
	byKey := func(a, b savedRow) int { return cmp.Compare(a.Key, b.Key) }
	slices.SortFunc(all, byKey)
	if len(all) > maxRows {
		slices.SortStableFunc(all, func(a, b savedRow) int {
			return cmp.Compare(evidence(b), evidence(a))
		})
		all = slices.Clip(all[:maxRows])
		slices.SortFunc(all, byKey)
	}
	return all
}

// loaded returns rows in the form that the learner uses.
func loaded(saved []savedRow) *generation[factorRow] {
	g := newGeneration[factorRow]()
	for _, s := range saved {
		row := freshFactors()
		for j, i := range s.Slots {
			row.theta[i], row.n[i] = s.Theta[j], s.N[j]
		}
		g.add(s.Key, &row)
	}
	return g
}
