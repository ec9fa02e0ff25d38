package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bench/guidebugs"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices/varied"
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

// guide measures how the values of a guided Check grow: medians of nine seeds. The
// baseline is varied.Source alone.
func guide(n int, how string, of func(guideRun) float64) measure {
	return func(r run) (_, _ figure, err error) {
		return beside(fmt.Sprint("guide ", n), pick(r, 9, 1), how, "varied",
			func(how string, i int) (guideRun, error) {
				g, err := asked[guideRun](order{Do: "guide", How: how, N: n, Seed: uint64(i + 1)},
					"-fuzzext.checks="+endless, fmt.Sprint("-fuzzext.seed=", i+1))
				fmt.Fprintf(os.Stderr, "guide: %s, %d values, seed %d: %d bugs of %d; valid by "+
					"nodes: %v\n", how, n, i+1, g.Found, len(guidebugs.Bugs()), g.Sizes)
				return g, err
			}, func(g guideRun) figure { return number(of(g)) })
	}
}

// large returns the percentage of valid values that are large.
func (g guideRun) large() float64 {
	valid, large := 0, 0
	for size, n := range g.Sizes {
		valid += n
		if size >= guideLarge {
			large += n
		}
	}
	return 100 * float64(large) / float64(max(1, valid))
}

func (g guideRun) found() float64 { return float64(g.Found) }

// guideOrder ends the process once the property has run on so many values.
func guideOrder(o order, t *testing.T) {
	g, left := guideRun{}, guidebugs.Bugs()
	see := func(e guidebugs.Edit) (valid bool) {
		if valid = e.Tree.Valid(); valid {
			size := e.Tree.Size()
			for size >= len(g.Sizes) {
				g.Sizes = append(g.Sizes, 0)
			}
			g.Sizes[size]++
			left = slices.DeleteFunc(left, e.Finds)
		}
		if o.N--; o.N == 0 {
			g.Found = len(guidebugs.Bugs()) - len(left)
			o.answer(g)
		}
		return valid
	}
	if o.How == "varied" {
		r := rand.New(rand.NewPCG(o.Seed, 0))
		for i := 0; ; i++ {
			if e, err := bigen.Value(guidebugs.Gen, varied.Source(r, i)); err == nil {
				see(e)
			}
		}
	}
	var opts []fuzzext.Option
	if o.How == "example" {
		opts = append(opts, fuzzext.Examples(guidebugs.Example(9)))
	}
	fuzzext.Check(t, guidebugs.Gen, func(t *fuzzext.T, e guidebugs.Edit) { t.Assume(see(e)) }, opts...)
}
