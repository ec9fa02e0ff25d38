package main

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/eval/others"
)

// A verified says where the witness of a crash fails before the fix and after it, and where the
// seeds fail before it.
type verified struct {
	Before, After, Seeds string
	Note                 string // why it could not be run
}

// A result is what is known of a crash.
type result struct {
	Place string           // where the witness fails
	Runs  map[string][]run // by the engine
	Note  string           // why it could not be run
}

// A run is what became of fuzzing once.
type run struct {
	Found  bool
	CPU    float64 // seconds, up to the crash if that is found
	Others []other // one for each place
	Stops  int     // how often the engine has ended
	Says   string  // the end of the output
}

// An other is another failure. It may have the same cause as the crash, if both are fixed at once.
type other struct {
	Place string
	Fixed bool // passes after the fix
}

// seconds returns the median of the CPU seconds to the crash, where a run that does not find it
// takes forever, and in how many runs it is found.
func seconds(runs []run) (median float64, found int) {
	all := []float64{}
	for _, r := range runs {
		if r.Found {
			all = append(all, r.CPU)
			found++
		} else {
			all = append(all, math.Inf(1))
		}
	}
	if len(all) == 0 {
		return math.Inf(1), 0
	}
	slices.Sort(all)
	return all[len(all)/2], found
}

// elsewhere says at how many other places the runs have failed, and how many of them are fixed.
func elsewhere(runs []run) string {
	places := map[string]bool{}
	fixed := 0
	for _, r := range runs {
		for _, o := range r.Others {
			if !places[o.Place] && o.Fixed {
				fixed++
			}
			places[o.Place] = true
		}
	}
	if fixed == 0 {
		return fmt.Sprint(len(places))
	}
	return fmt.Sprintf("%d (%d fixed)", len(places), fixed)
}

// cell says how an engine did: the median, and in how many runs if not in all.
func cell(runs []run) string {
	median, found := seconds(runs)
	text := "no"
	if !math.IsInf(median, 1) {
		text = fmt.Sprintf("%.1f", median)
	}
	if found > 0 && found < len(runs) {
		text += fmt.Sprintf(" (%d of %d)", found, len(runs))
	}
	return text
}

// each calls f with each crash that matches and has results.
func each[R any](
	s *study, results string, matching *regexp.Regexp, f func(c crash, r R),
) error {
	for _, c := range crashes() {
		r, ok, err := others.Kept[R](results, s.File(c.name))
		if err != nil {
			return err
		} else if ok && matching.MatchString(c.name) {
			f(c, r)
		}
	}
	return nil
}

// printWitnesses writes a row for each crash whose witness has run.
func (s *study) printWitnesses(out io.Writer, results string, matching *regexp.Regexp) error {
	rows := []string{"crash\tmodule\tbefore\tafter\treference\tthe witness\tafter the fix"}
	var valid int
	var notes []string
	err := each(s, results, matching, func(c crash, v verified) {
		after := v.After
		switch {
		case v.Note != "":
			notes = append(notes, c.name+": "+v.Note)
			after = "?"
		case v.Seeds != "":
			notes = append(notes, c.name+": the seeds fail: "+v.Seeds)
		case after == "":
			after = "passes"
		}
		if v.valid() {
			valid++
		}
		rows = append(rows, strings.Join([]string{c.name, c.short(), c.before, c.after, c.reference,
			v.Before, after}, "\t"))
	})
	if err != nil {
		return err
	}
	if err := others.PrintTable(out, rows, s.markdown); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%d of %d witnesses fail before the fix, where the seeds pass, "+
		"and pass after it\n", valid, len(rows)-1)
	for _, note := range notes {
		fmt.Fprintln(out, note)
	}
	return nil
}

// valid reports whether the witness fails before the fix, and nothing else does.
func (v verified) valid() bool {
	return v.Note == "" && v.Before != "" && v.After == "" && v.Seeds == ""
}

// printReport writes a row for each crash that has results, how many each engine finds, and the
// geometric mean of the ratios of CPU times.
func (s *study) printReport(out io.Writer, results string, matching *regexp.Regexp) error {
	rows := []string{"crash\tversion\tkind\tplace\tgo test -fuzz, CPU s\tcorpusgen fuzz, CPU s\t" +
		"ratio\tother failures\tother failures"}
	var ran, stockFound, oursFound, both int
	var sum float64
	var notes []string
	err := each(s, results, matching, func(c crash, r result) {
		if r.Note != "" {
			notes = append(notes, c.name+": "+r.Note)
			return
		}
		stock, ours := r.Runs[others.Stock], r.Runs[others.Ours]
		a, _ := seconds(stock)
		b, _ := seconds(ours)
		ran++
		ratio := ""
		if !math.IsInf(a, 1) {
			stockFound++
		}
		if !math.IsInf(b, 1) {
			oursFound++
		}
		if !math.IsInf(a, 1) && !math.IsInf(b, 1) {
			both++
			sum += math.Log(a / b)
			ratio = fmt.Sprintf("%.2f", a/b)
		}
		rows = append(rows, fmt.Sprintf("%s\t%s %s\t%s\t%s\t%s\t%s\t%s\t%s\t%s",
			c.name, c.short(), c.before, c.kind, r.Place, cell(stock), cell(ours), ratio,
			elsewhere(stock), elsewhere(ours)))
	})
	if err != nil {
		return err
	}
	if err := others.PrintTable(out, rows, s.markdown); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%d crashes: go test -fuzz finds %d, corpusgen fuzz %d, both %d",
		ran, stockFound, oursFound, both)
	if both > 0 {
		fmt.Fprintf(out, "; of these, go test -fuzz takes %.2f times the CPU time, in the geometric "+
			"mean", math.Exp(sum/float64(both)))
	}
	fmt.Fprintln(out)
	for _, note := range notes {
		fmt.Fprintln(out, note)
	}
	return nil
}

// short returns the module and the package without the host of most.
func (c crash) short() string { return strings.TrimPrefix(c.module, "github.com/") }
