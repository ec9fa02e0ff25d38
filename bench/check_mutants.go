package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bench/modulebugs"
	"github.com/espalier-go/espalier/bench/mutants"
	"github.com/espalier-go/espalier/bench/rltrial"
)

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

func (h mutantHunt) ms() float64    { return h.CPU * 1000 }
func (h mutantHunt) count() float64 { return float64(h.Values) }

func (h mutantHunt) String() string {
	return fmt.Sprintf("%.3g ms, %d values, found %t", h.ms(), h.Values, h.Found)
}

// mutantMeans compares the geometric means, over bugs, of their median searches. The bugs are those
// of package mutants, with values made by construction or naively, or of package modulebugs.
// Nothing was tuned with them. A search that finds nothing counts as its limit, for both.
func mutantMeans(of func(mutantHunt) float64) measure {
	return func(r run) (ours, base figure, err error) {
		all, err := mutantRuns(r)
		ours.value = geometric(all, func(m mutantRun) float64 { return of(m.Ours) })
		base.value = geometric(all, func(m mutantRun) float64 { return of(m.Base) })
		return ours, base, err
	}
}

// mutantsCount counts the bugs for which something holds.
func mutantsCount(of func(m mutantRun) (ours, base bool)) measure {
	return func(r run) (ours, base figure, err error) {
		all, err := mutantRuns(r)
		for _, m := range all {
			o, b := of(m)
			if o {
				ours.value++
			}
			if b {
				base.value++
			}
		}
		return ours, base, err
	}
}

func (m mutantRun) found() (ours, base bool)  { return m.Ours.Found, m.Base.Found }
func (m mutantRun) slower() (ours, base bool) { return m.Ours.CPU > m.Base.CPU, true }

func mutantRuns(r run) ([]mutantRun, error) {
	how := r.args[0]
	return once("mutants "+how, func() (all []mutantRun, err error) {
		programs := mutants.Programs()
		if how == "modules" {
			programs = modulebugs.Programs()
		}
		for _, p := range programs {
			some, err := asked[[]mutantRun](
				order{Do: "mutants", On: p.Name(), How: how, Quick: r.quick},
				"-rapid.shrinktime=0s", "-rapid.checks="+endless, "-fuzzext.checks="+endless)
			if err != nil {
				return nil, err
			}
			for _, m := range some {
				fmt.Fprintf(os.Stderr, "mutants: %s, %s: %s: %s; rapid %s\n", p.Name(), how, m.Bug,
					m.Ours, m.Base)
			}
			all = append(all, some...)
		}
		return all, nil
	})
}

// mutantOrder searches for the bugs of a program, by both in turn.
func mutantOrder(o order, t *testing.T) {
	n, limit := 5, 2*time.Second // an odd number of searches, and the CPU time of each
	if o.Quick {
		n, limit = 3, 250*time.Millisecond
	}
	naive := o.How == "naive"
	var runs []mutantRun
	for _, p := range slices.Concat(mutants.Programs(), modulebugs.Programs()) {
		if p.Name() != o.On {
			continue
		}
		for _, bug := range p.Bugs() {
			var ours, base mutantHunts
			for seed := range n { // until the median is certain
				s := rand.New(rand.NewPCG(uint64(seed), sampleStream)).Uint64()
				if !ours.hopeless(n) {
					setFlag("fuzzext.seed", s)
					ours = append(ours,
						mutantSearch(t, limit, func(t *testing.T, w mutants.Watch) { p.Check(t, bug, naive, w) }))
				}
				if !base.hopeless(n) {
					seedRapid(seed)
					base = append(base,
						mutantSearch(t, limit, func(t *testing.T, w mutants.Watch) { p.Rapid(t, bug, naive, w) }))
				}
			}
			runs = append(runs, mutantRun{bug, ours.median(n), base.median(n)})
		}
	}
	o.answer(runs)
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
		return cmp.Or(cmp.Compare(a.CPU, b.CPU), a.Values-b.Values)
	})
	if all.hopeless(n) {
		return all[len(all)-1]
	}
	return all[n/2]
}

// mutantSearch runs a Check, in a test of its own, until it finds a bug or has used so much
// CPU time.
func mutantSearch(
	t *testing.T, limit time.Duration, check func(t *testing.T, w mutants.Watch),
) (h mutantHunt) {
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
			if h.Values++; h.Values%16 == 0 && rltrial.CPU()-start > limit {
				end(limit)
				return mutants.Fail
			}
			return mutants.Run
		},
		Found: func() {
			h.Found = true
			end(min(limit, rltrial.CPU()-start))
		},
	}
	t.Run("", func(t *testing.T) {
		runtime.GC()
		time.Sleep(time.Millisecond) // until the collector's threads sleep
		start = rltrial.CPU()
		check(t, w)
	})
	if !ended { // since there seem to be no other values
		end(limit)
	}
	return h
}
