package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync"

	"github.com/espalier-go/espalier/bigen/callseq/api"
)

// containersPackages are those that ./containers calls.
const containersPackages = "container/heap,container/list,container/ring,github.com/emirpasic/gods/v2/trees/binaryheap,github.com/emirpasic/gods/v2/trees/redblacktree"

// A containersOrder makes the tests of ./containers generate sequences.
type containersOrder struct {
	Seed       uint64
	Seconds    float64 // of CPU time
	Undirected bool
	Newness    api.Newness
}

// A containersAnswer is what they say then, or the mean of several.
type containersAnswer struct {
	Coverage float64 // of statements
	Classes  []string
	classes  float64
}

// mean runs an order with several seeds.
func (o containersOrder) mean(quick bool) (mean containersAnswer, err error) {
	seeds := 5
	o.Seconds = 10
	if quick {
		seeds, o.Seconds = 1, 5
	}
	binary, err := buildTests("./containers", "containers.test", nil, "-cover", "-covermode=atomic", "-coverpkg="+containersPackages)
	if err != nil {
		return mean, err
	}
	for seed := range seeds {
		o.Seed = uint64(seed)
		text, err := json.Marshal(o)
		if err != nil {
			return mean, err
		}
		cmd := exec.Command(binary)
		cmd.Env = append(os.Environ(), "ESPALIER_BENCH_API="+string(text))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		var a containersAnswer
		if err == nil {
			err = json.Unmarshal(out, &a)
		}
		if err != nil {
			return mean, fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
		}
		for _, c := range a.Classes {
			fmt.Fprintf(os.Stderr, "containers: %s: %s\n", text, c)
		}
		mean.Coverage += a.Coverage / float64(seeds)
		mean.classes += float64(len(a.Classes)) / float64(seeds)
	}
	return mean, nil
}

// containersRows measure feedback-directed generation on 94 operations of containers: the
// statements that sequences cover, and the classes of violations.
func containersRows(quick bool) []row {
	once := func(o containersOrder) func() (containersAnswer, error) {
		return sync.OnceValues(func() (containersAnswer, error) { return o.mean(quick) })
	}
	mixed := once(containersOrder{Newness: api.Mixed})
	undirected := once(containersOrder{Undirected: true})
	perValue := once(containersOrder{Newness: api.PerValue})
	joint := once(containersOrder{Newness: api.Joint})
	coverage := func(a containersAnswer) float64 { return 100 * a.Coverage }
	classes := func(a containersAnswer) float64 { return a.classes }
	measure := func(ours, base func() (containersAnswer, error), of func(containersAnswer) float64) func(bool) (figure, figure, error) {
		return func(bool) (figure, figure, error) {
			o, err := ours()
			if err != nil {
				return figure{}, figure{}, err
			}
			b, err := base()
			return figure{value: of(o)}, figure{value: of(b)}, err
		}
	}
	return []row{
		{"callseq/containers/coverage", "undirected", oursAtLeast(97), measure(mixed, undirected, coverage)},
		{"callseq/containers/uncovered", "undirected", ratioAtMost(.25), measure(mixed, undirected, func(a containersAnswer) float64 { return 100 - coverage(a) })},
		{"callseq/containers/violations", "undirected", ratioAtLeast(1), measure(mixed, undirected, classes)},
		{"callseq/containers/coverage", "new values", ratioAtLeast(.99), measure(mixed, perValue, coverage)},
		{"callseq/containers/coverage", "new joint states", ratioAtLeast(.99), measure(mixed, joint, coverage)},
		{"callseq/containers/violations", "new values", ratioAtLeast(1), measure(mixed, perValue, classes)},
		{"callseq/containers/violations", "new joint states", ratioAtLeast(1), measure(mixed, joint, classes)},
	}
}
