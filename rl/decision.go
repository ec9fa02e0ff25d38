package rl

import (
	"math/bits"
	"math/rand/v2"
)

// A decision is one of at most 16, its slots: a question, or a digit of one.
type decision struct {
	point   uint64          // which one it is
	free    uint16          // the slots that may be taken: one at least
	closed  uint16          // those of them that have no weight: taken only if they must be, or if none has
	prior   *[slots]float32 // weights; nil if all are alike
	pick    bool            // the slots are the alternatives of a pick
	learned bool            // else it is drawn by the prior
	trie    *trie           // at the decision, or nil
}

const slots = 16

// decide makes one decision. A want is a slot, or something else if there is no wish.
func (g *Guide) decide(d decision, want int) int {
	if d.free&(d.free-1) == 0 {
		return trailing(d.free)
	}
	if d.closed != d.free && d.closed != 0 {
		if g.wish.is && g.wish.must && d.closed>>want&1 == 1 {
			return g.reopen(&d, want)
		}
		g.wish.is = g.wish.is && d.closed>>want&1 == 0
		if d.free &^= d.closed; d.free&(d.free-1) == 0 {
			return trailing(d.free)
		}
	}
	if g.trie != nil {
		d.trie = g.trie
		if free := g.trie.at(d.free); free != 0 {
			d.free = free
		}
	}
	slot := want
	if g.wish.is && (g.wish.must || d.free>>want&1 == 1) {
		if d.learned {
			g.learner.repeat(&g.path, &d, slot)
		}
	} else {
		g.wish.is = false
		if g.avoid >= 0 && d.free&^(1<<g.avoid) != 0 {
			d.free &^= 1 << g.avoid
		}
		switch {
		case g.needsLuck && !g.found:
			slot = g.lean(&d)
		case d.learned:
			slot = g.learner.choose(&g.path, &d)
		default:
			slot = d.draw(g.r)
		}
	}
	if g.trie != nil {
		g.trie.step(slot)
	}
	g.input = mix(g.input, uint64(slot)+1)
	return slot
}

// reopen takes a slot that has no weight. None of the inputs behind it will be made but by
// repeating others, so the trie need not know them.
func (g *Guide) reopen(d *decision, slot int) int {
	if d.learned {
		g.learner.repeat(&g.path, d, slot)
	}
	if g.trie != nil {
		g.trie.state = lost
	}
	g.input = mix(g.input, uint64(slot)+1+slots)
	return slot
}

// leaning is how often the weight of first alternatives is doubled, in turn, until
// there is a valid input: those are what ends values, and small values are more
// likely to be valid.
var leaning = [...]int{0, 0, 1, 2, 3, 4}

// lean decides before there is anything to learn from.
func (g *Guide) lean(d *decision) int {
	twice := leaning[g.tried%len(leaning)]
	if !d.pick || twice == 0 {
		return d.draw(g.r)
	}
	w := [slots]float32{}
	for i := range w {
		w[i] = 1
	}
	if d.prior != nil {
		w = *d.prior
	}
	w[0] *= float32(int(1) << twice)
	d.prior = &w
	return d.draw(g.r)
}

// draw takes a slot by the weights of the prior.
func (d *decision) draw(r *rand.Rand) int {
	if d.prior != nil {
		w := *d.prior
		if slot := drawWeighted(&w, d.free, r); slot >= 0 {
			return slot
		}
	}
	n := uint64(bits.OnesCount16(d.free))
	k, _ := bits.Mul64(r.Uint64(), n)
	free := d.free
	for ; k > 0; k-- {
		free &= free - 1
	}
	return trailing(free)
}

// drawWeighted takes one of the free slots in proportion to its weight; -1 if all
// are 0.
func drawWeighted(w *[slots]float32, free uint16, r *rand.Rand) int {
	total := float32(0)
	for f := free; f != 0; f &= f - 1 {
		total += w[trailing(f)]
	}
	if !(total > 0) {
		return -1
	}
	x := float32(float32(r.Uint64()>>40) / (1 << 24) * total) // not fused with what follows, anywhere
	last := -1
	for f := free; f != 0; f &= f - 1 {
		i := trailing(f)
		if w[i] <= 0 {
			continue
		}
		last = i
		if x -= w[i]; x < 0 {
			break
		}
	}
	return last
}

func trailing(x uint16) int { return bits.TrailingZeros16(x) }
