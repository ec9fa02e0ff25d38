package api

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	_ "unsafe" // names that the package under test links to

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/mutate"
)

// What the package under test reads if corpusgen api has built small changes into it. At most one
// is made at a time.
//
//go:linkname mutantMade
//go:linkname mutantsReached
//go:linkname mutantSteps
var (
	mutantMade     = -1   // the change that is made; -1 for none
	mutantsReached []bool // by change: what it changes has been reached
	mutantSteps    int    // how often such places may be reached, before a panic; 0 for any
)

// switches are those variables or, if no change is built in, variables of the generator's own, so
// that several can run at once.
type switches struct {
	made    *int
	reached *[]bool
	steps   *int
}

var linked = switches{&mutantMade, &mutantsReached, &mutantSteps}

const (
	maxCandidates = 400   // sequences to choose from
	maxTried      = 40    // of them that are tried on one change
	enoughNoticed = 4     // of these that need notice it
	maxShortening = 20000 // runs that shorten one test
	fewRuns       = 3     // of a sequence, that return the same
	moreRuns      = 10    // of one that is shortened
	manyRuns      = 100   // of a test
	moreSteps     = 10000 // that a change may make, beside ten times those without it
	unasserted    = 1e-3  // what a change counts that only makes a call panic, with nothing to compare
)

// A candidate may become a regression test.
type candidate struct {
	*sequence
	from    int // which of the order it is
	steps   int // without a change
	reached []bool
	want    [][]any       // by call: what it returns each time; opaque what it does not
	notices map[int]place // by change that fails the test, and none that has been chosen: where
}

// A place is a result of a call that differs, or what an argument refers to, which counts after the
// results; or a call that panics, which has the result -1.
type place struct{ call, result int }

// shown returns a result by which a test shows what fails it at a place: the first of the call that
// panics, or of one after it, that can be compared.
func (c *candidate) shown(at place) (result place, ok bool) {
	for i := at.call; i < len(c.want) && at.result < 0; i++ {
		for k, want := range c.want[i] {
			if want != any(opaque{}) {
				return place{i, k}, true
			}
		}
	}
	return at, at.result >= 0
}

// asserts returns how many of the changes that fail a test a comparison shows.
func (c *candidate) asserts() (count int) {
	for _, at := range c.notices {
		if _, ok := c.shown(at); ok {
			count++
		}
	}
	return count
}

// selected returns regression tests that notice changes of the package: again and again, the one
// that notices most that are not noticed yet, for its length. What of a test none of these needs is
// left out: calls, and comparisons of results.
func (g *generator) selected(o *job.Mutants) (tests []Test) {
	all := g.candidates(o)
	tried := g.tryChanges(all, o)
	var chosen []*candidate // by test
	for len(tests) < g.opts.MaxRegressions && !g.over(2*closing) {
		best := mostWorth(all)
		if best == nil {
			break
		}
		g.risk(best.sequence, ^best.from)
		var changes []int
		for m := range best.notices {
			changes = append(changes, m)
		}
		slices.Sort(changes)
		t, short, ok := g.shortest(best, changes, o.Number)
		if clear(best.notices); !ok {
			continue
		}
		if i := slices.IndexFunc(tests, func(old Test) bool { return old.Code == t.Code }); i >= 0 {
			tests[i].Notices = append(tests[i].Notices, t.Notices...)
		} else {
			tests, chosen = append(tests, t), append(chosen, short)
		}
		for _, c := range all {
			for _, m := range t.Notices {
				delete(c.notices, m)
			}
		}
	}
	g.credit(tests, chosen, tried)
	return tests
}

// candidates returns the candidates of an order, the shortest first.
func (g *generator) candidates(o *job.Mutants) (all []*candidate) {
	for i, entry := range o.Candidates {
		s := g.decode(entry)
		if len(entry) == 0 || s == nil || g.over(-g.opts.Time/2) {
			continue
		}
		s = s.own()
		g.risk(s, ^i)
		if c := g.candidate(g.observing(s), o.Number, fewRuns); c != nil {
			c.from = i
			all = append(all, c)
		}
		g.mutant = 0
	}
	slices.SortStableFunc(all, func(a, b *candidate) int { return len(a.calls) - len(b.calls) })
	return all
}

// tryChanges notes which candidates notice which changes, in a random order, and returns the
// changes that it has tried.
func (g *generator) tryChanges(all []*candidate, o *job.Mutants) (tried []int) {
	for _, m := range rand.New(rand.NewPCG(g.opts.Seed, 1)).Perm(o.Number) {
		if m > 0 && m == o.Until {
			break
		}
		if m == 0 || slices.Contains(o.Skip, m) || g.over(0) {
			continue
		}
		tried = append(tried, m)
		g.tryChange(all, m)
	}
	return tried
}

// tryChange notes which candidates notice a change, until enough of them show it by a result.
func (g *generator) tryChange(all []*candidate, change int) {
	runs, found := 0, 0
	for _, c := range all {
		if runs == maxTried || found == enoughNoticed {
			return
		}
		if !c.reached[change] {
			continue
		}
		runs++
		at, fails := g.notices(c, change)
		if !fails {
			continue
		}
		c.notices[change] = at
		if _, ok := c.shown(at); ok {
			found++
		}
	}
}

// mostWorth returns the candidate that notices most for its length, or nil if none notices
// anything.
func mostWorth(all []*candidate) (best *candidate) {
	most := 0.
	for _, c := range all {
		noticed := float64(c.asserts()) + unasserted*float64(len(c.notices))
		if worth := noticed / float64(4+len(c.calls)); worth > most {
			best, most = c, worth
		}
	}
	return best
}

// credit adds to tests the changes that they notice beside those for which they were chosen.
func (g *generator) credit(tests []Test, chosen []*candidate, tried []int) {
	for _, m := range tried {
		if slices.ContainsFunc(tests, func(t Test) bool { return slices.Contains(t.Notices, m) }) {
			continue
		}
		for i, c := range chosen {
			if !c.reached[m] || g.over(closing) {
				continue
			}
			_, fails := g.notices(c, m)
			if fails {
				_, fails = g.notices(c, m) // not by chance
			}
			if fails {
				tests[i].Notices = append(tests[i].Notices, m)
				break
			}
		}
	}
}

// candidate returns a sequence with what it returns each time that it runs, of several, or nil.
func (g *generator) candidate(s *sequence, changes, runs int) *candidate {
	c := &candidate{sequence: s, reached: make([]bool, changes), notices: map[int]place{}}
	*g.switches.reached, *g.switches.steps = c.reached, 0
	defer func() { *g.switches.reached = nil }()
	for range runs {
		if s == nil || g.traceRun(s, "").class != Passed {
			return nil
		}
		trace := g.trace
		g.trace = nil
		for i := range trace {
			got := trace[i].seen()
			if i == len(c.want) { // the first run
				c.want = append(c.want, slices.Clone(got))
			}
			for k, want := range c.want[i] {
				if k >= len(got) || differs(want, got[k]) || !g.comparable(want) {
					c.want[i][k] = opaque{}
				}
			}
		}
	}
	c.steps = -*g.switches.steps / runs
	return c
}

// comparable reports whether a test can compare a result.
func (g *generator) comparable(v any) bool {
	format, _ := g.expectation(v)
	return format != ""
}

// codeOf returns a test of a candidate that compares some of its results.
func (g *generator) codeOf(c *candidate, compares func(p place) bool) (code string, ok bool) {
	if g.traceRun(c.sequence, "").class != Passed {
		return "", false
	}
	for i := range g.trace {
		t := &g.trace[i]
		for k := range c.want[i] {
			want := any(opaque{})
			if compares(place{i, k}) {
				want = c.want[i][k]
			}
			if n := k - len(t.got); n >= 0 {
				t.left[n] = want
			} else {
				t.got[k] = want
			}
		}
	}
	return g.report().regression(), true
}

// risk tells that a sequence may end the process because of a change, or because of what is made of
// the candidate ^change.
func (g *generator) risk(s *sequence, change int) {
	g.mutant = change
	g.runs, g.entry, g.turn = s, nil, len(s.calls)-1
	g.tell(g.opts.Before)
}

// notices reports whether a test of a candidate fails if a change is made, and where.
func (g *generator) notices(c *candidate, change int) (at place, fails bool) {
	s := *c.sequence
	s.proven = len(s.calls)
	g.risk(&s, change)
	g.arm()
	*g.switches.made, *g.switches.steps = change, 10*c.steps+moreSteps
	end := g.traceRun(&s, "")
	*g.switches.made, *g.switches.steps, g.mutant = -1, 0, 0
	trace := g.trace
	g.trace = nil
	for i := range trace {
		for k, v := range trace[i].seen() {
			if i < len(c.want) && k < len(c.want[i]) && differs(c.want[i][k], v) {
				return place{i, k}, true
			}
		}
	}
	byHarness := end.violated != nil || g.err != nil || g.tb.Failed() // a test does not have that
	return place{end.at, -1}, end.class != Passed && !byHarness
}

// differs reports whether a test that wants a result fails if it is another one.
func differs(want, got any) bool {
	switch want.(type) {
	case opaque:
		return false
	case errorText:
		_, is := got.(errorText)
		return !is
	}
	return !reflect.DeepEqual(want, got)
}

// shortest returns a test that notices some changes, as short as can be, and with usual arguments
// if they do. The candidate that is left compares what the test does. number is one more than the
// number of the last change.
func (g *generator) shortest(c *candidate, changes []int, number int) (
	t Test, short *candidate, ok bool,
) {
	changes = changes[:min(len(changes), maxOwn)]
	short = c
	asserts := c.asserts() > 0
	keep := func(s *sequence) bool {
		if g.over(closing) || g.noticing(s, fewRuns, changes, asserts) == nil {
			return false
		}
		d := g.noticing(s, moreRuns, changes, asserts)
		if d != nil {
			short = d
		}
		return d != nil
	}
	mutate.Minimize(c.tree, g.remake, keep, maxShortening/(1+len(changes)))
	g.tryUsual(short.calls, keep)
	// What depends on the order of a map shows in many runs.
	if short = g.candidate(short.sequence, number, manyRuns); short == nil {
		return t, nil, false
	}
	for _, m := range changes {
		if at, fails := g.notices(short, m); fails {
			short.notices[m] = at
			t.Notices = append(t.Notices, m)
		}
	}
	if len(t.Notices) == 0 {
		return t, nil, false
	}
	return t, short, g.describe(&t, short)
}

// noticing returns a sequence as a candidate if it notices all of some changes, one of them by a
// result if asserts is set, or nil.
func (g *generator) noticing(s *sequence, runs int, changes []int, asserts bool) *candidate {
	c := g.candidate(s, 0, runs)
	if c == nil {
		return nil
	}
	for _, m := range changes {
		at, fails := g.notices(c, m)
		if !fails {
			return nil
		}
		c.notices[m] = at
	}
	if asserts && c.asserts() == 0 {
		return nil
	}
	return c
}

// describe sets the code and the titles of a test: it compares the results of a candidate that show
// the changes. The candidate compares no others from now on.
func (g *generator) describe(t *Test, c *candidate) (ok bool) {
	var compared []place
	for _, m := range t.Notices {
		if at, ok := c.shown(c.notices[m]); ok {
			compared = append(compared, at)
		}
	}
	t.Code, ok = g.codeOf(c, func(p place) bool { return slices.Contains(compared, p) })
	last, result := len(c.calls)-1, any(opaque{})
	if len(compared) == 0 {
		t.Code = "// Nothing that the calls return can be compared: they must not panic.\n" + t.Code
	} else {
		at := slices.MaxFunc(compared, func(a, b place) int {
			return cmp.Or(a.call-b.call, a.result-b.result)
		})
		last, result = at.call, c.want[at.call][at.result]
	}
	_, refused := result.(errorText)
	names := titles(c.calls[:last+1], refused)
	t.Calls, t.Op, t.Titles = c.calls, names[0], names[1:]
	for i := range c.want {
		for k := range c.want[i] {
			if !slices.Contains(compared, place{i, k}) {
				c.want[i][k] = opaque{}
			}
		}
	}
	return ok
}

// maxOwn bounds the changes for which one test is shortened.
const maxOwn = 40
