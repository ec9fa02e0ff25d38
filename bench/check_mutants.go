package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bench/modulebugs"
	"github.com/espalier-go/espalier/bench/mutants"
)

// mutantRows compare the CPU time until a Check finds a bug of package mutants, or of package
// modulebugs. Nothing was tuned with these bugs. A search that finds nothing counts as its limit, for both. A bug
// counts by its median search.
func mutantRows() []row {
	var rows []row
	for _, how := range []string{"built", "naive", "modules"} {
		add := func(name, baseline string, g goal, of func(all []mutantRun) (ours, base float64)) {
			rows = append(rows, row{"check/mutants/" + how + "/" + name, baseline, g, func(quick bool) (ours, base figure, err error) {
				all, err := mutantsMeasured(how, quick)
				ours.value, base.value = of(all)
				return ours, base, err
			}})
		}
		add("cpu ms", "rapid.Check", ratioAtMost(0.5), func(all []mutantRun) (ours, base float64) {
			return mutantMean(all, func(h mutantHunt) float64 { return h.CPU * 1000 })
		})
		add("values", "rapid.Check", ratioAtMost(1), func(all []mutantRun) (ours, base float64) {
			return mutantMean(all, func(h mutantHunt) float64 { return float64(h.Values) })
		})
		add("found", "rapid.Check", ratioAtLeast(1), func(all []mutantRun) (ours, base float64) {
			for _, r := range all {
				if r.Ours.Found {
					ours++
				}
				if r.Base.Found {
					base++
				}
			}
			return ours, base
		})
		add("slower", "bugs", oursAtMost(10), func(all []mutantRun) (slower, bugs float64) {
			for _, r := range all {
				if r.Ours.CPU > r.Base.CPU {
					slower++
				}
			}
			return slower, float64(len(all))
		})
	}
	return rows
}

// A mutantRun has the median searches for a bug, by fuzzext.Check and by rapid.Check.
type mutantRun struct {
	Bug        string
	Ours, Base mutantHunt
}

// A mutantHunt is one search.
type mutantHunt struct {
	CPU    float64 // seconds
	Values int     // valid or not
	Found  bool
}

// mutantSearches returns how many searches there are for a bug, an odd number, and the limit
// of each, of CPU time.
func mutantSearches(quick bool) (n int, limit time.Duration) {
	if quick {
		return 3, 250 * time.Millisecond
	}
	return 5, 2 * time.Second
}

// mutantMean returns the geometric means.
func mutantMean(all []mutantRun, of func(h mutantHunt) float64) (ours, base float64) {
	for _, r := range all {
		ours += math.Log(of(r.Ours)) / float64(len(all))
		base += math.Log(of(r.Base)) / float64(len(all))
	}
	return math.Exp(ours), math.Exp(base)
}

// mutantRuns holds what has been measured so far.
var mutantRuns = map[string][]mutantRun{}

// mutantEnv makes another process measure a program: its value is the name, how its values
// are made, and whether it has to be quick.
const mutantEnv = "ESPALIER_BENCH_MUTANTS"

func mutantsMeasured(how string, quick bool) ([]mutantRun, error) {
	if all, ok := mutantRuns[how]; ok {
		return all, nil
	}
	var all []mutantRun
	programs := mutants.Programs()
	if how == "modules" {
		programs = modulebugs.Programs()
	}
	for _, p := range programs {
		some, err := mutantMeasure(p.Name(), how, quick)
		if err != nil {
			return nil, err
		}
		for _, r := range some {
			fmt.Fprintf(os.Stderr, "mutants: %s, %s: %s: %s; rapid %s; ratio %.3g\n", p.Name(), how, r.Bug, r.Ours, r.Base, r.Ours.CPU/r.Base.CPU)
		}
		all = append(all, some...)
	}
	mutantRuns[how] = all
	return all, nil
}

func (h mutantHunt) String() string {
	s := fmt.Sprintf("%.3g ms, %d values", h.CPU*1000, h.Values)
	if !h.Found {
		s += ", not found"
	}
	return s
}

func mutantMeasure(program, how string, quick bool) (runs []mutantRun, err error) {
	dir, err := os.MkdirTemp(scratch, "mutants-*") // without failures saved before
	if err != nil {
		return nil, err
	}
	result, err := os.Create(dir + "/result")
	if err != nil {
		return nil, err
	}
	defer result.Close()
	binary, err := os.Executable() // since the process runs in dir
	if err != nil {
		return nil, err
	}
	const endless = "1000000000"
	cmd := exec.Command(binary, "-rapid.nofailfile", "-rapid.shrinktime=0s", "-rapid.checks="+endless, "-fuzzext.checks="+endless)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %t", mutantEnv, program, how, quick))
	cmd.ExtraFiles = []*os.File{result}
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("mutants of %s: %w\n%s", program, err, out)
	}
	b, err := os.ReadFile(result.Name())
	if err == nil {
		err = json.Unmarshal(b, &runs)
	}
	return runs, err
}

// mutantMain is the other process. It exits before package testing reports anything.
func mutantMain(what string) {
	var program, how string
	var quick bool
	if _, err := fmt.Sscan(what, &program, &how, &quick); err != nil {
		panic(err)
	}
	testing.Main(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "T", F: func(t *testing.T) {
		var runs []mutantRun
		for _, p := range slices.Concat(mutants.Programs(), modulebugs.Programs()) {
			if p.Name() != program {
				continue
			}
			for _, bug := range p.Bugs() {
				runs = append(runs, mutantMedians(t, p, bug, how == "naive", quick))
			}
		}
		if err := json.NewEncoder(os.NewFile(3, "result")).Encode(runs); err != nil {
			panic(err)
		}
		os.Exit(0)
	}}}, nil, nil)
}

// mutantMedians searches for a bug in turn. It stops once the median is certain.
func mutantMedians(t *testing.T, p mutants.Program, bug string, naive, quick bool) mutantRun {
	n, limit := mutantSearches(quick)
	var ours, base mutantHunts
	for seed := range n {
		// rapid increments its seed for each check, so random ones keep runs apart.
		s := rand.New(rand.NewPCG(uint64(seed), sampleStream)).Uint64()
		if !ours.hopeless(n) {
			setFlag("fuzzext.seed", s)
			ours = append(ours, mutantSearch(t, limit, func(t *testing.T, w mutants.Watch) { p.Check(t, bug, naive, w) }))
		}
		if !base.hopeless(n) {
			setFlag("rapid.seed", s)
			base = append(base, mutantSearch(t, limit, func(t *testing.T, w mutants.Watch) { p.Rapid(t, bug, naive, w) }))
		}
	}
	return mutantRun{bug, ours.median(n), base.median(n)}
}

type mutantHunts []mutantHunt

// hopeless reports whether most of n searches find nothing.
func (all mutantHunts) hopeless(n int) bool {
	failed := 0
	for _, h := range all {
		if !h.Found {
			failed++
		}
	}
	return failed > n/2
}

func (all mutantHunts) median(n int) mutantHunt {
	slices.SortStableFunc(all, func(a, b mutantHunt) int {
		switch {
		case a.CPU < b.CPU:
			return -1
		case a.CPU > b.CPU:
			return 1
		}
		return a.Values - b.Values
	})
	if all.hopeless(n) {
		return all[len(all)-1]
	}
	return all[n/2]
}

// mutantSearch runs a Check, in a test of its own, until it finds a bug or has used so much
// CPU time.
func mutantSearch(t *testing.T, limit time.Duration, check func(t *testing.T, w mutants.Watch)) (h mutantHunt) {
	ended := false
	var start time.Duration
	end := func(spent time.Duration) {
		ended = true
		h.CPU = spent.Seconds()
	}
	w := mutants.Watch{
		Next: func() mutants.Verdict {
			if ended {
				return mutants.Pass
			}
			if h.Values++; h.Values%16 == 0 && cpuTime()-start > limit {
				end(limit)
				return mutants.Fail
			}
			return mutants.Run
		},
		Found: func() {
			h.Found = true
			end(min(limit, cpuTime()-start))
		},
	}
	t.Run("", func(t *testing.T) {
		runtime.GC()
		time.Sleep(time.Millisecond) // until the collector's threads sleep
		start = cpuTime()
		check(t, w)
	})
	if !ended { // since there seem to be no other values
		end(limit)
	}
	return h
}
