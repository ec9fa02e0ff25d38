// Bench measures Espalier beside what a user would do without it, in one run on
// one machine. It prints one tab-separated row for each figure: metric, ours, the
// baseline's name, the baseline's figure, ratio, goal, and ok or short.
//
//	go -C bench run . [-only REGEXP] [-quick]
//
// All figures are medians, computed from the run; those of time are CPU seconds of
// all processes. A baseline that has not come to its end within the cap is
// reported as more than the time it took.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
)

// row is a figure beside its baseline.
type row struct {
	metric   string
	baseline string
	atMost   float64 // the goal: ours / baseline
	measure  func(quick bool) (ours, base figure, err error)
}

// figure is a measured quantity; more if it is a lower bound.
type figure struct {
	value float64
	more  bool
}

func (f figure) String() string {
	s := fmt.Sprintf("%.3g", f.value)
	if f.more {
		s = ">" + s
	}
	return s
}

// scratch is a directory that goes with the process.
var scratch string

func main() {
	if name, how, ok := strings.Cut(os.Getenv(rapidEnv), " "); ok {
		rapidMain(name, how)
	}
	only := flag.String("only", "", "measure the rows whose metric matches `REGEXP`")
	quick := flag.Bool("quick", false, "keep each row under 20 seconds")
	flag.Parse()
	match, err := regexp.Compile(*only)
	if err != nil || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: bench [-only REGEXP] [-quick]")
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench: -only:", err)
		}
		os.Exit(2)
	}
	if scratch, err = os.MkdirTemp("", "bench-*"); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	failed := false
	for _, r := range append(genRows(), huntRows()...) {
		if !match.MatchString(r.metric) {
			continue
		}
		ours, base, err := r.measure(*quick)
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench: %s: %v\n", r.metric, err)
			failed = true
			continue
		}
		fmt.Println(r.format(ours, base))
	}
	os.RemoveAll(scratch)
	if failed {
		os.Exit(1)
	}
}

func (r row) format(ours, base figure) string {
	ratio := fmt.Sprintf("%.3g", ours.value/base.value)
	switch {
	case ours.more && base.more:
		ratio = "unknown"
	case ours.more:
		ratio = ">" + ratio
	case base.more:
		ratio = "<" + ratio
	}
	verdict := "short"
	if !ours.more && ours.value/base.value <= r.atMost {
		verdict = "ok"
	}
	return strings.Join([]string{r.metric, ours.String(), r.baseline, base.String(), ratio, fmt.Sprintf("<= %.3g", r.atMost), verdict}, "\t")
}
