package loaded

import (
	"math"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// A reward is an objective, as what each run of a batch has added to it. The sum of the rewards,
// each times the gradient of the logarithm of the run's probability, has the gradient of the
// objective as its expected value.
type reward func(batch []run) []float64

// byEntropy is for the specification entropy (section 4.3): the sum of -p log p over valid values.
// If some values are made in several ways, it is the entropy of the ways.
func byEntropy(batch []run) []float64 {
	all := make([]float64, len(batch))
	for i, r := range batch {
		if r.valid { // d(-p log p) = p (-log p - 1) d log p
			all[i] = (-r.logProb - 1) / float64(len(batch))
		}
	}
	return all
}

// byFeatures is for the expected number of different features that the valid values of a batch
// have. What a run adds to it are the features that no other run has.
func byFeatures(batch []run) []float64 {
	of, times := make([][]uint64, len(batch)), map[uint64]int{}
	for i, r := range batch {
		if r.valid {
			of[i] = features(r)
		}
		for _, f := range of[i] {
			times[f]++
		}
	}
	all := make([]float64, len(batch))
	for i := range batch {
		for _, f := range of[i] {
			if times[f] == 1 {
				all[i]++
			}
		}
	}
	return all
}

// features returns what a run has, each once: an outcome at a choice point with the two picks around
// it, and how often this is there: once, twice, up to 4, 8 and so on.
func features(r run) (all []uint64) {
	counts := map[uint64]int{}
	for _, v := range r.visits {
		n := counts[v.what]
		if counts[v.what]++; n&(n-1) == 0 { // 0, 1, 2, 4 there before
			all = append(all, hash.Mix(v.what, uint64(n)))
		}
	}
	return all
}

// Settings say how to train.
type Settings struct {
	Values int     // in all
	Batch  int     // values of a step
	Rate   float64 // the first of Adam; it falls to 0 by half a cosine
	Limit  int     // answers of a value
}

// train returns a policy for a generator after ascent by a reward. The baseline that rewards are
// compared with is the mean of the batch before, so the estimate of the gradient has no bias. The
// first batch is only for that.
func train(g bigen.Gen[any], valid func(v any) bool, by reward, s Settings, seed uint64) *policy {
	p := newPolicy(s.Limit)
	p.record = true
	r, baseline := rand.New(rand.NewPCG(seed, 7)), 0.0
	var memory choices.Tree
	steps := s.Values / s.Batch
	for step := range steps {
		batch := make([]run, s.Batch)
		for i := range batch {
			v, t, err := bigen.RunInto(memory, g, choices.RandomBy(r, p))
			memory = t[:0]
			batch[i] = p.now
			batch[i].valid = err == nil && !p.now.failed && valid(v)
		}
		rewards := by(batch)
		if step > 0 {
			for i := range batch {
				batch[i].addScore(rewards[i] - baseline)
			}
			p.ascend(s.Rate * (1 + math.Cos(math.Pi*float64(step)/float64(steps))) / 2)
		}
		baseline = 0
		for _, x := range rewards {
			baseline += x / float64(len(batch))
		}
	}
	p.record = false
	return p
}

// addScore adds to the gradients of rows the gradient of the run's log probability, times a factor.
func (r *run) addScore(factor float64) {
	for _, v := range r.visits {
		for k, prob := range v.probs {
			d := -prob
			if k == v.outcome {
				d++
			}
			for _, row := range v.rows {
				row.gradient[k] += factor * d
			}
		}
	}
}

// ascend moves the parameters along the gradient by a step of Adam (Kingma, Ba, ICLR 2015), and
// clears it. Rows without a gradient, whose contexts did not occur, stay as they are.
func (p *policy) ascend(rate float64) {
	const first, second, small = .9, .99, 1e-8
	for _, r := range p.rows {
		size := 0.0
		for _, g := range r.gradient {
			size += g * g
		}
		if size == 0 {
			continue
		}
		r.steps++
		unbiased1 := 1 - math.Pow(first, float64(r.steps))
		unbiased2 := 1 - math.Pow(second, float64(r.steps))
		for k, g := range r.gradient {
			r.mean[k] = first*r.mean[k] + (1-first)*g
			r.square[k] = second*r.square[k] + (1-second)*g*g
			r.theta[k] += rate * r.mean[k] / unbiased1 / (math.Sqrt(r.square[k]/unbiased2) + small)
			r.gradient[k] = 0
		}
	}
}
