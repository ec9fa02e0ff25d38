package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// A sampleBug is a property that fails for some of the values of a natural generator.
type sampleBug struct {
	name  string
	ours  func(src choices.Source) (fails bool)
	rapid func(t *rapid.T) (fails bool)
}

func newSampleBug[A any](name string, gen bigen.Gen[A], peer func(t *rapid.T) A, fails func(v A) bool) sampleBug {
	return sampleBug{
		name: name,
		ours: func(src choices.Source) bool {
			v, _, err := bigen.Run(gen, src)
			return err == nil && fails(v)
		},
		rapid: func(t *rapid.T) bool { return fails(peer(t)) },
	}
}

const (
	sampleRuns  = 51     // each with a seed of its own
	sampleQuick = 9      // runs with -quick
	sampleCap   = 20_000 // values after which a run gives up

	// sampleStream separates the seeds of these measurements from those with which the
	// schedule of choices.Varied was tuned.
	sampleStream = 71
)

// sampleRows count the values up to the first that fails a property: of choices.Varied,
// against rapid.Check and choices.Random.
func sampleRows() []row {
	var rows []row
	for i, b := range sampleBugs() {
		runs := func(quick bool) int {
			if quick {
				return sampleQuick
			}
			return sampleRuns
		}
		rows = append(rows,
			row{"sample/" + b.name + " values", "rapid.Check", ratioAtMost(1), func(quick bool) (figure, figure, error) {
				base, err := sampleRapid(i, runs(quick))
				return b.hunt(runs(quick), varied), base, err
			}},
			row{"sample/" + b.name + "/random values", "choices.Random", ratioAtMost(1), func(quick bool) (figure, figure, error) {
				return b.hunt(runs(quick), varied), b.hunt(runs(quick), plain), nil
			}})
	}
	return append(rows, sampleCostRows()...)
}

// sampleCostRows compare the cost of choices.Varied with that of choices.Random, in CPU
// nanoseconds per value and per choice.
func sampleCostRows() []row {
	return slices.Concat(
		sampleCost("integers", bigen.SliceOf(bigen.IntRange(0, many), 0, math.MaxInt)),
		sampleCost("records", bigen.SliceOf(genRecord, 0, math.MaxInt)),
		sampleCost("sets", genSet(0, lastKey)),
		sampleCost("expressions", genArith()),
		sampleCost("pair", bigen.ArrayOf[[2]int](bigen.IntRange(0, many))),
	)
}

func sampleCost[A any](name string, g bigen.Gen[A]) []row {
	measure := func(parts func(choices.Tree) int) func(quick bool) (ours, base figure, err error) {
		values := func(source func(r *rand.Rand, i int) choices.Source) func() cost {
			r := rand.New(rand.NewPCG(1, sampleStream))
			i := 0
			return loop(func() int {
				_, t, err := bigen.Run(g, source(r, i))
				if err != nil {
					panic(err)
				}
				i++
				return parts(t)
			})
		}
		return func(quick bool) (ours, base figure, err error) {
			o, b := inTurn(quick, values(varied), values(plain))
			return figure{value: o}, figure{value: b}, nil
		}
	}
	return []row{
		{"sample/cost of " + name + "/value ns", "choices.Random", ratioAtMost(1.5), measure(func(choices.Tree) int { return 1 })},
		{"sample/cost of " + name + "/choice ns", "choices.Random", ratioAtMost(1.5), measure(func(t choices.Tree) int { return len(t) })},
	}
}

func varied(r *rand.Rand, i int) choices.Source { return choices.Varied(r, i) }
func plain(r *rand.Rand, _ int) choices.Source  { return choices.Random(r) }

// hunt returns the median number of values up to the first failure.
func (b *sampleBug) hunt(runs int, source func(r *rand.Rand, i int) choices.Source) figure {
	return medianValues(b.values(runs, source))
}

// values returns the numbers of values up to the first failure.
func (b *sampleBug) values(runs int, source func(r *rand.Rand, i int) choices.Source) (values []int) {
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), sampleStream))
		n := 1
		for n < sampleCap && !b.ours(source(r, n-1)) {
			n++
		}
		values = append(values, n)
	}
	return values
}

func medianValues(values []int) figure {
	if len(values) == 0 {
		return figure{}
	}
	slices.Sort(values)
	n := values[len(values)/2]
	return figure{value: float64(n), more: n >= sampleCap}
}

// sampleEnv makes another process measure rapid: its value is the bug and the runs.
const sampleEnv = "ESPALIER_BENCH_SAMPLE"

func sampleRapid(bug, runs int) (figure, error) {
	values, err := rapidValues(bug, runs)
	return medianValues(values), err
}

// rapidValues is values for rapid.Check. The bug is an index of sampleBugs or behind them of firstBugs.
func rapidValues(bug, runs int) (values []int, err error) {
	cmd := exec.Command(os.Args[0], "-rapid.nofailfile", "-rapid.shrinktime=0s", fmt.Sprint("-rapid.checks=", sampleCap))
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d", sampleEnv, bug, runs))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &values)
	}
	if err != nil {
		return nil, fmt.Errorf("rapid: %w\n%s", err, out)
	}
	return values, nil
}

// sampleMain is the other process. It exits before the testing package reports failures.
func sampleMain(what string) {
	var bug, runs int
	if _, err := fmt.Sscan(what, &bug, &runs); err != nil {
		panic(err)
	}
	b := append(sampleBugs(), firstBugs()...)[bug]
	testing.Main(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "T", F: func(t *testing.T) {
		var values []int
		for seed := range runs {
			// rapid increments its seed for each check, so random ones keep runs apart.
			if err := flag.Set("rapid.seed", strconv.FormatUint(rand.New(rand.NewPCG(uint64(seed), sampleStream)).Uint64(), 10)); err != nil {
				panic(err)
			}
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
		if err := json.NewEncoder(os.Stdout).Encode(values); err != nil {
			panic(err)
		}
		os.Exit(0)
	}}}, nil, nil)
}
