package rl

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/internal/hash"
)

// Rewards are the rewards of an input by its outcome (RLCheck, equation 1).
type Rewards struct{ Unique, Valid, Invalid float64 }

// MonteCarlo replaces the default policy by the policy of RLCheck: on-policy Monte Carlo
// control (section 4.1, algorithm 1) with one learner for each choice point. With
// probability epsilon, a choice is random. Otherwise, it is the choice with the highest
// average reward in the state that a returns; among equal choices, one is drawn at random.
// Inputs may be made more than once.
//
// MonteCarlo deviates from the paper in two ways:
//
//   - A random choice follows the weights of the generator. The paper draws uniformly,
//     which is the same if all weights are equal.
//   - A question with more than 16 answers is several choices, one for each digit of the
//     answer. The digits share the state but have learners of their own. For large
//     ranges, the lowest digits are drawn at random.
//
// The paper's study has epsilon 0.25, the rewards 20, 0 and -1, and TreeLR(4).
// [New] panics if [FromPolicy] is given, too.
// MonteCarlo panics unless epsilon is from 0 to 1, or if a is nil.
func MonteCarlo(epsilon float64, a Abstraction, rewards Rewards) Option {
	if !(epsilon >= 0 && epsilon <= 1) {
		panic(fmt.Sprintf("rl.MonteCarlo: epsilon %v is not from 0 to 1", epsilon))
	}
	if a == nil {
		panic("rl.MonteCarlo: no abstraction")
	}
	return func(o *options) {
		o.plain = true
		o.newLearner = func(g *Guide) learner {
			return &monteCarlo{r: g.r, epsilon: epsilon, abstract: a, rewards: rewards,
				table: newTable(g.memory/2, monteCarloRow{}, 128)}
		}
	}
}

type monteCarlo struct {
	r        *rand.Rand
	epsilon  float64
	abstract Abstraction
	rewards  Rewards
	table    *table[monteCarloRow]
	episode  []int32 // index of the row * slots + slot
}

// monteCarloRow holds, for each choice at a point in a state, its average reward and how
// often it was made.
type monteCarloRow struct {
	q, n [slots]float32
}

func (m *monteCarlo) choose(p *Path, d *decision) int {
	row := m.table.at(hash.Mix(d.point, m.abstract(p)))
	slot := -1
	if m.r.Float64() >= m.epsilon {
		best := float32(0)
		ties := uint64(0)
		q := &m.table.row(row).q
		for f := d.free; f != 0; f &= f - 1 {
			i := trailing(f)
			switch {
			case slot < 0 || q[i] > best:
				best, slot, ties = q[i], i, 1
			case q[i] == best:
				if ties++; m.r.Uint64N(ties) == 0 {
					slot = i
				}
			}
		}
	} else {
		slot = d.draw(m.r)
	}
	m.episode = append(m.episode, row*slots+int32(slot))
	return slot
}

func (m *monteCarlo) observe(p *Path, d *decision, slot int) {
	m.episode = append(m.episode, m.table.at(hash.Mix(d.point, m.abstract(p)))*slots+int32(slot))
}

func (m *monteCarlo) mark() mark { return mark{chosen: int32(len(m.episode))} }

// reject rewards the decisions for a rejected value like the decisions for an invalid input.
func (m *monteCarlo) reject(since mark) {
	m.reward(m.episode[since.chosen:], float32(m.rewards.Invalid))
	m.episode = m.episode[:since.chosen]
}

func (m *monteCarlo) end(o outcome) {
	var reward float32
	switch o {
	case unique:
		reward = float32(m.rewards.Unique)
	case valid:
		reward = float32(m.rewards.Valid)
	case invalid:
		reward = float32(m.rewards.Invalid)
	}
	if o != dropped {
		m.reward(m.episode, reward)
	}
	m.episode = m.episode[:0]
	m.table.tidy()
}

func (m *monteCarlo) reward(choices []int32, reward float32) {
	for _, e := range choices {
		row := m.table.row(e / slots)
		i := e % slots
		row.n[i]++
		row.q[i] += (reward - row.q[i]) / row.n[i]
	}
}
