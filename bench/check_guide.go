package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bench/guidebugs"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext"
)

// A guideRun is what a Check with Assume makes of red-black trees whose generator knows
// nothing of order, colors or balance.
type guideRun struct {
	Sizes []int // how many valid values have so many nodes
	Found int   // of guidebugs.Bugs
}

const (
	guideFew   = 60_000  // values, valid or not
	guideMany  = 200_000 // until bugs show
	guideLarge = 5       // nodes
)

// guideRows measure how the values of a guided Check grow: medians of three seeds. The
// baseline is choices.Varied alone.
func guideRows() []row {
	seeds := func(quick bool) int {
		if quick {
			return 1
		}
		return 3
	}
	median := func(quick bool, n int, how string, of func(guideRun) float64) (figure, error) {
		var all []float64
		for seed := range seeds(quick) {
			run, err := guideMeasure(n, seed+1, how)
			if err != nil {
				return figure{}, err
			}
			fmt.Fprintf(os.Stderr, "guide: %s, %d values, seed %d: %d bugs of %d; valid by nodes: %v\n", how, n, seed+1, run.Found, len(guidebugs.Bugs()), run.Sizes)
			all = append(all, of(run))
		}
		slices.Sort(all)
		return figure{value: all[len(all)/2]}, nil
	}
	compare := func(name string, n int, how string, g goal, of func(guideRun) float64) row {
		return row{"check/guide/" + name, "choices.Varied", g, func(quick bool) (ours, base figure, err error) {
			if ours, err = median(quick, n, how, of); err == nil {
				base, err = median(quick, n, "varied", of)
			}
			return ours, base, err
		}}
	}
	return []row{
		compare("redblack/large percent", guideFew, "check", oursAtLeast(10), func(r guideRun) float64 { return r.percent(guideLarge) }),
		compare("redblack/large percent with an example", guideFew, "example", oursAtLeast(10), func(r guideRun) float64 { return r.percent(guideLarge) }),
		compare("redblack/bugs of 58", guideMany, "check", oursAtLeast(45), func(r guideRun) float64 { return float64(r.Found) }),
	}
}

// percent returns the share of valid values with so many nodes or more.
func (r guideRun) percent(nodes int) float64 {
	valid, large := 0, 0
	for size, n := range r.Sizes {
		valid += n
		if size >= nodes {
			large += n
		}
	}
	return 100 * float64(large) / float64(max(1, valid))
}

// guideEnv makes another process run a Check: its value is the number of values and how.
const guideEnv = "ESPALIER_BENCH_GUIDE"

func guideMeasure(n, seed int, how string) (run guideRun, err error) {
	cmd := exec.Command(os.Args[0], "-fuzzext.checks=1000000000", fmt.Sprint("-fuzzext.seed=", seed))
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d %s", guideEnv, n, seed, how))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &run)
	}
	if err != nil {
		return run, fmt.Errorf("guide: %w\n%s", err, out)
	}
	return run, nil
}

// guideMain is the other process. It exits once it has run the property on so many values.
func guideMain(what string) {
	var n, seed int
	var how string
	if _, err := fmt.Sscan(what, &n, &seed, &how); err != nil {
		panic(err)
	}
	run, left := guideRun{}, guidebugs.Bugs()
	see := func(e guidebugs.Edit) (valid bool) {
		if valid = e.Tree.Valid(); valid {
			size := e.Tree.Size()
			for size >= len(run.Sizes) {
				run.Sizes = append(run.Sizes, 0)
			}
			run.Sizes[size]++
			left = slices.DeleteFunc(left, e.Finds)
		}
		if n--; n == 0 {
			run.Found = len(guidebugs.Bugs()) - len(left)
			if err := json.NewEncoder(os.Stdout).Encode(run); err != nil {
				panic(err)
			}
			os.Exit(0)
		}
		return valid
	}
	if how == "varied" {
		r := rand.New(rand.NewPCG(uint64(seed), 0))
		for i := 0; ; i++ {
			if e, err := bigen.Value(guidebugs.Gen, choices.Varied(r, i)); err == nil {
				see(e)
			}
		}
	}
	var opts []fuzzext.Option
	if how == "example" {
		opts = append(opts, fuzzext.Examples(guidebugs.Example(9)))
	}
	testing.Main(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "T", F: func(t *testing.T) {
		fuzzext.Check(t, guidebugs.Gen, func(t *fuzzext.T, e guidebugs.Edit) { t.Assume(see(e)) }, opts...)
	}}}, nil, nil)
}
