package main

import (
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/rltrial"
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

// whenValid are conditions that so many values do not fulfill. Nothing was tuned with them.
var whenValid = map[string]func(s shift) bool{
	"a third invalid":    func(s shift) bool { return s.From+s.To >= 81 },
	"two thirds invalid": func(s shift) bool { return s.From-s.To < 18 && s.To-s.From < 18 },
	"95 percent invalid": func(s shift) bool { return s.From-s.To < 3 && s.To-s.From < 3 },
}

// A whenRun counts what a Check has made in some CPU time.
type whenRun struct {
	Values, Valid, Failing int
	CPU                    float64 // seconds
}

// when measures what Assume costs: CPU microseconds for each distinct failing value that a
// Check meets, beside those where the property returns instead, and beside rapid.
func when(base string) measure {
	return func(r run) (_, _ figure, err error) {
		return beside("when "+r.args[0], pick(r, 5, 3), "assume", base,
			func(how string, i int) (whenRun, error) {
				w, err := asked[whenRun](order{
					Do:    "when",
					On:    r.args[0],
					How:   how,
					Limit: pick(r, 5*time.Second, time.Second),
				},
					"-fuzzext.checks="+endless, "-rapid.checks="+endless,
					fmt.Sprint("-fuzzext.seed=", i+1), fmt.Sprint("-rapid.seed=", i+1))
				fmt.Fprintf(os.Stderr, "when: %s, %s, seed %d: %+v\n", r.args[0], how, i+1, w)
				return w, err
			}, func(w whenRun) figure { return number(1e6 * w.CPU / float64(w.Failing)) })
	}
}

// whenOrder ends the process once the Check has used its time.
func whenOrder(o order, t *testing.T) {
	w, failing, start := whenRun{}, map[string]bool{}, rltrial.CPU()
	see := func(s shift) (valid bool) {
		if valid = whenValid[o.On](s); valid {
			w.Valid++
			if s.fails() {
				failing[fmt.Sprint(s)] = true
			}
		}
		if w.Values++; w.Values%64 == 0 && rltrial.CPU()-start > o.Limit {
			w.Failing, w.CPU = len(failing), (rltrial.CPU() - start).Seconds()
			o.answer(w)
		}
		return valid
	}
	switch o.How {
	case "rapid":
		rapid.Check(t, func(t *rapid.T) { see(rapidShift(t)) })
	case "return":
		fuzzext.Check(t, genShift, func(_ *fuzzext.T, s shift) { see(s) })
	default:
		fuzzext.Check(t, genShift, func(t *fuzzext.T, s shift) { t.Assume(see(s)) })
	}
}
