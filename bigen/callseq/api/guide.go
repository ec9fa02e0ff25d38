package api

import "math/rand/v2"

// guide chooses operations: more often those that have led to new states, or have raised
// coverage, of late.
type guide struct {
	off      bool           // all are as likely
	coverage func() float64 // or nil
	covered  float64
	batch    []*Op // called since coverage was measured
}

// batchSize is how many sequences run between two measurements of coverage.
const batchSize = 128

// pick returns an operation.
func (x *guide) pick(ops []*Op, r *rand.Rand) *Op {
	sum := 0.0
	for _, o := range ops {
		sum += x.odds(o)
	}
	at := r.Float64() * sum
	for _, o := range ops {
		if at -= x.odds(o); at < 0 {
			return o
		}
	}
	return ops[len(ops)-1]
}

// odds returns how likely an operation is to be chosen.
func (x *guide) odds(o *Op) float64 {
	if x.off {
		return o.weight
	}
	return o.weight * (.25 + o.plan.score)
}

// learn notes whether a sequence that ends with an operation had a new state.
func (x *guide) learn(o *Op, state bool) {
	if x.off {
		return
	}
	reward := 0.0
	if state {
		reward = 1
	}
	o.plan.score += .02 * (reward - o.plan.score)
	if x.coverage == nil {
		return
	}
	if x.batch = append(x.batch, o); len(x.batch) < batchSize {
		return
	}
	if now := x.coverage(); now > x.covered {
		x.covered = now
		for _, o := range x.batch {
			o.plan.score = min(2, o.plan.score+.05)
		}
	}
	x.batch = x.batch[:0]
}
