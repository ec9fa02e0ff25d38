package predict

import "math"

// A problem is a cost as a function of the weights of a grammar.
type problem struct {
	plan    *plan // of the grammar without what must not occur
	cost    *restriction
	size    int
	indices []int // of the constructors whose weights are free
}

func newProblem(g *Grammar, cost Cost) (*problem, error) {
	r, err := cost.restrict(g)
	if err != nil {
		return nil, err
	}
	weights := make([]float64, len(g.constructors))
	for c := range weights {
		weights[c] = math.NaN()
		if r.banned[c] {
			weights[c] = 0
		}
	}
	p := &problem{plan: g.with(weights).plan(), cost: r, size: cost.size}
	free := make([]bool, len(g.constructors))
	for i := range g.types {
		some := 0
		for _, a := range p.plan.g.types[i].alts {
			if a.weight > 0 {
				some++
			}
		}
		for _, a := range p.plan.g.types[i].alts {
			if a.weight > 0 && some > 1 && a.constructor >= 0 {
				free[a.constructor] = true
			}
		}
	}
	for c := range free {
		if free[c] {
			p.indices = append(p.indices, c)
		}
	}
	return p, nil
}

// start returns logarithms of weights to start from: those of the grammar, of which those that
// recur are lowered as far as values end by themselves.
func (p *problem) start() []float64 {
	g := p.plan.g
	own, recurs := g.Weights(), make([]bool, len(g.constructors))
	for _, t := range g.types {
		for n, a := range t.alts {
			if a.constructor >= 0 {
				recurs[a.constructor] = !g.families[t.family].last[n]
			}
		}
	}
	weights := make([]float64, len(g.constructors))
	for scale := 1.0; scale > 1e-4; scale *= 0.8 {
		for c := range weights {
			weights[c] = own[g.constructors[c]]
			if recurs[c] {
				weights[c] *= scale
			}
		}
		if g.with(weights).Growth() < 1 {
			break
		}
	}
	z := make([]float64, len(p.indices))
	for i, c := range p.indices {
		z[i] = math.Log(weights[c])
	}
	return z
}

// weights returns the weights whose logarithms are z, and 0 for what must not occur. Each type's
// greatest weight is at least 1.
func (p *problem) weights(z []float64) Weights {
	g := p.plan.g
	w := Weights{}
	for c, banned := range p.cost.banned {
		if banned {
			w[g.constructors[c]] = 0
		}
	}
	most := map[int]float64{}
	for i, c := range p.indices {
		f := g.familyOf[c]
		if x, ok := most[f]; !ok || z[i] > x {
			most[f] = z[i]
		}
	}
	for i, c := range p.indices {
		w[g.constructors[c]] = math.Exp(max(-80, z[i]-most[g.familyOf[c]]))
	}
	return w
}

// costAt returns the cost of weights whose logarithms are z. The gradient becomes the derivative of
// log(1 + cost), which is what to minimize: costs differ by orders of magnitude. It is computed by
// an adjoint pass, in about the time of the cost itself.
func (p *problem) costAt(z, gradient []float64) float64 {
	run := p.at(z)
	free, last := run.flow(p.size)
	counts := run.counts(free, last)
	slopes := make([]float64, len(counts))
	cost := p.cost.of(counts, slopes)
	for i := range gradient {
		gradient[i] = 0
	}
	if math.IsInf(cost, 0) || math.IsNaN(cost) {
		return math.MaxFloat64
	}
	by := make([]float64, len(counts))
	deeper := make([]float64, len(run.g.types))
	for _, t := range run.last {
		run.value(t, last[t], run.probs[t], slopes, deeper, deeper, by)
	}
	for l := len(free) - 1; l >= 0; l-- {
		level := make([]float64, len(deeper))
		for _, t := range run.order {
			run.value(t, free[l][t], run.free[t], slopes, deeper, level, by)
		}
		deeper = level
	}
	for i, c := range p.indices {
		gradient[i] = by[c] / (1 + cost)
	}
	return cost
}

// at returns the plan with other weights.
func (p *problem) at(z []float64) *plan {
	run := *p.plan
	weights := make([]float64, len(run.g.constructors))
	for i, c := range p.indices {
		weights[c] = math.Exp(max(-80, min(80, z[i])))
	}
	run.free, run.probs = make([][]float64, len(run.g.types)), make([][]float64, len(run.g.types))
	for t := range run.g.types {
		total := 0.0
		for _, a := range run.g.types[t].alts {
			if a.constructor >= 0 && !a.absent {
				total += weights[a.constructor]
			}
		}
		run.probs[t] = make([]float64, len(p.plan.free[t]))
		if total == 0 { // no weight of the type is free
			run.free[t] = p.plan.free[t]
		} else {
			run.free[t] = make([]float64, len(p.plan.free[t]))
			for n, a := range run.g.types[t].alts {
				if !a.absent {
					run.free[t][n] = weights[a.constructor] / total
				}
			}
		}
		run.normalizeLast(t)
	}
	return &run
}

// flow returns how many picks of each type there are on each level, and beyond the last.
func (p *plan) flow(size int) (free [][]float64, last []float64) {
	types := p.g.types
	level := make([]float64, len(types))
	for _, k := range types[0].alts[0].kids {
		level[k]++
	}
	for range max(0, size) {
		deeper := make([]float64, len(types))
		for i := len(p.order) - 1; i >= 0; i-- {
			t := p.order[i]
			level[t] = p.pass(t, level[t], p.free[t], deeper, level)
		}
		free = append(free, level)
		level = deeper
	}
	for i := len(p.last) - 1; i >= 0; i-- {
		t := p.last[i]
		level[t] = p.pass(t, level[t], p.probs[t], level, level)
	}
	return free, level
}

// pass adds what follows on x sequences of a type that begin, or go on from another type, and
// returns how many picks of the type they are.
func (p *plan) pass(t int, x float64, probs []float64, deeper, level []float64) float64 {
	if x == 0 {
		return 0
	}
	tt := &p.g.types[t]
	if tt.self >= 0 {
		x = over(x, 1-probs[tt.self])
	}
	for n, a := range tt.alts {
		if q := probs[n]; q > 0 {
			for _, k := range a.kids {
				deeper[k] += x * q
			}
			if a.next >= 0 && n != tt.self {
				level[a.next] += x * q
			}
		}
	}
	return x
}

// counts returns how many there are of each constructor.
func (p *plan) counts(free [][]float64, last []float64) []float64 {
	counts := make([]float64, len(p.g.constructors))
	add := func(level []float64, probs [][]float64) {
		for t, x := range level {
			if x == 0 {
				continue
			}
			for n, a := range p.g.types[t].alts {
				if a.constructor >= 0 {
					counts[a.constructor] += x * probs[t][n]
				}
			}
		}
	}
	for _, level := range free {
		add(level, p.free)
	}
	add(last, p.probs)
	return counts
}

// value computes what a pick of a type adds to the cost, from what its kids add, into
// level[t]; and adds to by what x such picks add per change of the logarithms of weights.
func (p *plan) value(t int, x float64, probs, slopes, deeper, level, by []float64) {
	tt := &p.g.types[t]
	mean, again := 0.0, 0.0
	parts := make([]float64, len(tt.alts))
	for n, a := range tt.alts {
		if probs[n] == 0 {
			continue
		}
		if a.constructor >= 0 {
			parts[n] = slopes[a.constructor]
		}
		for _, k := range a.kids {
			parts[n] += deeper[k]
		}
		switch {
		case n == tt.self:
			again = probs[n]
		case a.next >= 0:
			parts[n] += level[a.next]
		}
		mean += probs[n] * parts[n]
	}
	if again < 1 {
		mean /= 1 - again
	}
	level[t] = mean
	if x == 0 {
		return
	}
	for n, a := range tt.alts {
		if probs[n] == 0 || a.constructor < 0 {
			continue
		}
		part := parts[n]
		if n == tt.self {
			part += mean
		}
		by[a.constructor] += x * probs[n] * (part - mean)
	}
}

// of returns the cost of counts, and its derivatives in slopes.
func (r *restriction) of(counts, slopes []float64) float64 {
	if r.custom != nil {
		return r.ofCustom(counts, slopes)
	}
	cost := 0.0
	for _, w := range r.wanted {
		expected := 0.0
		for _, c := range w.constructors {
			expected += counts[c]
		}
		off := expected - w.count
		cost += off * off / w.count
		for _, c := range w.constructors {
			slopes[c] += 2 * off / w.count
		}
	}
	return cost
}

// ofCustom is of for a function of the caller's, by central differences.
func (r *restriction) ofCustom(counts, slopes []float64) float64 {
	byTag := map[string]float64{}
	for tag, list := range r.constructed {
		for _, c := range list {
			byTag[tag] += counts[c]
		}
	}
	of := func(tag string) float64 { return byTag[tag] }
	cost := r.custom(of)
	for tag, list := range r.constructed {
		x := byTag[tag]
		h := 1e-6 * max(1, math.Abs(x))
		byTag[tag] = x + h
		up := r.custom(of)
		byTag[tag] = x - h
		down := r.custom(of)
		byTag[tag] = x
		for _, c := range list {
			slopes[c] = (up - down) / (2 * h)
		}
	}
	return cost
}
