package predict

import (
	"context"
	"math"

	"golang.org/x/exp/slices"
)

// Fit returns the grammar with the weights at which a cost is least, and that cost. The paper uses
// a local search (section 7); Fit descends the gradient. Equal arguments give equal results. The
// error says that the cost does not suit the grammar: it has an unknown tag, or no value can end
// without the constructors that the cost excludes. If ctx ends, Fit returns the error of ctx, and
// the best weights so far.
func (g *Grammar) Fit(ctx context.Context, cost Cost) (*Grammar, float64, error) {
	p, err := newProblem(g, cost)
	if err != nil {
		return nil, 0, err
	}
	z := p.start()
	from := slices.Clone(z)
	// The logarithms of weights are pulled towards their start. As the pull fades, the point moves
	// to the least cost nearby.
	for _, pull := range [...]float64{1e-1, 1e-2, 1e-3, 1e-4, 0} {
		descend(ctx, z, func(gradient []float64) float64 {
			sum := math.Log1p(p.costAt(z, gradient))
			for i := range z {
				off := z[i] - from[i]
				sum += pull * off * off
				gradient[i] += 2 * pull * off
			}
			return sum
		})
	}
	least := p.costAt(z, make([]float64, len(z)))
	if least == math.MaxFloat64 {
		least = math.Inf(1)
	}
	return g.With(p.weights(z)), least, ctx.Err()
}

// descend moves x to where f is least nearby, by Rprop (Riedmiller and Braun): each coordinate
// has a step of its own, which grows as long as the derivative keeps its sign. f sets the
// gradient.
func descend(ctx context.Context, x []float64, f func(gradient []float64) float64) {
	const rounds, first, least, most = 3000, .1, 1e-13, 1.
	steps := repeated(first, len(x))
	before, gradient, best := make([]float64, len(x)), make([]float64, len(x)), slices.Clone(x)
	for at, n := math.Inf(1), 0; n < rounds && len(x) > 0 && slices.Max(steps) > least &&
		ctx.Err() == nil; n++ {
		if value := f(gradient); value < at {
			at = value
			copy(best, x)
		}
		for i, d := range gradient {
			switch same := d * before[i]; {
			case same > 0:
				steps[i] = min(most, 1.2*steps[i])
			case same < 0:
				steps[i] /= 2
				d = 0
			}
			if before[i] = d; d != 0 {
				x[i] -= math.Copysign(steps[i], d)
			}
		}
	}
	copy(x, best)
}

// A problem is a cost as a function of the weights of a grammar.
type problem struct {
	g       *Grammar // without constructors that must not occur
	cost    *restriction
	size    int
	indices []int // of the constructors whose weights are free
}

func newProblem(g *Grammar, cost Cost) (*problem, error) {
	r, err := cost.restrict(g)
	if err != nil {
		return nil, err
	}
	weights := g.unchanged()
	for c := range weights {
		if r.banned[c] {
			weights[c] = 0
		}
	}
	p := &problem{g: r.g.weighed(weights), cost: r, size: cost.size}
	p.g.findLast()
	free := make([]bool, len(g.constructors))
	for _, t := range p.g.types {
		for _, a := range t.alts {
			if a.weight > 0 && a.prob < 1 {
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

// start returns logarithms of weights to start from: the weights of the grammar, but weights
// of recursive constructors are lowered until values end by themselves.
func (p *problem) start() []float64 {
	own, weights := p.g.Weights(), make([]float64, len(p.g.constructors))
	for scale := 1.0; scale > 1e-4; scale *= 0.8 {
		for _, t := range p.g.types {
			for n, a := range t.alts {
				if a.constructor >= 0 {
					weights[a.constructor] = own[p.g.constructors[a.constructor]]
					if !p.g.families[t.family].last[n] {
						weights[a.constructor] *= scale
					}
				}
			}
		}
		if p.g.weighed(weights).Growth() < 1 {
			break
		}
	}
	z := make([]float64, len(p.indices))
	for i, c := range p.indices {
		z[i] = math.Log(weights[c])
	}
	return z
}

// weights returns the weights whose logarithms are z, and 0 for constructors that must not
// occur. Each type's greatest weight is at least 1.
func (p *problem) weights(z []float64) Weights {
	w, most := Weights{}, map[int]float64{}
	for c, banned := range p.cost.banned {
		if banned {
			w[p.g.constructors[c]] = 0
		}
	}
	for i, c := range p.indices {
		f := p.g.familyOf[c]
		if x, ok := most[f]; !ok || z[i] > x {
			most[f] = z[i]
		}
	}
	for i, c := range p.indices {
		w[p.g.constructors[c]] = math.Exp(max(-80, z[i]-most[p.g.familyOf[c]]))
	}
	return w
}

// costAt returns the cost of weights whose logarithms are z. It sets the gradient to the derivative
// of log(1 + cost), the function to minimize, because costs differ by orders of magnitude. It is
// computed by an adjoint pass, in about the time of the cost itself.
func (p *problem) costAt(z, gradient []float64) float64 {
	weights := p.g.unchanged()
	for i, c := range p.indices {
		weights[c] = math.Exp(max(-80, min(80, z[i])))
	}
	g := p.g.weighed(weights)
	levels, counts := g.flow(p.size)
	cost, slopes := p.cost.of(counts)
	clear(gradient)
	if math.IsInf(cost, 0) || math.IsNaN(cost) {
		return math.MaxFloat64
	}
	by := make([]float64, len(g.constructors)) // change of the cost by picks, per change of log weights
	var deeper []moment
	for l := len(levels) - 1; l >= 0; l-- {
		flow := levels[l]
		level, last, order := make([]moment, len(g.types)), l == p.size, g.order
		if last {
			deeper, order = level, g.lastOrder
		}
		for _, t := range order {
			tt := &g.types[t]
			m, means := tt.moment(slopes, last, deeper, level)
			level[t] = m
			for n := range means {
				if a := &tt.alts[n]; a.constructor >= 0 {
					by[a.constructor] += flow[t] * a.at(last) * (means[n] - m.mean)
				}
			}
		}
		deeper = level
	}
	for i, c := range p.indices {
		gradient[i] = by[c] / (1 + cost)
	}
	return cost
}

// of returns the cost of counts, and its derivatives.
func (r *restriction) of(counts []float64) (cost float64, slopes []float64) {
	slopes = make([]float64, len(counts))
	for _, w := range r.wanted {
		off := -w.count
		for _, c := range w.constructors {
			off += counts[c]
		}
		cost += off * off / w.count
		for _, c := range w.constructors {
			slopes[c] += 2 * off / w.count
		}
	}
	if r.custom == nil {
		return cost, slopes
	}
	cost += r.custom(counts)
	for c, x := range counts {
		step := 1e-6 * max(1, math.Abs(x))
		counts[c] = x + step
		more := r.custom(counts)
		counts[c] = x - step
		slopes[c] += (more - r.custom(counts)) / (2 * step)
		counts[c] = x
	}
	return cost, slopes
}

// flow returns how many picks of each type there are on each level, the last of which is level
// size, and how often each thing that is counted occurs.
func (g *Grammar) flow(size int) (levels [][]float64, counts []float64) {
	counts = make([]float64, max(len(g.constructors), len(g.counted)))
	level := make([]float64, len(g.types))
	for _, k := range g.types[0].alts[0].kids {
		level[k]++
	}
	for l := 0; ; l++ {
		last, deeper, order := l == size, level, g.lastOrder
		if !last {
			deeper, order = make([]float64, len(level)), g.order
		}
		for i := len(order) - 1; i >= 0; i-- {
			if t := order[i]; level[t] != 0 {
				g.types[t].pass(&level[t], last, deeper, level, counts)
			}
		}
		if levels = append(levels, level); last {
			return levels, counts
		}
		level = deeper
	}
}

// pass adds what follows x sequences of a type that begin, or continue from another type. It sets x
// to the number of picks of the type.
func (t *typ) pass(x *float64, last bool, deeper, level, counts []float64) {
	if t.self >= 0 {
		*x = over(*x, 1-t.alts[t.self].at(last))
	}
	for n := range t.alts {
		a := &t.alts[n]
		flow := *x * a.at(last)
		if a.counts >= 0 {
			counts[a.counts] += flow
		}
		if flow == 0 {
			continue
		}
		for _, k := range a.kids {
			deeper[k] += flow
		}
		if a.next >= 0 && n != t.self {
			level[a.next] += flow
		}
	}
}

// repeated returns n times x.
func repeated[X any](x X, n int) []X {
	list := make([]X, n)
	for i := range list {
		list[i] = x
	}
	return list
}
