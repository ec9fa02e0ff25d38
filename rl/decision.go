package rl

import (
	"math/bits"
	"math/rand/v2"

	"github.com/espalier-go/espalier/internal/hash"
)

// A decision selects one of at most 16 slots. It answers a question, or gives one digit
// of the answer.
type decision struct {
	point   uint64          // identifies the decision
	free    uint16          // the slots that may be taken: at least one
	closed  uint16          // free slots of weight 0: taken only if wished for, or if all are closed
	prior   *[slots]float32 // weights; nil if all are equal
	pick    bool            // the slots are the alternatives of a pick
	learned bool            // otherwise, the prior alone decides
	trie    *trie           // at the decision, or nil
}

const (
	slotBits = 4
	slots    = 1 << slotBits
)

// wish is the answer that a replay or a revisit prescribes for a question.
type wish struct {
	n    int64 // Int, Uint; Pick: the index of the alternative
	text string
	set  bool // there is one, and the decisions so far agree with it
	must bool // even if that makes an input twice
}

// decide makes one decision. The slot want agrees with the wish; without a wish it may be
// any number.
//
//  1. If one slot is free, decide takes it.
//  2. Slots of weight 0 are free only for a replay, or if all slots have weight 0.
//  3. If some free slots are not exhausted, the exhausted ones are no longer free.
//  4. decide takes want if it is still free, or in a replay.
//  5. Otherwise it takes a free slot other than g.avoid, if there is one: by weight and
//     with a bias to small values while no input was valid, and by the learner from
//     then on.
func (g *Guide) decide(d decision, want int) int {
	if single(d.free) {
		return trailing(d.free)
	}
	if d.closed != d.free && d.closed != 0 {
		if g.wish.set && g.wish.must && d.closed>>want&1 == 1 {
			return g.reopen(&d, want)
		}
		g.wish.set = g.wish.set && d.closed>>want&1 == 0
		if d.free &^= d.closed; single(d.free) {
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
	if g.wish.set && (g.wish.must || d.free>>want&1 == 1) {
		if d.learned {
			g.learner.observe(&g.path, &d, slot)
		}
	} else {
		g.wish.set = false
		slot = g.choose(&d)
	}
	if g.trie != nil {
		g.trie.step(slot)
	}
	g.input = hash.Mix(g.input, uint64(slot)+1)
	return slot
}

// single reports whether one slot is free.
func single(free uint16) bool { return free&(free-1) == 0 }

// choose takes a free slot, not g.avoid if there is another (rule 5).
func (g *Guide) choose(d *decision) int {
	if g.avoid >= 0 && d.free&^(1<<g.avoid) != 0 {
		d.free &^= 1 << g.avoid
	}
	switch {
	case !g.plain && !g.found:
		return g.drawSmall(d)
	case d.learned:
		return g.learner.choose(&g.path, d)
	}
	return d.draw(g.r)
}

// reopen takes a slot of weight 0. Only replays make the inputs that begin with it, so
// the trie does not record them.
func (g *Guide) reopen(d *decision, slot int) int {
	if d.learned {
		g.learner.observe(&g.path, d, slot)
	}
	if g.trie != nil {
		g.trie.state = lost
	}
	g.input = hash.Mix(g.input, uint64(slot)+1+slots)
	return slot
}

// smallBias says how often the weight of the first alternative is doubled. Inputs use its
// elements in turn.
var smallBias = [...]int{0, 0, 1, 2, 3, 4}

// drawSmall decides while no input was valid. It prefers the first alternative of a pick,
// which ends values, because small values are more likely to be valid.
func (g *Guide) drawSmall(d *decision) int {
	twice := smallBias[g.tried%len(smallBias)]
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

// draw takes a free slot by the weights of the prior.
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

// drawWeighted takes one of the free slots with a probability proportional to its weight.
// It returns -1 if all weights are 0.
func drawWeighted(w *[slots]float32, free uint16, r *rand.Rand) int {
	total := float32(0)
	for f := free; f != 0; f &= f - 1 {
		total += w[trailing(f)]
	}
	if !(total > 0) {
		return -1
	}
	x := float32(float32(r.Uint64()>>40) / (1 << 24) * total) // not fused: see power
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
