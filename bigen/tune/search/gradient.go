package search

import (
	"context"
	"math"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/tune"
)

// EntropyOptions are the settings of [Entropy] and [ValidEntropy]. The zero value stands for those
// in parentheses.
type EntropyOptions struct {
	Rounds   int     // (100)
	Values   int     // of a round (500)
	Rate     float64 // how far a weight's logarithm moves in a round, about (.1)
	Contexts bool    // whether weights depend on contexts, as those of [CrossEntropy] do
	Limit    int     // answers of a run (1000)
	Seed     uint64

	// From is a model to begin with, such as one of [CrossEntropy]. Its tables are tuned. Without
	// one, the search begins with all points that [tune.Inspect] finds.
	From *tune.Model

	// Tolerance, Share and Progress are as in [CrossEntropyOptions].
	Tolerance float64
	Share     float64
	Progress  func(Progress)
}

func (o *EntropyOptions) defaults() {
	if o.Rounds == 0 {
		o.Rounds = 100
	}
	if o.Values == 0 {
		o.Values = 500
	}
	if o.Rate == 0 {
		o.Rate = .1
	}
	if o.Limit == 0 {
		o.Limit = 1000
	}
}

// Entropy returns a model whose values have as much entropy of choices as possible: the mean of
// their information, [Run]'s Bits. If only one sequence of choices makes each value, that is the
// entropy of values. A run that fails counts as 0.
//
// The more there is to choose, the more entropy. So values of unlimited size grow up to the limit
// of answers: bound it, or the size.
//
// The search follows score gradients (REINFORCE with the mean as the baseline, and Adam). If ctx
// ends, it returns its error and the model of that round.
func Entropy(ctx context.Context, s Subject, o EntropyOptions) (*tune.Model, error) {
	return gradientSearch(ctx, s, o, func(r *Run, _ bool) bool { return !r.Failed })
}

// ValidEntropy is [Entropy] for valid values: it maximizes the sum of -p log p over the values
// that are valid and meet the objectives, each with the probability p. So it raises both the share
// of these values and their variety.
func ValidEntropy(ctx context.Context, s Subject, o EntropyOptions) (*tune.Model, error) {
	return gradientSearch(ctx, s, o, func(_ *Run, meets bool) bool { return meets })
}

func gradientSearch(ctx context.Context, s Subject, o EntropyOptions, counts func(r *Run, meets bool) bool) (*tune.Model, error) {
	o.defaults()
	m := o.From
	if m == nil {
		var err error
		if m, _, err = start(s, o.Seed, o.Limit, o.Contexts); err != nil {
			return nil, err
		}
	}
	a := newAscent(m)
	g := newGoal(s, o.Rounds, o.Tolerance, o.Share, o.Progress)
	for round := range o.Rounds {
		a.begin()
		err := s.Sample(a.model, o.Seed+100+uint64(round), o.Values, func(r *Run) {
			reward := 0.0
			if _, meets := g.add(r); counts(r, meets) {
				reward = r.Bits*math.Ln2 - 1 // the derivative of -p log p, by p
			}
			a.add(reward, r.Answers)
		})
		if err != nil {
			return a.model, err
		}
		if done, err := g.round(ctx); done {
			return a.model, err
		}
		a.step(o.Rate * (1 - float64(round)/float64(o.Rounds)))
	}
	return a.model, nil
}

// ascent changes the tables of a model along a gradient.
type ascent struct {
	model  *tune.Model
	points []tune.Point
	tables []*tune.Table // nil: another sampler
	rows   []map[int]*ascending

	rewards []float64
	answers []tune.Answer
	ends    []int // of each run's answers
}

// ascending is a row of a table.
type ascending struct {
	logs     []float64 // of the weights
	gradient []float64
	mean     []float64 // of gradients
	square   []float64 // the mean of their squares
	steps    int
}

func newAscent(m *tune.Model) *ascent {
	a := &ascent{model: m, points: m.Points()}
	a.tables = make([]*tune.Table, len(a.points))
	a.rows = make([]map[int]*ascending, len(a.points))
	for i, p := range a.points {
		a.tables[i], _ = m.Sampler(p).(*tune.Table)
		a.rows[i] = map[int]*ascending{}
	}
	return a
}

func (a *ascent) begin() {
	a.rewards, a.answers, a.ends = a.rewards[:0], a.answers[:0], a.ends[:0]
}

// add records a run. All its answers made it what it is, also those that were thrown away.
func (a *ascent) add(reward float64, answers []tune.Answer) {
	a.rewards = append(a.rewards, reward)
	a.answers = append(a.answers, answers...)
	a.ends = append(a.ends, len(a.answers))
}

// step moves the weights along the gradient of the mean reward, as Adam does.
func (a *ascent) step(rate float64) {
	mean, squares := 0.0, 0.0
	for _, x := range a.rewards {
		mean += x / float64(len(a.rewards))
	}
	for _, x := range a.rewards {
		squares += (x - mean) * (x - mean) / float64(len(a.rewards))
	}
	if squares == 0 {
		return
	}
	var touched []*ascending
	first := 0
	for i, end := range a.ends {
		advantage := (a.rewards[i] - mean) / math.Sqrt(squares) / float64(len(a.ends))
		for _, answer := range a.answers[first:end] {
			if r := a.row(answer); r != nil {
				if r.gradient == nil {
					r.gradient = make([]float64, len(r.logs))
					touched = append(touched, r)
				}
				r.score(answer, advantage)
			}
		}
		first = end
	}
	for _, r := range touched {
		r.adam(rate)
	}
	a.model = a.current()
}

// row returns the row of an answer, nil if no table gave it.
func (a *ascent) row(answer tune.Answer) *ascending {
	t := a.tables[answer.Point]
	if t == nil {
		return nil
	}
	r := a.rows[answer.Point][answer.Cell]
	if r == nil {
		weights, ok := t.Rows[answer.Cell]
		if !ok {
			weights = t.Rest
		}
		r = &ascending{logs: make([]float64, t.N), mean: make([]float64, t.N), square: make([]float64, t.N)}
		for k, w := range weights {
			r.logs[k] = math.Log(max(w, 1/digits))
		}
		a.rows[answer.Point][answer.Cell] = r
	}
	return r
}

// score adds the gradient of the logarithm of an answer's probability.
func (r *ascending) score(answer tune.Answer, advantage float64) {
	n := min(answer.Outcomes, len(r.logs))
	p := softmax(r.logs[:n])
	for k := range p {
		r.gradient[k] -= advantage * p[k]
	}
	r.gradient[answer.Outcome] += advantage
}

func (r *ascending) adam(rate float64) {
	const momentum, memory = .9, .99
	r.steps++
	t := float64(r.steps)
	for k, g := range r.gradient {
		r.mean[k] += (1 - momentum) * (g - r.mean[k])
		r.square[k] += (1 - memory) * (g*g - r.square[k])
		mean, square := r.mean[k]/(1-math.Pow(momentum, t)), r.square[k]/(1-math.Pow(memory, t))
		r.logs[k] += rate * mean / (math.Sqrt(square) + 1e-8)
	}
	top := slices.Max(r.logs)
	for k := range r.logs { // a weight of 1e-6 is as good as none, and can still return
		r.logs[k] = max(r.logs[k]-top, -math.Log(digits))
	}
	r.gradient = nil
}

// current returns the model with the weights of now.
func (a *ascent) current() *tune.Model {
	m := a.model.Clone()
	for i, t := range a.tables {
		if t == nil {
			continue
		}
		c := *t
		c.Rows = map[int][]float64{}
		for cell, row := range t.Rows {
			c.Rows[cell] = row
		}
		for cell, r := range a.rows[i] {
			c.Rows[cell] = rounded(softmax(r.logs))
		}
		m.Set(a.points[i], &c)
	}
	return m
}

func softmax(logs []float64) []float64 {
	p, sum, top := make([]float64, len(logs)), 0.0, slices.Max(logs)
	for k, x := range logs {
		p[k] = math.Exp(x - top)
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}
