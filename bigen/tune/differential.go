package tune

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/espalier-go/espalier/internal/hash"
)

const (
	differenceWeight = .7 // the paper's F
	crossover        = .5 // the paper's CR: the share of parameters that change
)

// neighbors is how many consecutive models the parents are taken from.
const neighbors = 8

// Differential returns m with the parameters that meet the objectives best, by differential
// evolution as in GödelTest, section V-D:
//
//  1. The models of the population have random parameters from 0 to 1.
//  2. A step takes four different parents from eight consecutive models (trivial geography; the
//     population is a ring): the one to be replaced, x, and a, b, c. Each parameter of the
//     candidate is taken from a + F (b - c) with probability CR, and at least one is; the others
//     are taken from x. A parameter outside 0 to 1 is drawn again.
//  3. The candidate replaces x at once (steady state) if its fitness is at most the fitness of
//     x.
//  4. The fitness is the sum of weighted global ratios (SWGR), with equal weights, of the root mean
//     square distance to the target for each objective, and of the failure rate: a ratio says where
//     each of them lies between the least and the greatest of all models so far. If all values
//     fail, the distances are undefined: their ratio is 1.
//
// If ctx ends, Differential returns the error of ctx and the best model so far. It panics if
// the population has fewer than 8 models, or if m has no parameters.
func Differential(ctx context.Context, s *Subject, m *Model, o Options) (*Model, error) {
	o.defaults(200, 10)
	s = s.until(ctx)
	if o.Population < neighbors {
		panic(fmt.Sprintf("tune: a population of %d: want at least %d", o.Population, neighbors))
	}
	d := &evolution{o: o, s: s, m: m, r: rand.New(rand.NewPCG(o.Seed, 2)), size: len(m.params())}
	if d.size == 0 {
		panic("tune: the model has no parameters: set samplers")
	}
	d.rounds = &rounds{s: s, o: &d.o}
	d.bounds = make([]bounds, len(s.Objectives)+1)
	for i := range d.bounds {
		d.bounds[i] = bounds{math.Inf(1), math.Inf(-1)}
	}
	err := d.run(ctx)
	if len(d.population) == 0 {
		return m, err
	}
	best := 0
	for i := range d.population {
		if d.fitness(d.population[i].costs) < d.fitness(d.population[best].costs) {
			best = i
		}
	}
	return m.with(d.population[best].params), err
}

// evolution is a search by [Differential].
type evolution struct {
	o      Options
	s      *Subject
	m      *Model
	r      *rand.Rand
	rounds *rounds
	size   int // parameters

	population []individual
	bounds     []bounds // of each cost
}

type individual struct{ params, costs []float64 }

// bounds are the least and the greatest of a cost.
type bounds struct{ lo, hi float64 }

func (d *evolution) run(ctx context.Context) error {
	for n := range d.o.Rounds * d.o.Population {
		x := -1
		var params []float64
		if len(d.population) < d.o.Population {
			params = make([]float64, d.size)
			for i := range params {
				params[i] = round(d.r.Float64())
			}
		} else {
			x, params = d.candidate()
		}
		costs := d.evaluate(params, uint64(n))
		switch {
		case x < 0:
			d.population = append(d.population, individual{params, costs})
		case d.fitness(costs) <= d.fitness(d.population[x].costs):
			d.population[x] = individual{params, costs}
		}
		if (n+1)%d.o.Population == 0 {
			if done, err := d.rounds.end(ctx); done {
				return err
			}
		}
	}
	return nil
}

// candidate returns new parameters, and the model that they may replace.
func (d *evolution) candidate() (x int, params []float64) {
	first := d.r.IntN(len(d.population))
	var parents [4]int
	for i, n := range d.r.Perm(neighbors)[:len(parents)] {
		parents[i] = (first + n) % len(d.population)
	}
	x = parents[0]
	a, b, c := d.population[parents[1]].params, d.population[parents[2]].params,
		d.population[parents[3]].params
	params = make([]float64, d.size)
	always := d.r.IntN(d.size)
	for i := range params {
		params[i] = d.population[x].params[i]
		if i == always || d.r.Float64() < crossover {
			if params[i] = a[i] + differenceWeight*(b[i]-c[i]); params[i] < 0 || params[i] > 1 {
				params[i] = d.r.Float64()
			}
			params[i] = round(params[i])
		}
	}
	return x, params
}

// evaluate returns the costs of parameters: for each objective, the root mean square distance to
// the target, or NaN if all values have failed, or how much the values cover, with the other sign;
// and the failure rate.
func (d *evolution) evaluate(params []float64, n uint64) []float64 {
	objectives := d.s.Objectives
	costs, ok := make([]float64, len(objectives)+1), 0
	reached := map[covered]bool{}
	d.s.Sample(d.m.with(params), hash.Mix(d.o.Seed, n), d.o.Values, func(r *Run) {
		d.rounds.add(r)
		if r.Failed || r.Invalid {
			return
		}
		ok++
		for _, c := range r.covered {
			reached[c] = true
		}
		for i, o := range objectives {
			x := r.Measures[i] - o.Target
			costs[i] += x * x
		}
	})
	for i := range objectives {
		costs[i] = math.Sqrt(costs[i] / float64(ok))
		if objectives[i].covers != nil {
			costs[i] = 0
		}
	}
	for c := range reached {
		costs[c.objective]--
	}
	costs[len(objectives)] = 1 - float64(ok)/float64(d.o.Values)
	for i, x := range costs {
		if !math.IsNaN(x) {
			d.bounds[i] = bounds{min(d.bounds[i].lo, x), max(d.bounds[i].hi, x)}
		}
	}
	return costs
}

// fitness returns the sum of the global ratios of costs.
func (d *evolution) fitness(costs []float64) float64 {
	sum := 0.0
	for i, x := range costs {
		switch b := d.bounds[i]; {
		case math.IsNaN(x):
			sum++
		case b.hi > b.lo:
			sum += (x - b.lo) / (b.hi - b.lo)
		}
	}
	return sum
}
