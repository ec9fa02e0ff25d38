package rl

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/internal/hash"
)

// Rewards are what an input earns (RLCheck, equation 1).
type Rewards struct{ Unique, Valid, Invalid float64 }

// MonteCarlo has the Guide learn as in RLCheck: by on-policy Monte Carlo control
// (section 4.1, algorithm 1), one learner for each choice point. With probability
// epsilon, from 0 to 1, a choice is random; else it is one of those with the highest
// average reward in the state that a tells. Inputs may be made more than once.
//
// Of the other options, [Memory] applies, [FromPolicy] and [ReadOnly] have New panic, and
// the rest is ignored. MonteCarlo panics unless epsilon is from 0 to 1,
// or if a is nil.
//
// The paper's study has epsilon 0.25, rewards 20, 0 and -1, and TreeLR(4).
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

// monteCarloRow is what is known of the choices of a point in a state.
type monteCarloRow struct {
	q, n [slots]float32 // average reward; how often
}

func (m *monteCarlo) choose(p *Path, d *decision) int {
	row := m.table.at(hash.Mix(d.point, m.abstract(p)))
	slot := -1
	if m.r.Float64() >= m.epsilon {
		best := float32(0)
		ties := uint64(0)
		q := &m.table.young.rows[row].q
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

// reject rewards what a filter has thrown away like an invalid input.
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
		row := &m.table.young.rows[e/slots]
		i := e % slots
		row.n[i]++
		row.q[i] += (reward - row.q[i]) / row.n[i]
	}
}
