package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bigen/tune/predict"
)

// localSearch is the optimizer of "Branching Processes for QuickCheck Generators", appendix
// B.4, as in DRAGEN's implementation: weights are integers, a step changes one of them by the
// heat, which cools down.
func localSearch(p *predict.Problem, size int, limit time.Duration) bigOptimum {
	const epsilon, remembered = 1e-5, 4000
	weights := make([]float64, p.Len())
	for i := range weights {
		weights[i] = 100
	}
	logs := make([]float64, p.Len())
	cost := func(w []float64) float64 {
		for i, x := range w {
			logs[i] = math.Log(x)
		}
		return p.Cost(logs, nil)
	}
	key := func(w []float64) string {
		var b strings.Builder
		for _, x := range w {
			fmt.Fprintf(&b, "%d,", int(x))
		}
		return b.String()
	}
	start := cpuTime()
	heat, at := float64(size*size), cost(weights)
	var visited []string
	for {
		seen := map[string]bool{key(weights): true}
		for _, v := range visited {
			seen[v] = true
		}
		var best []float64
		var frontier []string
		least := math.Inf(1)
		for i := range weights {
			for _, sign := range []float64{1, -1} {
				w := append([]float64(nil), weights...)
				w[i] = max(1, w[i]+sign*math.Floor(heat))
				k := key(w)
				if seen[k] {
					continue
				}
				frontier = append(frontier, k)
				if x := cost(w); x < least {
					least, best = x, w
				}
			}
		}
		spent := cpuTime() - start
		gain := at - least
		if best == nil || gain <= epsilon && heat == 1 || spent > limit {
			return bigOptimum{spent.Seconds(), min(at, least)}
		}
		if visited = append(frontier, visited...); len(visited) > remembered {
			visited = visited[:remembered]
		}
		if gain <= epsilon {
			heat = 1
		} else {
			heat = max(1, heat/(1+0.01*(least/at/float64(size))))
		}
		weights, at = best, least
	}
}
