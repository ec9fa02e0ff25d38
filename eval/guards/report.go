package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/eval/others"
)

// report writes a row for each guard that has results, and how many targets an engine passes in
// most runs.
func report(out io.Writer, read func(subject string) ([]run, error), markdown bool) error {
	header := "guard"
	for _, kind := range kinds {
		for _, engine := range others.Engines {
			header += "\t" + strings.ToLower(kind) + ", " + engine
		}
	}
	rows := []string{header}
	tried, passed := map[string]int{}, map[string]int{}
	for _, g := range guards {
		row, any := g.What, false
		for _, kind := range kinds {
			for _, engine := range others.Engines {
				runs, err := read(subject(g, kind, engine))
				if err != nil {
					return fmt.Errorf("%s: %w", subject(g, kind, engine), err)
				}
				row += "\t" + cell(runs)
				if len(runs) > 0 {
					any = true
					tried[engine]++
				}
				if 2*len(passing(runs)) > len(runs) {
					passed[engine]++
				}
			}
		}
		if any {
			rows = append(rows, row)
		}
	}
	if err := others.PrintTable(out, rows, markdown); err != nil {
		return err
	}
	for _, engine := range others.Engines {
		fmt.Fprintf(out, "\n%s passes %d of %d targets in most runs", engine,
			passed[engine], tried[engine])
	}
	fmt.Fprintln(out)
	return nil
}

// cell says how many runs have passed, unless all have, and the median of their CPU seconds.
func cell(runs []run) string {
	if len(runs) == 0 {
		return "not run"
	}
	times := passing(runs)
	if len(times) == 0 {
		return "–"
	}
	text := fmt.Sprintf("%.1f", (times[(len(times)-1)/2]+times[len(times)/2])/2)
	if len(times) < len(runs) {
		text += fmt.Sprintf(" (%d of %d)", len(times), len(runs))
	}
	return text
}

// passing returns the CPU seconds of the runs that have passed, in order.
func passing(runs []run) (times []float64) {
	for _, r := range runs {
		if r.Passed {
			times = append(times, r.CPU)
		}
	}
	slices.Sort(times)
	return times
}
