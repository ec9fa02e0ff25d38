package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/eval/bug"
)

// A summary has the medians of the searches of a tool for a bug.
type summary struct {
	found  [3]int // searches that found it within so many values
	values float64
	ms     float64
	size   float64
}

var within = [3]int{100, 1000, mostValues}

// summaryOf counts a search that finds nothing as its limits.
func summaryOf(all []search) (s summary) {
	for _, one := range all {
		for i, most := range within {
			if one.Found && one.Values <= most {
				s.found[i]++
			}
		}
	}
	s.values = median(all, func(s search) float64 { return float64(s.Values) }, mostValues)
	s.ms = median(all, func(s search) float64 { return s.CPU.Seconds() * 1000 },
		mostCPU.Seconds()*1000)
	s.size = median(all, func(s search) float64 { return float64(s.Size) }, math.Inf(1))
	return s
}

func median(all []search, of func(search) float64, otherwise float64) float64 {
	var values []float64
	for _, s := range all {
		if v := otherwise; s.Found {
			values = append(values, of(s))
		} else {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func (s summary) fields() string {
	return fmt.Sprintf("%d/%d/%d\t%.0f\t%.3g\t%.0f", s.found[0], s.found[1], s.found[2], s.values,
		s.ms, s.size)
}

// A row is one bug.
type row struct {
	bug.Bug
	check, rapid summary
}

func (r row) String() string {
	return strings.Join([]string{r.Name, "check", r.check.fields(), "rapid", r.rapid.fields(),
		r.Title, r.Source}, "\t")
}

func printMarkdown(all []row, seeds int) {
	if len(all) == 0 {
		return
	}
	fmt.Printf("| bug | what is wrong | found, Check | rapid | values, Check | rapid | CPU ms, " +
		"Check | rapid | size, Check | rapid |\n")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, r := range all {
		fmt.Printf("| %s | %s |", r.Name, r.Title)
		for _, of := range []func(s summary) string{
			func(s summary) string { return fmt.Sprintf("%d of %d", s.found[2], seeds) },
			func(s summary) string { return orNever(s.values, mostValues) },
			func(s summary) string { return fmt.Sprintf("%.3g", s.ms) },
			func(s summary) string { return orNever(s.size, math.Inf(1)) },
		} {
			fmt.Printf(" %s | %s |", of(r.check), of(r.rapid))
		}
		fmt.Println()
	}
	fmt.Println()
}

func orNever(v, never float64) string {
	if v >= never {
		return "–"
	}
	return fmt.Sprintf("%.0f", v)
}

// printTotals prints what the rows come to, in a line: bugs found by most searches, and geometric
// means of the ratios of the medians.
func printTotals(name string, all []row, seeds int) {
	if len(all) == 0 {
		return
	}
	var found [2][3]int
	var values, ms, size float64
	sizes, fewer, equal := 0, 0, 0
	for _, r := range all {
		for i := range within {
			for tool, s := range []summary{r.check, r.rapid} {
				if s.found[i] > seeds/2 {
					found[tool][i]++
				}
			}
		}
		values += math.Log(max(1, r.check.values) / max(1, r.rapid.values))
		ms += math.Log(r.check.ms / r.rapid.ms)
		if !math.IsInf(r.check.size, 1) && !math.IsInf(r.rapid.size, 1) {
			size += math.Log(r.check.size / r.rapid.size)
			sizes++
		}
		switch cmp.Compare(r.check.values, r.rapid.values) {
		case -1:
			fewer++
		case 0:
			equal++
		}
	}
	n := float64(len(all))
	fmt.Printf("%s: of %d bugs, most of %d searches find within 100, 1000 and %d values: Check "+
		"%d, %d, %d; rapid %d, %d, %d; ", name, len(all), seeds, mostValues,
		found[0][0], found[0][1], found[0][2], found[1][0], found[1][1], found[1][2])
	fmt.Printf("geometric means, Check to rapid: values until then %.2f (fewer for %d bugs, as "+
		"many for %d), CPU time %.2f", math.Exp(values/n), fewer, equal, math.Exp(ms/n))
	if sizes > 0 {
		fmt.Printf(", size of the smallest failing value %.2f (of %d bugs that both find)",
			math.Exp(size/float64(sizes)), sizes)
	}
	fmt.Println()
}
