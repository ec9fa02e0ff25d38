package loaded

import (
	"context"
	"math/rand/v2"
	"slices"
	"syscall"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
)

// An Order says how to hunt for the bugs of a subject.
type Order struct {
	Subject string
	How     string // one of the constants
	Runs    int    // each with a training of its own
	Hunts   int    // of each run, for all bugs at once
	Most    int    // values of a hunt, valid or not
	Settings
	Answer string // the file for a [Hunted], as JSON
}

// The ways to make values.
const (
	Written  = "as written"     // by the generator's own weights
	Check    = "Check's values" // as a Check without a guide makes them
	Sized    = "tuned to size"  // by tune.CrossEntropy, to a size of 10, with as many values
	Covered  = "tuned to cover" // by tune.CrossEntropy, for tune.Variety, with as many values
	Entropy  = "entropy"        // of the valid values, by the gradient
	Features = "features"       // of a batch, by the gradient

	// Mixed has two thirds of Covered and a third of Check, as a Check with a model.
	Mixed = "Check with variety"
)

// Hunted is what an order has come to.
type Hunted struct {
	Bugs   []string
	Inputs [][]int   // of each bug: the values of each hunt, 0 if it did not find the bug
	Train  []float64 // of each run: the CPU time of the training, in seconds
	Value  []float64 // of each run: the CPU time of a value
	Valid  []float64 // of each run: the share of valid values
}

// Do carries out the order.
func (o Order) Do() (h Hunted) {
	all := Subjects()
	s := all[slices.IndexFunc(all, func(s Subject) bool { return s.Name == o.Subject })]
	h.Bugs, h.Inputs = s.Bugs, make([][]int, len(s.Bugs))
	for i := range o.Runs {
		start := cpu()
		source := o.source(s, uint64(i)+1)
		h.Train = append(h.Train, cpu()-start)

		var memory choices.Tree
		next := func(r *rand.Rand, n int) (v any, valid bool) {
			v, t, err := bigen.RunInto(memory, s.gen, source(r, n))
			memory = t[:0]
			return v, err == nil && s.valid(v)
		}
		start = cpu()
		valid, n, r := 0, 2000, rand.New(rand.NewPCG(uint64(i), 1))
		for j := range n {
			if _, ok := next(r, j); ok {
				valid++
			}
		}
		h.Value = append(h.Value, (cpu()-start)/float64(n))
		h.Valid = append(h.Valid, float64(valid)/float64(n))
		for hunt := range o.Hunts {
			r := rand.New(rand.NewPCG(uint64(i), uint64(hunt)+2))
			for b, n := range s.hunt(o.Most, func(n int) (any, bool) { return next(r, n) }) {
				h.Inputs[b] = append(h.Inputs[b], n)
			}
		}
	}
	return h
}

// hunt returns by how many values each bug is found.
func (s Subject) hunt(most int, next func(n int) (v any, valid bool)) []int {
	found, left := make([]int, len(s.Bugs)), len(s.Bugs)
	for n := 0; n < most && left > 0; n++ {
		v, valid := next(n)
		for b, name := range s.Bugs {
			if valid && found[b] == 0 && s.fails[name](v) {
				found[b] = n + 1
				left--
			}
		}
	}
	return found
}

// source trains what makes the values, and returns the source of the n-th of a hunt.
func (o Order) source(s Subject, seed uint64) func(r *rand.Rand, n int) choices.Source {
	var prior choices.Prior
	switch o.How {
	case Written:
		return func(r *rand.Rand, _ int) choices.Source { return choices.Random(r) }
	case Check:
		return varied.Source
	case Sized, Covered, Mixed:
		objective := tune.Variety()
		if o.How == Sized {
			objective = tune.Size(10)
		}
		m, err := tune.CrossEntropy(context.Background(), tune.OfValid(s.gen, s.valid, objective),
			tune.Options{Rounds: 5, Values: o.Values / 5, Limit: o.Limit, Seed: seed})
		if err != nil {
			panic(err)
		}
		prior = m.Prior()
	case Entropy:
		prior = train(s.gen, s.valid, byEntropy, o.Settings, seed)
	case Features:
		prior = train(s.gen, s.valid, byFeatures, o.Settings, seed)
	}
	return func(r *rand.Rand, n int) choices.Source {
		if o.How == Mixed && n%3 == 0 {
			return varied.Source(r, n/3)
		}
		return choices.RandomBy(r, prior)
	}
}

// cpu returns the CPU time of the process in seconds.
func cpu() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
