// Package loaded tunes generators as Loaded Dice does: Tjoa, Garg, Goldstein, Millstein, Pierce,
// Van den Broeck, "Tuning Random Generators: Property-Based Testing as Probabilistic Programming",
// OOPSLA 2025. The weights of choices depend on their context, and follow the gradient of an
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
	limit  int                                    // answers of a run
	choose func(probs []float64, word uint64) int // one of the outcomes
	record bool                                   // whether runs have visits

	now   run
	asked int
	stack []around // the enclosing picks
	probs []float64
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

// An around is an enclosing pick.
type around struct {
	what    uint64 // a hash of its slot and its tag
	element int32  // of a sequence, which it is or is in
}

// A run is what a policy has answered since Begin.
type run struct {
	logProb float64 // of all answers
	failed  bool    // there were more answers than the limit
	valid   bool
	visits  []visit
}

// A visit is an answer of a policy.
type visit struct {
	rows    [contexts]*row
	probs   []float64
	outcome int
	what    uint64 // a hash of the second context and the outcome
}

func newPolicy(limit int) *policy {
	return &policy{rows: map[uint64]*row{}, limit: limit, choose: draw}
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
func (p *policy) Begin() {
	p.now, p.asked, p.stack = run{}, 0, p.stack[:0]
}

func (p *policy) Pick(q *choices.Question, word uint64) int {
	if !p.within() {
		return 0
	}
	p.probs = p.probs[:0]
	for i := range q.Alts {
		p.probs = append(p.probs, q.Alts[i].Weight)
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
	p.probs = p.probs[:0]
	for k := range n {
		p.probs = append(p.probs, float64(begin(k+1)-begin(k)))
	}
	k := uint64(p.outcome(q, n, word))
	size := begin(k+1) - begin(k)
	p.now.logProb -= math.Log(float64(size))
	return int64(uint64(q.Lo) + begin(k) + hash.Mix(word, 1)%size)
}

func (p *policy) Text(q *choices.Question, word uint64) string {
	if !p.within() {
		return q.SimplestText()
	}
	s := q.DrawText(word)
	p.now.logProb += q.LogProb(&choices.Choice{Kind: choices.Text, Tag: s})
	return s
}

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

// outcome answers a question, whose alternatives have a hash, by the weights in p.probs.
func (p *policy) outcome(q *choices.Question, family, word uint64) int {
	v := visit{what: hash.Mix(hash.Mix(uint64(q.Kind)<<32|uint64(q.Slot), family), 1)}
	p.contexts(q, &v)
	highest := math.Inf(-1)
	for k, w := range p.probs {
		x := math.Log(w) // of an alternative without weight, -Inf
		for _, r := range v.rows {
			x += r.theta[k]
		}
		p.probs[k], highest = x, max(highest, x)
	}
	if math.IsInf(highest, -1) {
		return 0
	}
	sum := 0.0
	for k, x := range p.probs {
		p.probs[k] = math.Exp(x - highest)
		sum += p.probs[k]
	}
	for k := range p.probs {
		p.probs[k] /= sum
	}
	k := p.choose(p.probs, word)
	p.now.logProb += math.Log(p.probs[k])
	if p.record {
		v.probs, v.outcome, v.what = slices.Clone(p.probs), k, hash.Mix(v.what, uint64(k))
		p.now.visits = append(p.now.visits, v)
	}
	return k
}

// element returns which element of the innermost sequence asks q.
func (p *policy) element(q *choices.Question) int32 {
	if q.Index > 0 || q.Element() || len(p.stack) == 0 {
		return q.Index
	}
	return p.stack[len(p.stack)-1].element
}

// contexts sets the rows of a visit from its point, and its point to the second context.
func (p *policy) contexts(q *choices.Question, v *visit) {
	up := [3]uint64{}
	for i := range up {
		if at := len(p.stack) - 1 - i; at >= 0 {
			up[i] = p.stack[at].what
		}
	}
	point, parents := v.what, hash.Mix(up[0], up[1])
	depth, element := uint64(min(len(p.stack), deepest)), uint64(min(p.element(q), deepest))
	v.what = hash.Mix(point, parents)
	for i, key := range [contexts]uint64{0, parents, depth, element,
		hash.Mix(hash.Mix(parents, up[2]), depth<<8|element)} {
		key = hash.Mix(hash.Mix(point, key), uint64(i))
		if v.rows[i] = p.rows[key]; v.rows[i] == nil {
			n := len(p.probs)
			all := make([]float64, 4*n)
			v.rows[i] = &row{theta: all[:n], gradient: all[n : 2*n], mean: all[2*n : 3*n],
				square: all[3*n:]}
			p.rows[key] = v.rows[i]
		}
	}
}
