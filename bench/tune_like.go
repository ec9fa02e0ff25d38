package main

import (
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/signtest"
)

const (
	likeExamples = 300
	likeValues   = 1000
	likeSeeds    = 5
)

// likeRows compare a model of examples with counts of their choices (choices.Follow). The
// examples keep a relation: minus stands within parentheses only, and plus outside of them only.
// The figures are means of seeds, per 1,000 values: those that break the relation, and those
// that differ from each other and are none of the examples.
func likeRows() []row {
	return []row{
		{"tune/like/relation broken", "choices.Follow", oursAtMost(0), like(func(x likeTrial) int { return x.broken })},
		{"tune/like/relation distinct", "choices.Follow", oursAtLeast(400), like(func(x likeTrial) int { return x.distinct })},
	}
}

func like(of func(likeTrial) int) func(quick bool) (ours, base figure, err error) {
	return func(quick bool) (ours, base figure, err error) {
		seeds := likeSeeds
		if quick {
			seeds = 1
		}
		for seed := range seeds {
			examples := signtest.Examples(rand.New(rand.NewPCG(uint64(seed), 1)), likeExamples)
			m, err := bigen.MineModel(signtest.Gen, examples...)
			if err != nil {
				return ours, base, err
			}
			f, err := bigen.Mine(signtest.Gen, examples...)
			if err != nil {
				return ours, base, err
			}
			r := rand.New(rand.NewPCG(uint64(seed), 2))
			a := tryLike(examples, func() choices.Source { return choices.RandomBy(r, m.Prior()) })
			b := tryLike(examples, func() choices.Source { return choices.Random(r, choices.Follow(f)) })
			fmt.Fprintf(os.Stderr, "tune/like: seed %d: model %+v, Follow %+v\n", seed, a, b)
			ours.value += float64(of(a)) / float64(seeds)
			base.value += float64(of(b)) / float64(seeds)
		}
		return ours, base, nil
	}
}

// likeTrial counts values.
type likeTrial struct{ broken, distinct, examples int }

func tryLike(examples []*signtest.Expr, source func() choices.Source) (x likeTrial) {
	known, seen := map[string]bool{}, map[string]bool{}
	for _, e := range examples {
		known[e.String()] = true
	}
	for range likeValues {
		e, err := bigen.Value(signtest.Gen, source())
		if err != nil {
			panic(err)
		}
		if !signtest.Keeps(e) {
			x.broken++
		}
		switch s := e.String(); {
		case known[s]:
			x.examples++
		case !seen[s]:
			seen[s] = true
			x.distinct++
		}
	}
	return x
}
