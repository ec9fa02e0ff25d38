package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
)

// containerPackages are those whose operations sequences call, 95 in all.
var containerPackages = []string{
	"container/list", "github.com/emirpasic/gods/v2/trees/binaryheap", "github.com/emirpasic/gods/v2/trees/redblacktree",
}

// containers measures feedback-directed generation on containers, beside undirected generation:
// the statements that sequences cover, in the mean of the packages, and all classes of violations.
func containers(of func(containersReach) float64) measure {
	return func(r run) (o, b figure, err error) {
		runs := func(undirected bool) func() ([]containersReach, error) {
			return func() ([]containersReach, error) {
				return times(fmt.Sprint("containers ", undirected), pick(r, 5, 1), func(seed int) (c containersReach, err error) {
					binaries, err := once("containers", makeContainers)
					for i := 0; i < len(binaries) && err == nil; i++ {
						var a apiAnswer
						a, err = apiOrder{Seed: uint64(seed), Seconds: pick(r, 4., 2), Undirected: undirected}.generate(binaries[i])
						c.covered += a.Covered / float64(len(binaries))
						c.classes += float64(len(a.Errors))
						fmt.Fprintf(os.Stderr, "containers: %s, undirected %t, seed %d: %.2f%%, %v\n", containerPackages[i], undirected, seed, a.Covered, a.Errors)
					}
					return c, err
				})
			}
		}
		return both(runs(false), runs(true), func(all []containersReach) figure { return number(meanOf(all, of)) })
	}
}

// containersReach is what sequences reach.
type containersReach struct {
	covered float64 // statements, in percent
	classes float64 // of errors
}

func (c containersReach) coverage() float64   { return c.covered }
func (c containersReach) uncovered() float64  { return 100 - c.covered }
func (c containersReach) violations() float64 { return c.classes }

func makeContainers() (binaries []string, err error) {
	dir := filepath.Join(scratch, "containers")
	if err := apiModule(dir, []string{"github.com/emirpasic/gods/v2 v2.0.0-alpha"}, containerPackages); err != nil {
		return nil, err
	}
	for _, pkg := range containerPackages {
		binary, err := makeHarness(dir, path.Base(pkg), pkg, "-covermode=atomic", "-coverpkg="+pkg)
		if err != nil {
			return nil, err
		}
		binaries = append(binaries, binary)
	}
	return binaries, nil
}
