package main

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// A row compares a figure with its baseline. In the table, its metric is a pattern:
//
//	<a~b>  stands for a, and with -quick for b
//	{a|b}  makes two rows, with a and with b; the function gets which
//
// The baseline may have <a~b>, too.
type row struct {
	metric   string
	baseline string
	goal     goal
	measure  measure
}

// A measurement is a row of what is printed.
type measurement struct {
	row
	run run
}

type measure func(r run) (ours, base figure, err error)

// A run says what to measure.
type run struct {
	quick bool
	args  []string // what the braces of the metric stand for
}

// rows returns what the table stands for.
func rows(quick bool) (all []measurement) {
	for _, r := range table {
		r.metric, r.baseline = choose(r.metric, quick), choose(r.baseline, quick)
		all = append(all, measurement{r, run{quick: quick}}.expand()...)
	}
	return all
}

var (
	byLength = regexp.MustCompile(`<([^~<>]*)~([^~<>]*)>`)
	braces   = regexp.MustCompile(`{([^{}]*)}`)
)

func choose(pattern string, quick bool) string {
	if quick {
		return byLength.ReplaceAllString(pattern, "$2")
	}
	return byLength.ReplaceAllString(pattern, "$1")
}

func (r measurement) expand() (all []measurement) {
	at := braces.FindStringSubmatchIndex(r.metric)
	if at == nil {
		return []measurement{r}
	}
	for _, arg := range strings.Split(r.metric[at[2]:at[3]], "|") {
		with := r
		with.metric = r.metric[:at[0]] + arg + r.metric[at[1]:]
		with.run.args = append(slices.Clone(r.run.args), arg)
		all = append(all, with.expand()...)
	}
	return all
}

// namesOf returns a pattern for the names of things, each once.
func namesOf[V any](all []V, name func(V) (string, bool)) string {
	var names []string
	for _, v := range all {
		if name, ok := name(v); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return "{" + strings.Join(names, "|") + "}"
}

// pick returns the first of two settings, or the second with -quick.
func pick[V any](r run, long, quick V) V {
	if r.quick {
		return quick
	}
	return long
}

// A missing says what a row needs that this machine lacks.
type missing string

func (m missing) Error() string { return "this machine has no " + string(m) }

// skipped is format for a row that cannot be measured here.
func (r row) skipped(m missing) string {
	return strings.Join([]string{r.metric, "-", r.baseline, "-", "unknown", r.goal.String(),
		"skipped: no " + string(m)}, "\t")
}

func (r row) format(ours, base figure) string {
	ratio := fmt.Sprintf("%.3g", ours.value/base.value)
	switch {
	case ours.more && base.more || math.IsNaN(ours.value/base.value):
		ratio = "unknown"
	case ours.more:
		ratio = ">" + ratio
	case base.more:
		ratio = "<" + ratio
	}
	verdict := "short"
	if r.goal.met(ours, base) {
		verdict = "ok"
	}
	return strings.Join([]string{r.metric, ours.String(), cmp.Or(base.by, r.baseline),
		base.String(), ratio, r.goal.String(), verdict}, "\t")
}

// goal is a bound on our figure or on its ratio to the baseline's.
type goal struct {
	ours    bool // of our figure, not of the ratio
	atLeast bool
	strict  bool // the bound itself is not enough
	bound   float64
	within  float64 // if not 0, the ratio must be this close to 1, and there is no bound
}

func ratioAtMost(x float64) goal  { return goal{bound: x} }
func ratioAtLeast(x float64) goal { return goal{atLeast: true, bound: x} }
func ratioAbove(x float64) goal   { return goal{atLeast: true, strict: true, bound: x} }
func ratioWithin(x float64) goal  { return goal{within: x} }
func oursAtMost(x float64) goal   { return goal{ours: true, bound: x} }
func oursAtLeast(x float64) goal  { return goal{ours: true, atLeast: true, bound: x} }

func (g goal) String() string {
	s := fmt.Sprintf("<= %.3g", g.bound)
	switch {
	case g.within != 0:
		s = fmt.Sprintf("within %.3g%%", 100*g.within)
	case g.strict:
		s = fmt.Sprintf("> %.3g", g.bound)
	case g.atLeast:
		s = fmt.Sprintf(">= %.3g", g.bound)
	}
	if g.ours {
		s = "ours " + s
	}
	return s
}

// met reports whether the goal is certainly reached: figures may be lower bounds.
func (g goal) met(ours, base figure) bool {
	x, atLeast, atMost := ours.value, ours.more, base.more
	if g.ours {
		atMost = false
	} else {
		x /= base.value
	}
	switch {
	case g.within != 0:
		return !atLeast && !atMost && math.Abs(x-1) <= g.within
	case g.strict:
		return !atMost && x > g.bound
	case g.atLeast:
		return !atMost && x >= g.bound
	}
	return !atLeast && x <= g.bound
}

// figure is a measured quantity; more if it is a lower bound. NaN is none.
type figure struct {
	value float64
	more  bool
	by    string // who has it, if that depends on the run
}

func (f figure) String() string {
	switch {
	case math.IsNaN(f.value):
		return "none"
	case f.more:
		return fmt.Sprintf(">%.3g", f.value)
	}
	return fmt.Sprintf("%.3g", f.value)
}

// compare orders figures. Lower bounds come last.
func (f figure) compare(g figure) int {
	switch {
	case f.more != g.more && f.more:
		return 1
	case f.more != g.more:
		return -1
	}
	return cmp.Compare(f.value, g.value)
}

// pair measures ours, and then the baseline.
func pair(ours, base func() (figure, error)) (o, b figure, err error) {
	if o, err = ours(); err == nil {
		b, err = base()
	}
	return o, b, err
}

// both returns a figure of each of two results.
func both[V any](ours, base func() (V, error), of func(V) figure) (o, b figure, err error) {
	at := func(f func() (V, error)) func() (figure, error) {
		return func() (figure, error) {
			v, err := f()
			if err != nil {
				return figure{}, err
			}
			return of(v), nil
		}
	}
	return pair(at(ours), at(base))
}

func number(x float64) figure { return figure{value: x} }

// medianOf returns the median of a figure.
func medianOf[V any](all []V, of func(V) figure) figure {
	var figures []figure
	for _, v := range all {
		figures = append(figures, of(v))
	}
	slices.SortFunc(figures, figure.compare)
	return figures[len(figures)/2]
}

func median(x []float64) float64 { return medianOf(x, number).value }

// meanOf returns the mean of a quantity.
func meanOf[V any](all []V, of func(V) float64) (mean float64) {
	for _, v := range all {
		mean += of(v) / float64(len(all))
	}
	return mean
}

// geometric returns the geometric mean of a quantity.
func geometric[V any](all []V, of func(V) float64) float64 {
	return math.Exp(meanOf(all, func(v V) float64 { return math.Log(of(v)) }))
}

// known has the results that rows share.
var known = map[string]any{}

// once returns what f returns, or has returned for the same key.
func once[V any](key string, f func() (V, error)) (V, error) {
	if v, ok := known[key]; ok {
		return v.(V), nil
	}
	v, err := f()
	if err == nil {
		known[key] = v
	}
	return v, err
}

// times returns the results of n runs, once for each key.
func times[V any](key string, n int, f func(i int) (V, error)) ([]V, error) {
	return once(key, func() (all []V, err error) {
		for i := range n {
			v, err := f(i)
			if err != nil {
				return nil, err
			}
			all = append(all, v)
		}
		return all, nil
	})
}

// beside measures a figure of n runs of each of two ways, in the median, once for each key.
func beside[V any](
	key string, n int, ours, base string, run func(how string, i int) (V, error), of func(V) figure,
) (o, b figure, err error) {
	runs := func(how string) func() ([]V, error) {
		return func() ([]V, error) {
			return times(key+" "+how, n, func(i int) (V, error) { return run(how, i) })
		}
	}
	return both(runs(ours), runs(base), func(all []V) figure { return medianOf(all, of) })
}
