// Package loaded tunes generators as Loaded Dice does: Tjoa, Garg, Goldstein, Millstein, Pierce,
// Van den Broeck, "Tuning Random Generators: Property-Based Testing as Probabilistic Programming",
// arXiv 2508.14394. The weights of choices depend on their context, and follow the gradient of an
// objective by the score function estimator, REINFORCE.
package loaded

import (
	"math"
	"slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// A policy is a choice model. The probability of an outcome is its own in the generator, times the
// exponentials of its parameters in several contexts, in proportion:
//
//	0  the choice point: what the alternatives are, and the slot
//	1  the point, and the slots and tags of the two enclosing picks
//	2  the point, and how many picks enclose it
//	3  the point, and which element of the innermost sequence asks
//	4  all of these, and the third enclosing pick
//
// The generator's own distribution has parameters that are all 0. An integer of a large range has
// 16 outcomes, which are equal parts of the range.
type policy struct {
	rows   map[uint64]*row
	places map[uint64]*place
	order  []*place                               // so that sums are the same in each process
	limit  int                                    // answers of a run
	choose func(probs []float64, word uint64) int // one of the outcomes

	now     run
	asked   int
	stack   []around // the enclosing picks
	weights []float64
	step    int // of the ascent
}

const (
	contexts = 5
	parts    = 16
	deepest  = 15 // depths and elements beyond are not distinguished
)

// A row has the parameters of the outcomes at a point in one context.
type row struct {
	theta, gradient []float64

	steps        int // of Adam, with its means of the gradient and its square
	mean, square []float64
}

// A place is a point in all its contexts. It remembers its last probabilities.
type place struct {
	rows     [contexts]*row
	gradient []float64 // for each of the rows

	weights, probs []float64
	step           int
}

// An around is an enclosing pick.
type around struct {
	what    uint64 // a hash of its slot and its tag
	element int32  // of a sequence, which it is or is in
}

// A run is what a policy has answered since Begin.
type run struct {
	logProb  float64 // of all answers but texts
	failed   bool    // there were more answers than the limit
	visits   []visit
	valid    bool
	features []int // of a valid value
}

// A visit is an answer of a policy.
type visit struct {
	*place
	probs   []float64
	outcome int
}

func newPolicy(limit int) *policy {
	return &policy{rows: map[uint64]*row{}, places: map[uint64]*place{}, limit: limit, choose: draw}
}

// draw returns an outcome by 64 random bits.
func draw(probs []float64, word uint64) int {
	x, last := float64(word>>11)/(1<<53), 0
	for k, p := range probs {
		if p > 0 {
			if x < p {
				return k
			}
			x, last = x-p, k
		}
	}
	return last // by rounding
}

// Begin implements [choices.Prior], as the other exported methods do.
func (p *policy) Begin() { p.now, p.asked, p.stack = run{visits: p.now.visits[:0]}, 0, p.stack[:0] }

func (p *policy) Pick(q *choices.Question, word uint64) int {
	if !p.within() {
		return 0
	}
	p.weights = p.weights[:0]
	for i := range q.Alts {
		p.weights = append(p.weights, q.Alts[i].Weight)
	}
	return p.outcome(q, uint64(q.Family()), word)
}

func (p *policy) Int(q *choices.Question, word uint64) int64 {
	span := uint64(q.Hi) - uint64(q.Lo) + 1 // 0 is 2^64
	switch {
	case !p.within():
		return q.Kind.Origin(q.Lo, q.Hi)
	case q.Edges || span == 0:
		n := q.DrawInt(word)
		p.now.logProb += q.LogProb(&choices.Choice{Kind: q.Kind, N: n, Lo: q.Lo, Hi: q.Hi})
		return n
	}
	n := min(span, parts)
	begin := func(k uint64) uint64 { return k*(span/n) + min(k, span%n) }
	p.weights = p.weights[:0]
	for k := range n {
		p.weights = append(p.weights, float64(begin(k+1)-begin(k)))
	}
	k := uint64(p.outcome(q, n, word))
	size := begin(k+1) - begin(k)
	p.now.logProb -= math.Log(float64(size))
	return int64(uint64(q.Lo) + begin(k) + hash.Mix(word, 1)%size)
}

func (p *policy) Text(q *choices.Question, word uint64) string { return q.DrawText(word) }

func (p *policy) Picked(q *choices.Question, n int) {
	what := hash.Mix(uint64(q.Slot), uint64(hash.FNV32(q.Alts[n].Tag)))
	p.stack = append(p.stack, around{what, p.element(q)})
}

func (p *policy) Leave() { p.stack = p.stack[:len(p.stack)-1] }

func (p *policy) IntGiven(*choices.Question, int64)   {}
func (p *policy) TextGiven(*choices.Question, string) {}

func (p *policy) within() bool {
	p.asked++
	p.now.failed = p.asked > p.limit
	return !p.now.failed
}

// outcome answers a question, whose alternatives have a hash, by p.weights.
func (p *policy) outcome(q *choices.Question, family, word uint64) int {
	at := p.place(q, family)
	if at.step != p.step || !slices.Equal(at.weights, p.weights) {
		at.weights = append(at.weights[:0], p.weights...)
		at.step, at.probs = p.step, at.softmax()
	}
	k := p.choose(at.probs, word)
	p.now.logProb += math.Log(at.probs[k])
	p.now.visits = append(p.now.visits, visit{at, at.probs, k})
	return k
}

// softmax returns the probabilities of outcomes: of the first if no outcome has a weight.
func (at *place) softmax() []float64 {
	probs, sum := make([]float64, len(at.weights)), 0.0
	for k, w := range at.weights {
		x := 0.0
		for _, r := range at.rows {
			x += r.theta[k]
		}
		probs[k] = w * math.Exp(x)
		sum += probs[k]
	}
	if sum == 0 {
		probs[0], sum = 1, 1
	}
	for k := range probs {
		probs[k] /= sum
	}
	return probs
}

// element returns which element of the innermost sequence asks q.
func (p *policy) element(q *choices.Question) int32 {
	if q.Index > 0 || q.Element() || len(p.stack) == 0 {
		return q.Index
	}
	return p.stack[len(p.stack)-1].element
}

// place returns the place of a question.
func (p *policy) place(q *choices.Question, family uint64) *place {
	up := [3]uint64{}
	for i := range up {
		if at := len(p.stack) - 1 - i; at >= 0 {
			up[i] = p.stack[at].what
		}
	}
	point := hash.Mix(hash.Mix(uint64(q.Kind)<<32|uint64(q.Slot), family), 1)
	parents := hash.Mix(up[0], up[1])
	depth, element := uint64(min(len(p.stack), deepest)), uint64(min(p.element(q), deepest))
	all := hash.Mix(hash.Mix(parents, up[2]), depth<<8|element)
	at := p.places[hash.Mix(point, all)]
	if at != nil {
		return at
	}
	n := len(p.weights)
	at = &place{gradient: make([]float64, n), step: -1}
	for i, key := range [contexts]uint64{0, parents, depth, element, all} {
		key = hash.Mix(hash.Mix(point, key), uint64(i))
		if p.rows[key] == nil {
			room := make([]float64, 4*n)
			p.rows[key] = &row{theta: room[:n], gradient: room[n : 2*n], mean: room[2*n : 3*n],
				square: room[3*n:]}
		}
		at.rows[i] = p.rows[key]
	}
	p.places[hash.Mix(point, all)], p.order = at, append(p.order, at)
	return at
}
