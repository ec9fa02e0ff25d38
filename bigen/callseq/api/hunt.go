package api

import (
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/internal/job"
)

// A hunt seeks a test for each of some changes of the package, while sequences are generated. It
// repeats, for each sequence that has run:
//
//  1. Of the changes that the sequence has reached, and that no test notices yet, take the few
//     that have been tried least, or all if the sequence has a new state or reaches new code. Then
//     calls that observe its values follow, too.
//  2. Run the sequence once more, to see what its calls return, and once with each of these changes.
//  3. A change is found if a call returns something else, also if all that is repeated.
//
// At the end, the sequence of each change that is found becomes a test, as short as can be.
type hunt struct {
	g       *generator
	left    []int  // the changes that are not found
	reached []bool // by change, what the sequence that runs has reached
	tries   []int  // by change, how many sequences have run with it
	found   map[int]*candidate
	spent   time.Duration
}

const (
	fewChanges = 3 // that a sequence is run with
	huntShare  = 2 // hunting takes one of so many parts of the CPU time, at most
)

func (g *generator) newHunt(o *job.Mistakes) *hunt {
	h := &hunt{
		g: g, reached: make([]bool, o.Number), tries: make([]int, o.Number), found: map[int]*candidate{},
	}
	for m := 1; m < o.Number; m++ {
		if !slices.Contains(o.Skip, m) {
			h.left = append(h.left, m)
		}
	}
	return h
}

// over reports whether the hunt is.
func (h *hunt) over() bool { return h != nil && (len(h.left) == 0 || h.g.over(0)) }

// begin begins to note what the next sequence reaches, and returns it with memory of its own.
func (h *hunt) begin(s *sequence) *sequence {
	if h == nil {
		return s
	}
	clear(h.reached)
	*h.g.switches.reached, *h.g.switches.steps = h.reached, 0
	return s.own()
}

// follow tries changes on a sequence that has run.
func (h *hunt) follow(s *sequence, end ending, isNew bool) {
	if h == nil {
		return
	}
	g := h.g
	*g.switches.reached = nil
	used := cpuTime()
	if g.over(0) || !g.completes(s, end) || g.looped ||
		!isNew && h.spent*huntShare > used-g.cpu {
		return
	}
	var due []int
	for _, m := range h.left {
		if h.reached[m] {
			due = append(due, m)
		}
	}
	if len(due) == 0 {
		return
	}
	defer func() { h.spent += cpuTime() - used }()
	if isNew {
		g.sample(s.calls)
		if more := g.observing(s); more != nil {
			s = more.own()
		}
	} else {
		slices.SortStableFunc(due, func(a, b int) int { return h.tries[a] - h.tries[b] })
		due = due[:min(len(due), fewChanges)]
	}
	c := g.candidate(s, 0, 1)
	if c == nil {
		return
	}
	for _, m := range due {
		h.tries[m]++
		if _, fails := g.notices(c, m); fails {
			h.confirm(s, m)
		}
	}
}

// confirm takes a sequence for a change, if it is noticed again.
func (h *hunt) confirm(s *sequence, change int) {
	c := h.g.candidate(s, len(h.reached), moreRuns)
	if c == nil {
		return
	}
	at, fails := h.g.notices(c, change)
	if !fails {
		return
	}
	c.notices[change] = at
	h.found[change] = c
	h.left = slices.DeleteFunc(h.left, func(m int) bool { return m == change })
	h.g.know(job.Told{Mistake: change, Entry: entryOf(s.tree, len(s.calls))})
}

// tests returns tests of what is found: each change has one of its own, unless the test of another
// notices it, too, perhaps if that compares more.
func (h *hunt) tests() (tests []Test) {
	var chosen []*candidate
	for m := range h.reached {
		if h.found[m] == nil || h.added(m, tests, chosen) {
			continue
		}
		if t, c, ok := h.g.shortest(h.found[m], []int{m}, len(h.reached)); ok {
			tests, chosen = append(tests, t), append(chosen, c)
		}
	}
	return tests
}

// added reports whether one of some tests notices a change, after it has been changed for that.
func (h *hunt) added(m int, tests []Test, chosen []*candidate) bool {
	for i, c := range chosen {
		if !c.reached[m] || h.g.over(closing) {
			continue
		}
		if h.g.noticesTwice(c, m) {
			tests[i].Notices = append(tests[i].Notices, m)
			return true
		}
		all := append(slices.Clone(tests[i].Notices), m)
		t, c, ok := h.g.finished(c.sequence, all, len(h.reached))
		if ok && len(t.Notices) == len(all) && t.statements <= maxStatements {
			tests[i], chosen[i] = t, c
			return true
		}
	}
	return false
}
