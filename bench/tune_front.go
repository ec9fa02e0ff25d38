package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/espalier-go/espalier/bigen/tune"
	paper "github.com/espalier-go/espalier/examples/trees"
)

// The trees of fronts have nodes of at most frontChildren children, and are to have frontSize
// nodes.
const (
	frontChildren = 4
	frontSize     = 30
	frontValues   = 2000 // that measure a model
)

// frontSubject returns trees with two objectives that compete: a size, and a height that is too
// small for it; or a size, and that no node has one child only.
func frontSubject(name string) *tune.Subject {
	size := tune.Measure("size", frontSize, func(v paper.Tree) float64 { return float64(v.Size()) })
	if name == "height 3" {
		return tune.Of(paper.GenCounted(frontChildren), size,
			tune.Measure("height", 3, func(v paper.Tree) float64 { return float64(v.Height()) }))
	}
	return tune.OfValid(paper.GenCounted(frontChildren), forks, size, tune.Valid())
}

// forks reports whether no node has one child only.
func forks(t paper.Tree) bool {
	return len(t.Children) != 1 && !slices.ContainsFunc(t.Children, func(c paper.Tree) bool {
		return !forks(c)
	})
}

// front compares the hypervolume of a front of two objectives with that of the models of separate
// searches, which make as many values: one for each objective, and one for both.
func front(r run) (ours, base figure, err error) {
	mean := func(name string, models func(s *tune.Subject, o tune.Options) ([]*tune.Model, error),
	) func() (figure, error) {
		return func() (figure, error) {
			all, err := times("front of "+r.args[0]+", "+name, pick(r, 5, 1),
				func(seed int) (float64, error) {
					s := frontSubject(r.args[0])
					found, err := models(s, tune.Options{
						Rounds: pick(r, 16, 4), Values: 400, Limit: 300, Seed: uint64(seed),
					})
					v := hypervolume(s, found, 1<<40+uint64(seed))
					fmt.Fprintf(os.Stderr, "tune/godel/front: %s, %s, seed %d: %.4f by %d models\n",
						r.args[0], name, seed, v, len(found))
					return v, err
				})
			return number(meanOf(all, func(v float64) float64 { return v })), err
		}
	}
	return pair(mean("front", frontModels), mean("separate searches", separateModels))
}

func frontModels(s *tune.Subject, o tune.Options) (models []*tune.Model, err error) {
	all, err := tune.Front(context.Background(), s, o)
	for _, c := range all {
		models = append(models, c.Model)
	}
	return models, err
}

func separateModels(s *tune.Subject, o tune.Options) (models []*tune.Model, err error) {
	for _, objectives := range [][]tune.Objective{
		s.Objectives, s.Objectives[:1], s.Objectives[1:],
	} {
		alone := *s
		alone.Objectives = objectives
		m, err := tune.CrossEntropy(context.Background(), &alone, o)
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	return models, nil
}

// hypervolume returns the share of the square of costs from 0 to 1 that models dominate. The costs
// are of values by a seed of their own: the mean distance from the target, as a share of it; or the
// share of invalid values.
func hypervolume(s *tune.Subject, models []*tune.Model, seed uint64) (sum float64) {
	var costs [][2]float64
	for _, m := range models {
		var cost [2]float64
		valid := 0.0
		s.Sample(m, seed, frontValues, func(r *tune.Run) {
			if r.Failed || r.Invalid {
				return
			}
			valid++
			for i, o := range s.Objectives {
				cost[i] += math.Abs(r.Measures[i]-o.Target) / o.Target
			}
		})
		for i, o := range s.Objectives {
			if cost[i] /= max(1, valid); o.Name == "valid" {
				cost[i] = 1 - valid/frontValues
			}
		}
		if valid > 0 {
			costs = append(costs, cost)
		}
	}
	slices.SortFunc(costs, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	least := 1.0
	for _, c := range costs {
		if c[0] < 1 && c[1] < least {
			sum += (1 - c[0]) * (least - c[1])
			least = c[1]
		}
	}
	return sum
}
