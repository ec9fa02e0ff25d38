package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

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

// containers measures feedback-directed generation on 94 operations of containers, in the mean of
// several seeds: the statements that sequences cover, and the classes of violations. The classes are:
//
//   - PushBackList and PushFrontList dereference nil, and Len is negative: Remove and
//     InsertAfter of an element that Init has left behind still change the length.
//   - binaryheap's Push: FromJSON leaves the size of the list below as it was.
//   - Key and Value of an iterator that Next has not moved, heap.Pop of no elements, and
//     heap.Remove and heap.Fix of an index out of range: mistakes of the caller.
func containers(base containersOrder, of func(containersReach) float64) measure {
	return func(r run) (o, b figure, err error) {
		runs := func(order containersOrder) func() ([]containersReach, error) {
			return func() ([]containersReach, error) {
				order.Seconds = pick(r, 10., 5)
				return times(fmt.Sprint("containers ", order), pick(r, 5, 1), func(i int) (containersReach, error) {
					order.Seed = uint64(i)
					return order.reach()
				})
			}
		}
		return both(runs(containersOrder{Newness: api.Mixed}), runs(base), func(all []containersReach) figure { return number(meanOf(all, of)) })
	}
}

// containersReach is what an order reaches.
type containersReach struct {
	covered float64 // statements, in percent
	classes float64 // of errors
}

func (c containersReach) coverage() float64   { return c.covered }
func (c containersReach) uncovered() float64  { return 100 - c.covered }
func (c containersReach) violations() float64 { return c.classes }

func (o containersOrder) reach() (c containersReach, err error) {
	binary, err := buildTests("./containers", "containers.test", nil, "-cover", "-covermode=atomic", "-coverpkg="+containersPackages)
	if err != nil {
		return c, err
	}
	text, err := json.Marshal(o)
	if err != nil {
		return c, err
	}
	err = inScratch(func(dir string) error {
		cmd := exec.Command(binary)
		cmd.Env = append(os.Environ(), "ESPALIER_BENCH_API="+string(text), "GOCOVERDIR="+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		var classes []string
		if err == nil {
			err = json.Unmarshal(out, &classes)
		}
		if err != nil {
			return fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
		}
		covered, err := coveredStatements(dir)
		fmt.Fprintf(os.Stderr, "containers: %s: %.2f%%\n\t%s\n", text, 100*covered, strings.Join(classes, "\n\t"))
		c = containersReach{100 * covered, float64(len(classes))}
		return err
	})
	return c, err
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
