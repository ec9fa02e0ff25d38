package rl

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
)

// factors is the default learner. It takes validity for a conjunction of
// constraints, each of which is about a choice and a bit of its surroundings.
type factors struct {
	r        *rand.Rand
	table    *table[factorRow]
	patience float32
	g        *Guide
	found    bool
	tried    int
	keys     []uint64
	rows     []int32
	episode  []int32
	repeated []int32
}

type factorRow struct {
	theta, n [slots]float32
}

func ev(n string, d float64) float32 {
	if s := os.Getenv(n); s != "" {
		d, _ = strconv.ParseFloat(s, 64)
	}
	return float32(d)
}

var (
	priorTheta  = ev("V_TH", .9)
	priorN      = ev("V_N", 1)
	validWeight = ev("V_VW", 5)
	maxN        = ev("V_MAXN", 2000)
	nearAnc     = int(ev("V_ANC", 8))
	pat         = ev("V_PAT", 1)
	blameW      = ev("V_BL", 1)
	backTo      = ev("V_BACK", 0)
)

const maxLearned = 4096

func newFactors(g *Guide) *factors {
	fresh := factorRow{}
	for i := range fresh.theta {
		fresh.theta[i], fresh.n[i] = priorTheta, priorN
	}
	return &factors{r: g.r, table: newTable(g.memory/4, fresh, 128), patience: g.patience, g: g}
}

func (l *factors) collect(p *Path, d *decision) {
	k := l.keys[:0]
	f := p.top()
	cur := mix(d.point, f.local)
	k = append(k, cur)
	for i := len(p.frames) - 1; i > 0 && i >= len(p.frames)-nearAnc; i-- {
		if dev&1024 != 0 {
			k = append(k, mix(cur, p.frames[i].anc))
		} else {
			for _, a := range p.frames[i].ancs[:p.frames[i].nanc] {
				k = append(k, mix(cur, a))
			}
		}
	}
	if dev&2048 != 0 {
		for j := 1; j < f.nlocal; j++ {
			k = append(k, mix(d.point, f.locals[j]+1000))
		}
	}
	if dev&4096 != 0 {
		for j := 1; j < f.nlocal; j++ {
			k = append(k, mix(d.point, mix(p.frames[len(p.frames)-1].ancs[0], f.locals[j]+1000)))
		}
	}
	if dev&1 != 0 {
		k = append(k, mix(d.point, 101))
	}
	if dev&2 != 0 {
		k = append(k, mix(d.point, f.full+102))
	}
	if dev&4 != 0 && f.elder != 0 {
		k = append(k, mix(cur, f.elder+103))
	}
	if dev&8 != 0 {
		k = append(k, mix(d.point, f.elders+104))
	}
	if dev&16 != 0 {
		h := uint64(105)
		for _, a := range p.answers[max(0, len(p.answers)-2):] {
			h = mix(h, a)
		}
		k = append(k, mix(d.point, h))
	}
	if dev&32 != 0 {
		k = append(k, mix(d.point, f.skel+106))
	}
	if dev&64 != 0 {
		for i := len(p.frames) - 1; i >= 0 && i >= len(p.frames)-4; i-- {
			if e := p.frames[i].elder; e != 0 {
				k = append(k, mix(d.point, mix(e, p.frames[len(p.frames)-1].skel-p.frames[i].skel)))
			}
		}
	}
	if dev&128 != 0 {
		// elder subtrees on the way, with where
		h := uint64(0)
		for i := range p.frames {
			h = mix(h, p.frames[i].elder)
			h = mix(h, p.frames[i].way)
		}
		k = append(k, mix(d.point, h+108))
	}
	if dev&256 != 0 {
		k = append(k, mix(d.point, uint64(len(p.frames))+109))
	}
	if dev&512 != 0 && len(p.frames) > 1 {
		k = append(k, mix(cur, p.frames[len(p.frames)-1].anc*3+p.frames[len(p.frames)-2].anc+110))
	}
	l.keys = k
	l.rows = l.rows[:0]
	for _, key := range k {
		l.rows = append(l.rows, l.table.at(key))
	}
}

func (l *factors) choose(p *Path, d *decision) int {
	if len(l.episode) > maxLearned*8 {
		return d.draw(l.r)
	}
	if !l.found {
		return l.lean(d)
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
		switch l.g.greed {
		case 2:
			x *= x
		case 4:
			x *= x
			x *= x
		case 1:
		case .5:
			x = float32(math.Sqrt(float64(x)))
		default:
			x = float32(math.Pow(float64(x), float64(l.g.greed)))
		}
		x += 1e-12
		if d.prior != nil {
			x *= d.prior[i]
		}
		if d.trie != nil {
			x *= d.trie.stale(i, pat)
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
	for _, r := range l.rows {
		l.episode = append(l.episode, r*slots+int32(slot))
	}
}

func (l *factors) note(p *Path, d *decision, slot int) {
	if len(l.episode) > maxLearned*8 {
		return
	}
	l.collect(p, d)
	for _, r := range l.rows {
		l.repeated = append(l.repeated, r*slots+int32(slot))
	}
}

func (l *factors) end(o outcome) {
	if o == valid || o == unique {
		l.found = true
	}
	if !l.found && o != dropped {
		l.tried++
	}
	rows := l.table.young.rows
	switch o {
	case valid, unique:
		l.episode = append(l.episode, l.repeated...)
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
				blame := blameW * (1 - r.theta[i]) / suspicion
				r.n[i] += blame
				r.theta[i] -= r.theta[i] * blame / r.n[i]
				r.theta[i] += (priorTheta - r.theta[i]) * backTo
				r.n[i] = min(r.n[i], maxN)
			}
		}
	}
	l.episode = l.episode[:0]
	l.repeated = l.repeated[:0]
	l.table.tidy()
}

var dev, _ = strconv.Atoi(os.Getenv("RLF"))

func (l *factors) lean(d *decision) int {
	e := l.tried%6 - 1
	if !d.first || e <= 0 || leanOff || d.free&1 == 0 {
		return d.draw(l.r)
	}
	w := [slots]float32{}
	for i := range w {
		w[i] = 1
		if d.prior != nil {
			w[i] = d.prior[i]
		}
	}
	w[0] *= float32(int(1) << e)
	if i := drawWeighted(&w, d.free, l.r); i >= 0 {
		return i
	}
	return d.draw(l.r)
}

var leanOff = os.Getenv("V_LEAN") != ""
