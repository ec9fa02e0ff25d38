package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"pgregory.net/rapid"
)

// A valueBug is a property that fails for some values of natural generators, ours and rapid's.
type valueBug struct {
	name  string
	ours  func(src choices.Source) (fails bool)
	rapid func(t *rapid.T) (fails bool)
}

func newValueBug[A any](
	name string, gen bigen.Gen[A], peer func(t *rapid.T) A, fails func(v A) bool,
) valueBug {
	return valueBug{
		name: name,
		ours: func(src choices.Source) bool {
			v, _, err := bigen.Run(gen, src)
			return err == nil && fails(v)
		},
		rapid: func(t *rapid.T) bool { return fails(peer(t)) },
	}
}

const (
	valuesCap = 20_000 // values after which a run gives up

	// sampleStream separates the seeds from those with which varied.Source was tuned.
	sampleStream = 71
)

// values counts the values up to the first that fails a property, in the median: of
// varied.Source, against rapid.Check or choices.Random.
func values(by string) measure {
	return func(r run) (ours, base figure, err error) {
		bugs := valueBugs()
		bug := bugs[slices.IndexFunc(bugs, func(b valueBug) bool { return b.name == r.args[0] })]
		runs := pick(r, 51, 9)
		at := func(by string) func() ([]int, error) {
			return func() ([]int, error) {
				return once("values "+bug.name+" "+by, func() ([]int, error) {
					switch by {
					case "varied":
						return bug.values(runs, varied.Source), nil
					case "random":
						return bug.values(runs, random), nil
					}
					return asked[[]int](order{Do: "values", On: bug.name, N: runs},
						"-rapid.shrinktime=0s", "-rapid.checks=20000")
				})
			}
		}
		return both(at("varied"), at(by), medianValues)
	}
}

func random(r *rand.Rand, _ int) choices.Source { return choices.Random(r) }

// values returns the numbers of values up to the first failure.
func (b *valueBug) values(
	runs int, source func(r *rand.Rand, i int) choices.Source,
) (values []int) {
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), sampleStream))
		n := 1
		for n < valuesCap && !b.ours(source(r, n-1)) {
			n++
		}
		values = append(values, n)
	}
	return values
}

func medianValues(values []int) figure {
	return medianOf(values, func(n int) figure {
		return figure{value: float64(n), more: n >= valuesCap}
	})
}

// valuesOrder is values for rapid.Check.
func valuesOrder(o order, t *testing.T) {
	bugs := valueBugs()
	b := bugs[slices.IndexFunc(bugs, func(b valueBug) bool { return b.name == o.On })]
	var values []int
	for seed := range o.N {
		seedRapid(seed)
		n, failed := 0, false
		t.Run("", func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				if !failed {
					n++
				}
				if b.rapid(t) {
					failed = true
					t.Fatal()
				}
			})
		})
		values = append(values, n)
	}
	o.answer(values)
}

// valuesCost compares the cost of varied.Source with the cost of choices.Random, in CPU nanoseconds
// per value or per choice.
func valuesCost(r run) (ours, base figure, err error) {
	on := map[string]func(choices.Source) (choices.Tree, error){
		"integers": treeOf(bigen.SliceOf(bigen.IntRange(0, many), 0, math.MaxInt)),
		"records":  treeOf(bigen.SliceOf(genRecord, 0, math.MaxInt)),
		"sets":     treeOf(genSet(0, lastKey)),
		"pair":     treeOf(bigen.ArrayOf[[2]int](bigen.IntRange(0, many))),
	}[r.args[0]]
	cost := func(source func(r *rand.Rand, i int) choices.Source) func() cost {
		rnd, i := rand.New(rand.NewPCG(1, sampleStream)), 0
		return loop(func() int {
			t, err := on(source(rnd, i))
			if err != nil {
				panic(err)
			}
			if i++; r.args[1] == "value" {
				return 1
			}
			return len(t)
		})
	}
	o, b := inTurn(r.quick, cost(varied.Source), cost(random))
	return number(o), number(b), nil
}

func treeOf[A any](g bigen.Gen[A]) func(choices.Source) (choices.Tree, error) {
	return func(src choices.Source) (choices.Tree, error) {
		_, t, err := bigen.Run(g, src)
		return t, err
	}
}
