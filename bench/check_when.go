package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

// A shift is what someone works: it is valid under some condition on From and To, of which a
// known share of the naive values fulfills it.
type shift struct {
	From, To, Load int
	Tasks          []string
}

var shiftTasks = []string{"call", "clean", "cook", "drive", "pack", "write"}

var genShift = bigen.Struct(func(c *bigen.C, s *shift) {
	bigen.At(c, &s.From, bigen.IntRange(0, 99))
	bigen.At(c, &s.To, bigen.IntRange(0, 99))
	bigen.At(c, &s.Load, bigen.IntRange(0, 99))
	bigen.At(c, &s.Tasks, bigen.SliceOf(bigen.OneOf(shiftTasks...), 0, math.MaxInt))
})

func rapidShift(t *rapid.T) (s shift) {
	s.From = rapid.IntRange(0, 99).Draw(t, "from")
	s.To = rapid.IntRange(0, 99).Draw(t, "to")
	s.Load = rapid.IntRange(0, 99).Draw(t, "load")
	s.Tasks = rapid.SliceOf(rapid.SampledFrom(shiftTasks)).Draw(t, "tasks")
	return s
}

// fails reports whether a property fails for a valid shift.
func (s shift) fails() bool {
	return s.Load > 80 && len(s.Tasks) >= 3 && s.Tasks[0] == "drive" && s.Tasks[1] == s.Tasks[2]
}

// A whenSubject is a condition that so many values do not fulfill.
type whenSubject struct {
	invalid string
	valid   func(s shift) bool
}

// whenSubjects is what nothing was tuned with.
var whenSubjects = []whenSubject{
	{"a third invalid", func(s shift) bool { return s.From+s.To >= 81 }},
	{"two thirds invalid", func(s shift) bool { return s.From-s.To < 18 && s.To-s.From < 18 }},
	{"95 percent invalid", func(s shift) bool { return s.From-s.To < 3 && s.To-s.From < 3 }},
}

// whenRows measure what Assume costs: CPU microseconds for each distinct failing value that a
// Check meets, beside those where the property returns instead, and beside rapid.
func whenRows() []row {
	var rows []row
	for _, s := range whenSubjects {
		for _, base := range []struct{ how, name string }{{"return", "plain return"}, {"rapid", "rapid.Check"}} {
			rows = append(rows, row{"check/when/" + s.invalid, base.name, ratioAtMost(1), func(quick bool) (ours, other figure, err error) {
				if ours, err = whenMedian(s.invalid, "assume", quick); err == nil {
					other, err = whenMedian(s.invalid, base.how, quick)
				}
				return ours, other, err
			}})
		}
	}
	return rows
}

// A whenRun counts what a Check has made in some CPU time.
type whenRun struct {
	Values, Valid, Failing int
	CPU                    float64 // seconds
}

// whenDone has the medians measured so far.
var whenDone = map[string]figure{}

func whenMedian(invalid, how string, quick bool) (figure, error) {
	if f, ok := whenDone[invalid+how]; ok {
		return f, nil
	}
	seeds, seconds := 5, 5
	if quick {
		seeds, seconds = 3, 1
	}
	var all []float64
	for seed := range seeds {
		var r whenRun
		cmd := exec.Command(os.Args[0], "-fuzzext.checks=1000000000", "-rapid.checks=1000000000", "-rapid.nofailfile", fmt.Sprint("-fuzzext.seed=", seed+1), fmt.Sprint("-rapid.seed=", seed+1))
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s %s", whenEnv, seconds, how, invalid))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err == nil {
			err = json.Unmarshal(out, &r)
		}
		if err != nil {
			return figure{}, fmt.Errorf("when: %w\n%s", err, out)
		}
		fmt.Fprintf(os.Stderr, "when: %s, %s, seed %d: %+v\n", invalid, how, seed+1, r)
		all = append(all, 1e6*r.CPU/float64(r.Failing))
	}
	slices.Sort(all)
	whenDone[invalid+how] = figure{value: all[len(all)/2]}
	return whenDone[invalid+how], nil
}

// whenEnv makes another process run a Check: its value is the CPU seconds, how and on what.
const whenEnv = "ESPALIER_BENCH_WHEN"

// whenMain is the other process. It exits once the Check has used its time.
func whenMain(what string) {
	var seconds int
	var how string
	if _, err := fmt.Sscan(what, &seconds, &how); err != nil {
		panic(err)
	}
	i := slices.IndexFunc(whenSubjects, func(s whenSubject) bool {
		return what == fmt.Sprintf("%d %s %s", seconds, how, s.invalid)
	})
	subject := whenSubjects[i]
	run, failing := whenRun{}, map[string]bool{}
	start := cpuTime()
	see := func(s shift) (valid bool) {
		if valid = subject.valid(s); valid {
			run.Valid++
			if s.fails() {
				failing[fmt.Sprint(s)] = true
			}
		}
		if run.Values++; run.Values%64 == 0 && cpuTime()-start > time.Duration(seconds)*time.Second {
			run.Failing, run.CPU = len(failing), (cpuTime() - start).Seconds()
			if err := json.NewEncoder(os.Stdout).Encode(run); err != nil {
				panic(err)
			}
			os.Exit(0)
		}
		return valid
	}
	testing.Main(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "T", F: func(t *testing.T) {
		switch how {
		case "rapid":
			rapid.Check(t, func(t *rapid.T) { see(rapidShift(t)) })
		case "return":
			fuzzext.Check(t, genShift, func(_ *fuzzext.T, s shift) { see(s) })
		default:
			fuzzext.Check(t, genShift, func(t *fuzzext.T, s shift) { t.Assume(see(s)) })
		}
	}}}, nil, nil)
}
