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

// byEntropy is for the specification entropy: the sum of -p log p over valid values.
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
	times, all := map[int]int{}, make([]float64, len(batch))
	for _, r := range batch {
		for _, f := range r.features {
			times[f]++
		}
	}
	for i, r := range batch {
		for _, f := range r.features {
			if times[f] == 1 {
				all[i]++
			}
		}
	}
	return all
}

// features returns what a value has, each once: an answer with the two picks around it, and how
// often they are there: once, twice, up to 4, 8 and so on. An integer counts as one of 16 equal
// parts of its range. They are the features of tune.Variety.
func features(t choices.Tree) (all []int) {
	what := func(c *choices.Choice) uint64 {
		n := uint64(c.N)
		if c.Kind != choices.Pick {
			span := max(1, (uint64(c.Hi)-uint64(c.Lo))/parts+1)
			n = (n - uint64(c.Lo)) / span
		}
		return hash.Mix(uint64(c.Slot)<<16|uint64(c.Family), n)
	}
	counts := map[uint64]int{}
	for i, around := range t.Walk() {
		if t[i].Kind == choices.Text {
			continue
		}
		h := what(&t[i])
		for _, at := range around[max(0, len(around)-2):] {
			h = hash.Mix(h, what(&t[at]))
		}
		n := counts[h]
		if counts[h]++; n&(n-1) == 0 { // 0, 1, 2, 4 are there before
			all = append(all, int(hash.Mix(h, uint64(n))))
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
	r, baseline := rand.New(rand.NewPCG(seed, 7)), 0.0
	var memory choices.Tree
	steps := s.Values / s.Batch
	for step := range steps {
		batch := make([]run, s.Batch)
		for i := range batch {
			v, t, err := bigen.RunInto(memory, g, choices.RandomBy(r, p))
			batch[i], p.now.visits = p.now, nil
			batch[i].judge(v, t, err, valid)
			memory = t[:0]
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
	return p
}

// judge says what the run has made.
func (r *run) judge(v any, t choices.Tree, err error, valid func(v any) bool) {
	if r.valid = err == nil && !r.failed && valid(v); r.valid {
		r.features = features(t)
	}
}

// addScore adds to the gradients of places the gradient of the run's log probability, times a
// factor.
func (r *run) addScore(factor float64) {
	for _, v := range r.visits {
		for k, prob := range v.probs {
			d := -prob
			if k == v.outcome {
				d++
			}
			v.gradient[k] += factor * d
		}
	}
}

// ascend moves the parameters along the gradient by a step of Adam (Kingma, Ba, ICLR 2015), and
// clears it. Rows without a gradient, whose contexts did not occur, stay as they are.
func (p *policy) ascend(rate float64) {
	const first, second, small = .9, .99, 1e-8
	p.spread()
	p.step++
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

// spread adds the gradients of places to those of their rows.
func (p *policy) spread() {
	for _, at := range p.order {
		for k, g := range at.gradient {
			for _, r := range at.rows {
				r.gradient[k] += g
			}
			at.gradient[k] = 0
		}
	}
}
