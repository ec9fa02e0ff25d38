package main

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/eval/others"
)

// A result is what is known of a target.
type result struct {
	Statements  int // of the module, as far as it is linked
	Seeds       int // of them, those that the module's own entries reach
	Stock, Ours []run
	Note        string // why it could not be run
}

// A run is what became of fuzzing once.
type run struct {
	Reached  int // statements
	Entries  int // that the engine has kept
	Unread   int // of them, those that end the process that measures
	Failures int // files that the engine has written
	Stops    int // how often the engine has ended
	CPU      float64
	Says     string // the end of the output
}

// reached returns how many statements runs reach: the median, the least and the most.
func reached(runs []run) (median, least, most float64) {
	var all []int
	for _, r := range runs {
		all = append(all, r.Reached)
	}
	slices.Sort(all)
	n := len(all)
	if n == 0 {
		return 0, 0, 0
	}
	return float64(all[(n-1)/2]+all[n/2]) / 2, float64(all[0]), float64(all[n-1])
}

// failures returns how many files the runs have written.
func failures(runs []run) (n int) {
	for _, r := range runs {
		n += r.Failures
	}
	return n
}

// reasons says why a target reaches less: its name and the reason.
//
//go:embed reasons.tsv
var reasons string

func reason(name string) string {
	for line := range strings.Lines(reasons) {
		if of, reason, _ := strings.Cut(strings.TrimSpace(line), "\t"); of == name {
			return reason
		}
	}
	return "not yet known"
}

// printReport writes a row for each target that has results, and the geometric mean of the ratios.
func printReport(out io.Writer, results string, matching *regexp.Regexp, markdown bool) error {
	rows := []string{"target\tstatements\tseeds\tgo test -fuzz\tcorpusgen fuzz\tratio\tfailures\tfailures"}
	var ratios []float64
	var ahead, same, behind int
	var notes []string
	for _, t := range targets() {
		r, ok, err := others.Kept[result](results, (&study{}).File(t.String()))
		if err != nil {
			return err
		} else if !ok || !matching.MatchString(t.String()) {
			continue
		}
		if r.Note != "" {
			notes = append(notes, fmt.Sprintf("%s: %s", t, r.Note))
			continue
		}
		stock, stockLeast, stockMost := reached(r.Stock)
		ours, oursLeast, oursMost := reached(r.Ours)
		ratio := ours / stock
		ratios = append(ratios, ratio)
		switch {
		case ours > stock:
			ahead++
		case ours == stock:
			same++
		default:
			behind++
			notes = append(notes, fmt.Sprintf("%s reaches less: %s", t, reason(t.String())))
		}
		rows = append(rows, fmt.Sprintf("%s %s\t%d\t%d\t%s\t%s\t%.2f\t%d\t%d",
			strings.TrimPrefix(t.String(), "github.com/"), t.Version, r.Statements, r.Seeds,
			span(stock, stockLeast, stockMost), span(ours, oursLeast, oursMost), ratio,
			failures(r.Stock), failures(r.Ours)))
	}
	if err := others.PrintTable(out, rows, markdown); err != nil {
		return err
	}
	sum := 0.
	for _, r := range ratios {
		sum += math.Log(r)
	}
	fmt.Fprintf(out, "\n%d targets: corpusgen fuzz is ahead on %d, the same on %d, behind on %d; "+
		"geometric mean of the ratios %.2f\n", len(ratios), ahead, same, behind,
		math.Exp(sum/max(1, float64(len(ratios)))))
	for _, note := range notes {
		fmt.Fprintln(out, note)
	}
	return nil
}

// span returns a median, and the least and the most if they differ from it.
func span(median, least, most float64) string {
	if least == most {
		return fmt.Sprint(median)
	}
	return fmt.Sprintf("%v (%v to %v)", median, least, most)
}
