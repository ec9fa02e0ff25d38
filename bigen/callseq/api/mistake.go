package api

import (
	"maps"
	"math/rand/v2"
	"reflect"
	_ "unsafe" // names that the package under test links to

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/internal/job"
)

// What the package under test reads if corpusgen api has built small changes into it. At most one
// is made at a time.
//
//go:linkname mistakeMade
//go:linkname mistakesReached
//go:linkname mistakeSteps
var (
	mistakeMade     = -1   // the change that is made; -1 for none
	mistakesReached []bool // by change: what it changes has been reached
	mistakeSteps    int    // how often such places may be reached, before a panic; 0 for any
)

// switches are those variables or, if no change is built in, variables of the generator's own, so
// that several can run at once.
type switches struct {
	made    *int
	reached *[]bool
	steps   *int
}

var linked = switches{&mistakeMade, &mistakesReached, &mistakeSteps}

const (
	maxCandidates = 250   // sequences to choose from
	maxTried      = 40    // of them that are tried on one change
	enoughNoticed = 4     // of these that need notice it
	maxShortening = 20000 // runs that shorten one test
	fewRuns       = 3     // of a sequence, that return the same
	moreRuns      = 10    // of one that is shortened
	manyRuns      = 100   // of a test
	moreSteps     = 10000 // that a change may make, beside ten times those without it
	crashes       = 0.3   // what a mistake counts that makes a call panic
	unasserted    = 1e-3  // and what it counts in a test with nothing to compare
	maxStatements = 12    // of a test
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

// shown returns what a test compares that fails at a place: a call that panics has a result that it
// should return instead, unless none can be compared.
func (c *candidate) shown(at place) (result place, ok bool) {
	if at.result >= 0 {
		return at, true
	}
	if at.call < len(c.want) {
		for k, want := range c.want[at.call] {
			if want != any(opaque{}) && want != any(present{}) {
				return place{at.call, k}, true
			}
		}
	}
	return at, false
}

// asserts returns how many of the mistakes that fail a test a comparison shows.
func (c *candidate) asserts() (count int) {
	for _, at := range c.notices {
		if at.result >= 0 {
			count++
		}
	}
	return count
}

// noticed returns what the mistakes count that fail a test.
func (c *candidate) noticed() float64 {
	asserts := c.asserts()
	others := float64(len(c.notices) - asserts)
	if asserts == 0 {
		return unasserted * others
	}
	return float64(asserts) + crashes*others
}

// selected returns regression tests that notice changes of the package: again and again, the one
// that notices most that are not noticed yet, for its length. What of a test none of these needs is
// left out: calls, and comparisons of results.
func (g *generator) selected(o *job.Mistakes) (tests []Test) {
	all := g.candidates(o)
	if o.Away {
		g.travel(all, o.Known)
		return nil
	}
	tried := g.tryChanges(all, o)
	var chosen []*candidate // by test
	for len(tests) < g.opts.MaxRegressions && !g.over(2*g.closing()) {
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
	return g.merged(tests, chosen, o.Number)
}

// candidates returns the candidates of an order, the shortest first.
func (g *generator) candidates(o *job.Mistakes) (all []*candidate) {
	decoded, known := make([]*sequence, len(o.Candidates)), map[int]bool{}
	differ, travels := map[int][]job.Notice{}, map[int]bool{}
	for _, told := range o.Known {
		switch i := ^told.Mistake; {
		case i < 0:
		case told.Away:
			differ[i], travels[i] = told.Noticed, told.Tried
		case len(o.Candidates[i]) > 0:
			o.Candidates[i], known[i] = told.Entry, true
		}
	}
	for i, entry := range o.Candidates {
		s := g.decode(entry)
		if len(entry) == 0 || s == nil || g.over(-g.opts.Time/2) {
			continue
		}
		if !g.abroad(s, differ[i]) {
			continue
		}
		decoded[i] = s.own()
		g.risk(decoded[i], ^i)
		// Which operations tell something is known once they have run.
		if g.traceRun(decoded[i], "").class == Passed {
			g.sample(decoded[i].calls)
		}
	}
	anywhere := map[resultOf]bool{}
	for _, differ := range g.differ {
		maps.Copy(anywhere, differ)
	}
	for i, s := range decoded {
		if s == nil || g.over(-g.opts.Time/2) {
			continue
		}
		if !travels[i] && !o.Away { // it cannot run elsewhere
			g.differ[i] = anywhere
		}
		g.risk(s, ^i)
		if !known[i] {
			if s = g.observing(s); s != nil {
				g.know(job.Told{Mistake: ^i, Entry: entryOf(s.tree, len(s.calls))})
			} else {
				g.know(job.Told{Mistake: ^i})
			}
		}
		if c := g.candidate(s, o.Number, fewRuns); c != nil {
			c.from = i
			all = append(all, c)
		}
	}
	g.mistake = 0
	slices.SortStableFunc(all, func(a, b *candidate) int { return len(a.calls) - len(b.calls) })
	return all
}

// tryChanges notes which candidates notice which changes, in a random order, and returns the
// changes that it has tried.
func (g *generator) tryChanges(all []*candidate, o *job.Mistakes) (tried []int) {
	known := map[int][]job.Notice{}
	for _, told := range o.Known {
		if told.Mistake > 0 {
			known[told.Mistake] = told.Noticed
		}
	}
	for _, m := range rand.New(rand.NewPCG(g.opts.Seed, 1)).Perm(o.Number) {
		if m > 0 && m == o.Until {
			break
		}
		if m == 0 || slices.Contains(o.Skip, m) || g.over(0) {
			continue
		}
		tried = append(tried, m)
		if notices, ok := known[m]; ok {
			for _, c := range all {
				for _, n := range notices {
					if n.Candidate == c.from {
						c.notices[m] = place{n.Call, n.Result}
					}
				}
			}
			continue
		}
		g.tryChange(all, m)
		var notices []job.Notice
		for _, c := range all {
			if at, fails := c.notices[m]; fails {
				n := job.Notice{Candidate: c.from, Call: at.call, Result: at.result}
				notices = append(notices, n)
			}
		}
		g.know(job.Told{Mistake: m, Noticed: notices})
	}
	return tried
}

// know tells what is known of a mistake or a candidate, for a process that takes over.
func (g *generator) know(t job.Told) {
	if t.Tried = true; g.opts.tried != nil {
		g.opts.tried(t)
	}
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
		if c.notices[change] = at; at.result >= 0 {
			found++
		}
	}
}

// mostWorth returns the candidate that notices most for its length, or nil if none notices
// anything.
func mostWorth(all []*candidate) (best *candidate) {
	most := 0.
	for _, c := range all {
		if worth := c.noticed() / float64(8+len(c.calls)); worth > most {
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
			if c.reached[m] && !g.over(g.closing()) && g.noticesTwice(c, m) {
				tests[i].Notices = append(tests[i].Notices, m)
				break
			}
		}
	}
}

// candidate returns a sequence with what it returns each time that it runs, of several, or nil.
func (g *generator) candidate(s *sequence, changes, runs int) *candidate {
	c := &candidate{sequence: s, notices: map[int]place{}}
	if g.unread(); changes > 0 {
		c.reached = make([]bool, changes)
		*g.switches.reached = c.reached
	}
	*g.switches.steps = 0
	defer g.unread()
	for range runs {
		if s == nil || !g.completes(s, g.traceRun(s, "")) {
			return nil
		}
		trace := g.trace
		g.trace = nil
		if !c.sees(trace, g.comparable) {
			return nil
		}
	}
	c.steps = -*g.switches.steps / runs
	g.forget(c)
	return c
}

// sees wants no result from now on that differs in another run, or that is not comparable. It reports
// whether the same calls panic.
func (c *candidate) sees(trace []traced, comparable func(v any) bool) bool {
	for i := range trace {
		got := trace[i].seen()
		if i == len(c.want) { // the first run
			c.want = append(c.want, slices.Clone(got))
		}
		if trace[i].panics != isPanic(c.want[i]) {
			return false
		}
		for k, want := range c.want[i] {
			if k >= len(got) || differs(want, got[k]) || !comparable(want) {
				c.want[i][k] = opaque{}
			}
		}
	}
	return true
}

// unread has what is reached noted where nobody reads it. A goroutine of the package may still run:
// it must not find another length.
func (g *generator) unread() {
	if m := g.opts.mistakes; m != nil && len(g.ignored) < m.Number {
		g.ignored = make([]bool, m.Number)
	}
	*g.switches.reached = g.ignored
}

// completes reports whether a sequence has run to its end, where its last call may have refused its
// arguments.
func (g *generator) completes(s *sequence, e ending) bool {
	return e.class == Passed || e.class == Expected && e.at == len(s.calls)-1
}

// isPanic reports whether what is seen of a call is that it panics.
func isPanic(seen []any) bool { return len(seen) == 1 && seen[0] == any(panicked{}) }

// comparable reports whether a test can compare a result.
func (g *generator) comparable(v any) bool {
	format, _ := g.expectation(v)
	return format != "" || v == any(panicked{})
}

// risk tells that a sequence may end the process because of a change, or because of what is made of
// the candidate ^change.
func (g *generator) risk(s *sequence, change int) {
	g.mistake = change
	g.runs, g.entry, g.turn = s, nil, len(s.calls)-1
	g.tell(g.opts.Before)
}

// noticesTwice reports whether a test of a candidate fails if a change is made, and not by chance.
func (g *generator) noticesTwice(c *candidate, change int) bool {
	for range 2 {
		if _, fails := g.notices(c, change); !fails {
			return false
		}
	}
	return true
}

// notices reports whether a test of a candidate fails if a change is made, and where.
func (g *generator) notices(c *candidate, change int) (at place, fails bool) {
	s := *c.sequence
	s.proven = len(s.calls)
	of := g.mistake
	g.risk(&s, change)
	g.arm()
	*g.switches.made, *g.switches.steps = change, 10*c.steps+moreSteps
	end := g.traceRun(&s, "")
	*g.switches.made, *g.switches.steps, g.mistake = -1, 0, of
	trace := g.trace
	g.trace = nil
	for i := range trace[:min(len(trace), len(c.want))] {
		switch wants := isPanic(c.want[i]); {
		case wants && trace[i].panics: // however it does
			return at, false
		case wants:
			return place{i, 0}, true
		case trace[i].panics:
			return place{i, -1}, true
		}
		for k, v := range trace[i].seen() {
			if k < len(c.want[i]) && differs(c.want[i][k], v) {
				return place{i, k}, true
			}
		}
	}
	byHarness := end.violated != nil || g.err != nil || g.tb.Failed() // a test does not have that
	return place{end.at, -1}, !g.completes(&s, end) && !byHarness
}

// differs reports whether a test that wants a result fails if it is another one.
func differs(want, got any) bool {
	switch want.(type) {
	case opaque:
		return false
	case errorText:
		_, is := got.(errorText)
		return !is
	case present:
		return got == any(dataText("nil")) || got == nil
	}
	return !reflect.DeepEqual(want, got)
}

// maxOwn bounds the changes for which one test is shortened.
const maxOwn = 40
