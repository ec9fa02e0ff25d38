package main

import (
	"fmt"
	"math"
	"os"
	"slices"
)

// The rows of tune/loaded try "Tuning Random Generators: Property-Based Testing as Probabilistic
// Programming". Package bench/loaded, which is a module since it has the mutants of eval, trains
// the weights of a generator and hunts for the bugs. The settings were chosen by the mutants of this
// project, and nothing by these subjects, the mutants of ETNA.
var loadedSubjects = []string{"etna-bst", "etna-bst-union", "etna-bst-naive",
	"etna-bst-naive-union", "etna-rbt", "etna-rbt-naive", "etna-stlc"}

const (
	loadedWritten = "as written"
	loadedSized   = "tuned to size"
	loadedCheck   = "Check's values"
	loadedCovered = "tuned to cover"
)

// A loadedOrder is an Order of bench/loaded.
type loadedOrder struct {
	Subject, How         string
	Runs, Hunts, Most    int
	Values, Batch, Limit int
	Rate                 float64
	Answer               string
}

// A loadedHunted is a Hunted of bench/loaded.
type loadedHunted struct {
	Bugs                []string
	Inputs              [][]int
	Train, Value, Valid []float64
}

// A loadedBug has the hunts for a bug.
type loadedBug struct {
	name   string
	inputs []float64 // of each hunt; the most if it did not find the bug
	cpu    []float64 // of each hunt, in seconds
	all    []float64 // with the training
	found  float64   // the share of hunts that found the bug
}

// loadedOf compares the geometric means, over bugs, of a figure of the hunts.
func loadedOf(base string, of func(b loadedBug) float64) measure {
	return func(r run) (ours, b figure, err error) {
		all, err := loadedBugs(r, r.args[0])
		if err != nil {
			return ours, b, err
		}
		others, err := loadedBugs(r, base)
		if err != nil {
			return ours, b, err
		}
		ratios := make([]float64, len(all))
		for i := range all {
			ratios[i] = of(all[i]) / of(others[i])
		}
		slices.Sort(ratios)
		fmt.Fprintf(os.Stderr, "tune/loaded: %s to %s: ratios of %d bugs: least %.3g, quartiles %.3g, "+
			"%.3g, %.3g, greatest %.3g\n", r.args[0], base, len(ratios), ratios[0],
			ratios[len(ratios)/4], ratios[len(ratios)/2], ratios[3*len(ratios)/4], ratios[len(ratios)-1])
		return number(geometric(all, of)), number(geometric(others, of)), nil
	}
}

func loadedInputs(b loadedBug) float64 { return median(b.inputs) }
func loadedCPU(b loadedBug) float64    { return median(b.cpu) }
func loadedAll(b loadedBug) float64    { return median(b.all) }

// loadedFound compares the percentages of hunts that find their bug.
func loadedFound(base string) measure {
	return func(r run) (figure, figure, error) {
		found := func(how string) func() ([]loadedBug, error) {
			return func() ([]loadedBug, error) { return loadedBugs(r, how) }
		}
		return both(found(r.args[0]), found(base), func(all []loadedBug) figure {
			return number(100 * meanOf(all, func(b loadedBug) float64 { return b.found }))
		})
	}
}

// loadedBugs hunts for the bugs of all subjects in one way.
func loadedBugs(r run, how string) ([]loadedBug, error) {
	return once("loaded "+how, func() ([]loadedBug, error) {
		if _, err := loadedBinary(); err != nil {
			return nil, err
		}
		subjects := pick(r, loadedSubjects, []string{"etna-bst", "etna-stlc"})
		all := make([][]loadedBug, len(subjects))
		err := parallel(2, len(subjects), func(i int) (err error) {
			o := loadedOrder{Subject: subjects[i], How: how, Runs: pick(r, 10, 1), Hunts: 3,
				Most: pick(r, 5000, 1000), Values: pick(r, 4000, 1000), Batch: 50, Limit: 400,
				Rate: .05}
			if how == "entropy" {
				o.Rate = .02
			}
			all[i], err = o.bugs()
			return err
		})
		return slices.Concat(all...), err
	})
}

func loadedBinary() (string, error) { return buildTests("./loaded", "loaded.test", nil) }

// bugs carries out an order in another process.
func (o loadedOrder) bugs() (all []loadedBug, err error) {
	binary, err := loadedBinary()
	if err != nil {
		return nil, err
	}
	h, err := elsewhere[loadedHunted](binary, "TestOrder", func(file string) any {
		o.Answer = file
		return o
	})
	for i, name := range h.Bugs {
		b := loadedBug{name: o.Subject + "/" + name}
		for j, n := range h.Inputs[i] {
			of := j / o.Hunts
			if n > 0 {
				b.found += 1 / float64(len(h.Inputs[i]))
			} else {
				n = o.Most
			}
			b.inputs = append(b.inputs, float64(n))
			b.cpu = append(b.cpu, float64(n)*h.Value[of])
			b.all = append(b.all, h.Train[of]+float64(n)*h.Value[of])
		}
		fmt.Fprintf(os.Stderr, "tune/loaded: %s, %s: %.4g inputs, %.3g CPU ms, found %.0f%%\n", o.How,
			b.name, loadedInputs(b), 1000*loadedCPU(b), 100*b.found)
		all = append(all, b)
	}
	if len(all) > 0 {
		inputs := geometric(all, loadedInputs)
		fmt.Fprintf(os.Stderr, "tune/loaded: %s, %s: %.4g inputs, trained in %.3g CPU s, %.3g us a "+
			"value, %.3g%% valid\n", o.How, o.Subject, inputs, median(h.Train),
			1e6*median(h.Value), 100*median(h.Valid))
		fmt.Fprintf(os.Stderr, "tune/loaded: %s, %s: of runs, %.4g to %.4g inputs\n", o.How, o.Subject,
			extreme(o, all, math.Min), extreme(o, all, math.Max))
	}
	return all, err
}

// extreme returns the least or greatest of the geometric means of all hunts of a run.
func extreme(o loadedOrder, all []loadedBug, least func(a, b float64) float64) (x float64) {
	for i := range o.Runs {
		of := geometric(all, func(b loadedBug) float64 {
			return geometric(b.inputs[i*o.Hunts:(i+1)*o.Hunts], func(n float64) float64 { return n })
		})
		if x == 0 {
			x = of
		}
		x = least(x, of)
	}
	return x
}
