package rl

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/espalier-go/espalier/internal/hash"
)

// factors is the default learner. It models validity as a conjunction of constraints,
// each on a choice and one property of its surroundings. A factor is the estimated
// probability that such a constraint holds. The product of the factors of all choices
// estimates the probability that the input is valid. Each slot of a decision has a
// factor for
//
//  1. the last influence in its branch, and one each for up to two influences before it;
//  2. that last influence together with each of the enclosing branches, up to the
//     eighth: through which alternative, after which last influence, it was entered;
//  3. the subtrees made on the way here: the last one in each enclosing branch,
//     identified by its first picks;
//  4. in its branch and in the enclosing one, the last influence in the previous
//     subtree, such as the previous element.
//
// So what is learned about a key and the key above it holds at all depths, and
// irrelevant properties get factors near 1. A valid input raises its factors. An
// invalid input has failed for one reason: each factor takes a share of the blame, in
// proportion to the probability, by its own estimate, that it is the reason
// (expectation maximization of a noisy-and). Choices observed in a replay or a revisit
// are not blamed.
type factors struct {
	r     *rand.Rand
	table *table[factorRow]
	greed func() float32

	keys     []uint64
	rows     []int32   // of the keys; negative for keys that have none yet
	missing  []uint64  // keys of the episode that have no row: their factors are fresh
	chosen   []int32   // factors of the episode: row<<slotBits | slot; row ^i for missing[i]
	observed []int32   // factors of the decisions that it repeats
	doubts   []float32 // buffer of blame
}

// factorRow holds a factor for each slot, and the evidence for it.
type factorRow struct{ theta, n [slots]float32 }

const (
	priorTheta  = 0.9
	priorN      = 1
	validWeight = 5 // what a valid input counts for

	maxFactors = 1 << 15 // in one episode; later decisions are not learned
)

func newFactors(g *Guide) *factors {
	return &factors{
		r: g.r, table: newTable(g.memory/4, freshFactors(), 128),
		greed: func() float32 { return strategies[g.strategy].greed },
	}
}

func freshFactors() (row factorRow) {
	for i := range row.theta {
		row.theta[i], row.n[i] = priorTheta, priorN
	}
	return row
}

// look finds the rows of a decision: see factors.
func (l *factors) look(p *Path, d *decision) {
	f := p.top()
	own := hash.Mix(d.point, f.locals[0])
	l.keys = append(l.keys[:0], own)
	for i := 1; i < f.nLocals; i++ {
		l.keys = append(l.keys, hash.Mix(d.point, f.locals[i]+uint64(i)))
	}
	for i := len(p.frames) - 1; i > max(0, len(p.frames)-1-reach); i-- {
		l.keys = append(l.keys, hash.Mix(own, p.frames[i].way))
	}
	l.keys = append(l.keys, hash.Mix(d.point, hash.Mix(f.around, f.before)+3))
	if f.last != 0 {
		l.keys = append(l.keys, hash.Mix(own, f.last+1))
	}
	if n := len(p.frames) - 2; n >= 0 && p.frames[n].last != 0 {
		l.keys = append(l.keys, hash.Mix(own, p.frames[n].last+2))
	}
	l.rows = l.rows[:0]
	for _, key := range l.keys {
		r := l.table.find(key)
		if r < 0 {
			r = ^int32(len(l.missing))
			l.missing = append(l.missing, key)
		}
		l.rows = append(l.rows, r)
	}
}

func (l *factors) choose(p *Path, d *decision) int {
	if len(l.chosen)+len(l.observed) > maxFactors {
		return d.draw(l.r)
	}
	l.look(p, d)
	slot := l.pick(d)
	for _, r := range l.rows {
		l.chosen = append(l.chosen, r<<slotBits|int32(slot))
	}
	return slot
}

// pick draws a slot with the product of its weight in the prior, a power of its factors
// and its freshness as weight.
func (l *factors) pick(d *decision) int {
	var w [slots]float32
	for i := range w {
		w[i] = 1
	}
	used := w[:bits.Len16(d.free)]
	for _, r := range l.rows {
		if r < 0 {
			continue // equal for all slots
		}
		theta := l.table.row(r).theta[:len(used)]
		for i := range used {
			used[i] *= theta[i]
		}
	}
	best := float32(0)
	for f := d.free; f != 0; f &= f - 1 {
		best = max(best, w[trailing(f)])
	}
	greed := l.greed()
	var fresh [slots]float32
	if d.trie != nil {
		fresh = d.trie.freshness()
	}
	for f := d.free; f != 0; f &= f - 1 {
		i := trailing(f)
		x := power(w[i]/best, greed) + 1e-12
		if d.prior != nil {
			x = float32(x * d.prior[i])
		}
		if d.trie != nil {
			x = float32(x * fresh[i])
		}
		w[i] = x
	}
	if slot := drawWeighted(&w, d.free, l.r); slot >= 0 {
		return slot
	}
	return d.draw(l.r)
}

// power returns x to the power of y, which is 0.5, 2 or 4. The conversions stop compilers from
// fusing operations, which would round differently on some platforms.
func power(x, y float32) float32 {
	if y == 0.5 {
		return float32(math.Sqrt(float64(x)))
	}
	if x = float32(x * x); y == 4 {
		x = float32(x * x)
	}
	return x
}

func (l *factors) observe(p *Path, d *decision, slot int) {
	if len(l.chosen)+len(l.observed) > maxFactors {
		return
	}
	l.look(p, d)
	for _, r := range l.rows {
		l.observed = append(l.observed, r<<slotBits|int32(slot))
	}
}

func (l *factors) mark() mark { return mark{int32(len(l.chosen)), int32(len(l.observed))} }

// reject blames the decisions for a value that a filter rejected.
func (l *factors) reject(since mark) {
	if !l.table.frozen {
		l.blame(l.chosen[since.chosen:])
	}
	l.chosen, l.observed = l.chosen[:since.chosen], l.observed[:since.observed]
}

func (l *factors) end(o outcome) {
	switch {
	case l.table.frozen:
	case o == invalid:
		l.blame(l.chosen)
	case o != dropped:
		l.credit(l.chosen)
		l.credit(l.observed)
	}
	l.chosen, l.observed, l.missing = l.chosen[:0], l.observed[:0], l.missing[:0]
	l.table.tidy()
}

// at returns the row and the slot of an entry of chosen or observed.
func (l *factors) at(e int32) (*factorRow, int32) {
	r := e >> slotBits
	if r < 0 {
		r = l.table.at(l.missing[^r])
	}
	return l.table.row(r), e & (slots - 1)
}

// credit raises the factors of a valid input.
func (l *factors) credit(list []int32) {
	for _, e := range list {
		r, i := l.at(e)
		r.n[i] += validWeight
		r.theta[i] += float32((1 - r.theta[i]) * validWeight / r.n[i])
		r.n[i] = min(r.n[i], forget)
	}
}

// blame divides one failure among factors.
func (l *factors) blame(list []int32) {
	suspicion := float32(0)
	l.doubts = l.doubts[:0]
	for _, e := range list {
		r, i := l.at(e)
		doubt := 1 - r.theta[i]
		l.doubts = append(l.doubts, doubt)
		suspicion += doubt
	}
	if suspicion <= 0 {
		return
	}
	for j, e := range list {
		r, i := l.at(e)
		blame := l.doubts[j] / suspicion
		r.n[i] += blame
		r.theta[i] -= float32(r.theta[i] * blame / r.n[i])
		r.n[i] = min(r.n[i], forget)
	}
}
