package predict

// visits returns how many picks of each type a value has, up to a last level.
func (g *Grammar) visits(size int) []float64 {
	p := g.plan()
	total := make([]float64, len(g.types))
	free, last := p.flow(size)
	for _, level := range append(free, last) {
		for t, x := range level {
			total[t] += x
		}
	}
	return total
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
