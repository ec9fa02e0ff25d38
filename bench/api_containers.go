package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
)

// containerPackages are those whose operations sequences call, 95 in all.
var containerPackages = []string{
	"container/list", "github.com/emirpasic/gods/v2/trees/binaryheap",
	"github.com/emirpasic/gods/v2/trees/redblacktree",
}

// containers measures feedback-directed generation on containers, beside undirected generation, by
// the statements that sequences cover, in percent and in the mean of the packages, or by all
// classes of violations.
func containers(of func(covered, classes float64) float64) measure {
	return func(r run) (o, b figure, err error) {
		mean := func(undirected bool) func() (figure, error) {
			return func() (figure, error) {
				all, err := times(fmt.Sprint("containers ", undirected), pick(r, 5, 1),
					func(seed int) (reach [2]float64, err error) {
						binaries, err := once("containers", makeContainers)
						for i := 0; i < len(binaries) && err == nil; i++ {
							var a apiAnswer
							a, err = apiOrder{
								Seed:       uint64(seed),
								Seconds:    pick(r, 4., 2),
								Undirected: undirected,
							}.generate(binaries[i])
							reach[0] += a.Covered / float64(len(binaries))
							reach[1] += float64(len(a.Errors))
							fmt.Fprintf(os.Stderr, "containers: %s, undirected %t, seed %d: "+
								"%.2f%%, %v\n", containerPackages[i], undirected, seed, a.Covered, a.Errors)
						}
						return reach, err
					})
				return number(meanOf(all, func(reach [2]float64) float64 {
					return of(reach[0], reach[1])
				})), err
			}
		}
		return pair(mean(false), mean(true))
	}
}

func coverage(covered, _ float64) float64   { return covered }
func uncovered(covered, _ float64) float64  { return 100 - covered }
func violations(_, classes float64) float64 { return classes }

func makeContainers() (binaries []string, err error) {
	dir := filepath.Join(scratch, "containers")
	if err := apiModule(dir, []string{"github.com/emirpasic/gods/v2 v2.0.0-alpha"},
		containerPackages); err != nil {
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
