package rl

import (
	"math"
	"math/rand/v2"
)

// factors is the default learner. It takes validity for a conjunction of
// constraints, each of which is about a choice and a bit of its surroundings.
type factors struct {
	r        *rand.Rand
	table    *table[factorRow]
	patience float32
	greed    float64
	keys     []uint64
	rows     []int32
	episode  []int32
}

type factorRow struct {
	theta, n [slots]float32
}

const (
	priorTheta  = 0.9
	priorN      = 1
	validWeight = 5
	maxN        = 2000
	nearAnc     = 8
	maxLearned  = 4096
)

func newFactors(g *Guide) *factors {
	return &factors{r: g.r, table: newTable(g.memory/4, freshFactors(), 128), patience: g.patience, greed: g.greed}
}

func freshFactors() (row factorRow) {
	for i := range row.theta {
		row.theta[i], row.n[i] = priorTheta, priorN
	}
	return row
}

func (l *factors) collect(p *Path, d *decision) {
	k := l.keys[:0]
	f := p.top()
	cur := mix(d.point, f.local)
	k = append(k, cur)
	for i := len(p.frames) - 1; i > 0 && i >= len(p.frames)-nearAnc; i-- {
		k = append(k, mix(cur, p.frames[i].anc))
	}
	l.keys = k
	l.rows = l.rows[:0]
	for _, key := range k {
		if r := l.table.at(key); r >= 0 {
			l.rows = append(l.rows, r)
		}
	}
}

func (l *factors) choose(p *Path, d *decision) int {
	if len(l.episode) > maxLearned*8 {
		return d.draw(l.r)
	}
	l.collect(p, d)
	var w [slots]float32
	for i := range w {
		w[i] = 1
	}
	rows := l.table.young.rows
	for _, r := range l.rows {
		theta := &rows[r].theta
		for i := range w {
			w[i] *= theta[i]
		}
	}
	best := float32(0)
	for f := d.free; f != 0; f &= f - 1 {
		best = max(best, w[trailing(f)])
	}
	for f := d.free; f != 0; f &= f - 1 {
		i := trailing(f)
		x := w[i] / best
		if l.greed == 2 {
			x = float32(x * x) // not fused with what follows, anywhere
		} else {
			x = float32(math.Pow(float64(x), l.greed))
		}
		x += 1e-12
		if d.prior != nil {
			x *= d.prior[i]
		}
		if d.trie != nil {
			x *= d.trie.stale(i, l.patience)
		}
		w[i] = x
	}
	slot := drawWeighted(&w, d.free, l.r)
	if slot < 0 {
		slot = d.draw(l.r)
	}
	l.record(slot)
	return slot
}

func (l *factors) record(slot int) {
	if l.table.frozen {
		return
	}
	for _, r := range l.rows {
		l.episode = append(l.episode, r*slots+int32(slot))
	}
}

func (l *factors) note(p *Path, d *decision, slot int) {
	if len(l.episode) > maxLearned*8 {
		return
	}
	l.collect(p, d)
	l.record(slot)
}

func (l *factors) end(o outcome) {
	rows := l.table.young.rows
	switch o {
	case valid, unique:
		for _, e := range l.episode {
			r, i := &rows[e/slots], e%slots
			r.n[i] += validWeight
			r.theta[i] += (1 - r.theta[i]) * validWeight / r.n[i]
			r.n[i] = min(r.n[i], maxN)
		}
	case invalid:
		suspicion := float32(0)
		for _, e := range l.episode {
			suspicion += 1 - rows[e/slots].theta[e%slots]
		}
		if suspicion > 0 {
			for _, e := range l.episode {
				r, i := &rows[e/slots], e%slots
				blame := (1 - r.theta[i]) / suspicion
				r.n[i] += blame
				r.theta[i] -= r.theta[i] * blame / r.n[i]
				r.n[i] = min(r.n[i], maxN)
			}
		}
	}
	l.episode = l.episode[:0]
	l.table.tidy()
}
