package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// containersMean is what they reach then.
type containersMean struct {
	covered float64 // statements, in percent
	classes float64 // of errors
}

// mean runs an order with several seeds.
func (o containersOrder) mean(quick bool) (mean containersMean, err error) {
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
		dir, err := os.MkdirTemp(scratch, "cover")
		if err != nil {
			return mean, err
		}
		cmd := exec.Command(binary)
		cmd.Env = append(os.Environ(), "ESPALIER_BENCH_API="+string(text), "GOCOVERDIR="+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		var classes []string
		if err == nil {
			err = json.Unmarshal(out, &classes)
		}
		if err != nil {
			return mean, fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
		}
		covered, err := coveredStatements(dir)
		if err != nil {
			return mean, err
		}
		fmt.Fprintf(os.Stderr, "containers: %s: %.2f%%\n\t%s\n", text, 100*covered, strings.Join(classes, "\n\t"))
		mean.covered += 100 * covered / float64(seeds)
		mean.classes += float64(len(classes)) / float64(seeds)
	}
	return mean, nil
}

// coveredStatements returns the share of statements that a process has covered, which has
// written to dir.
func coveredStatements(dir string) (float64, error) {
	profile := filepath.Join(dir, "profile")
	if out, err := exec.Command("go", "tool", "covdata", "textfmt", "-i", dir, "-o", profile).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("covdata: %w\n%s", err, out)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return 0, err
	}
	covered, all := 0, 0
	for line := range strings.Lines(string(text)) {
		var statements, count int
		_, numbers, _ := strings.Cut(line, " ")
		if _, err := fmt.Sscan(numbers, &statements, &count); err != nil {
			continue // the mode
		}
		all += statements
		if count > 0 {
			covered += statements
		}
	}
	return float64(covered) / float64(all), nil
}

// containersRows measure feedback-directed generation on 94 operations of containers: the
// statements that sequences cover, and the classes of violations. The classes are:
//
//   - PushBackList and PushFrontList dereference nil, and Len is negative: Remove and
//     InsertAfter of an element that Init has left behind still change the length.
//   - binaryheap's Push: FromJSON leaves the size of the list below as it was.
//   - Key and Value of an iterator that Next has not moved, heap.Pop of no elements, and
//     heap.Remove and heap.Fix of an index out of range: mistakes of the caller.
func containersRows(quick bool) []row {
	once := func(o containersOrder) func() (containersMean, error) {
		return sync.OnceValues(func() (containersMean, error) { return o.mean(quick) })
	}
	mixed := once(containersOrder{Newness: api.Mixed})
	undirected := once(containersOrder{Undirected: true})
	perValue := once(containersOrder{Newness: api.PerValue})
	joint := once(containersOrder{Newness: api.Joint})
	coverage := func(a containersMean) float64 { return a.covered }
	classes := func(a containersMean) float64 { return a.classes }
	measure := func(ours, base func() (containersMean, error), of func(containersMean) float64) func(bool) (figure, figure, error) {
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
		{"callseq/containers/uncovered", "undirected", ratioAtMost(.25), measure(mixed, undirected, func(a containersMean) float64 { return 100 - a.covered })},
		{"callseq/containers/violations", "undirected", ratioAtLeast(1), measure(mixed, undirected, classes)},
		{"callseq/containers/coverage", "new values", ratioAtLeast(.99), measure(mixed, perValue, coverage)},
		{"callseq/containers/coverage", "new joint states", ratioAtLeast(.99), measure(mixed, joint, coverage)},
		{"callseq/containers/violations", "new values", ratioAtLeast(1), measure(mixed, perValue, classes)},
		{"callseq/containers/violations", "new joint states", ratioAtLeast(1), measure(mixed, joint, classes)},
	}
}
