package api

import (
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/job"
)

// A hunt seeks a test for each of some changes of the package, while sequences are generated. It
// repeats, for each sequence that has run:
//
//  1. Of the changes that the sequence has reached, and that are not found yet, take the few that
//     have been tried least. If the sequence has a new state or reaches new code, sometimes take all,
//     and append calls that observe its values.
//  2. Run the sequence once more, to see what its calls return, and once with each of these changes.
//  3. A change is found if a call returns something else, also if all that is repeated.
//  4. Keep the sequence for each of the others. Half of the next sequences are edits of those that
//     are kept for a change, the rather the less these have cost: some calls take very long.
//
// At the end, the sequence of each change that is found becomes a test, as short as can be.
type hunt struct {
	g       *generator
	left    []int         // the changes that are not found
	reached []bool        // by change, what the sequence that runs has reached
	tries   []int         // by change, how many sequences have run with it
	near    [][]*sequence // by change, some that reach it
	aim     int           // the change whose sequence has been edited to make the next, or 0
	cost    []int         // by change, of sequences that were made so
	made    int           // what sequences cost that are made, in calls
	runs    int           // and those that run for the hunt
	found   map[int]*candidate
}

const (
	fewChanges = 3  // that a sequence is run with
	huntShare  = 4  // what the hunt costs, at most, for what the sequences cost that are made
	deepHunts  = 8  // one of so many sequences that are new is observed, and run with all changes
	observing  = 30 // runs that it takes to observe a sequence, or so
	maxNear    = 8  // sequences that are kept for a change

	// stepsOfCall is how many steps cost what a call does, or so.
	stepsOfCall = 100

	// costly is the CPU time of a sequence that counts more than others. Most take much less, so that
	// chance does not decide.
	costly = 5 * time.Millisecond
)

func (g *generator) newHunt(o *job.Mistakes) *hunt {
	h := &hunt{
		g: g, reached: make([]bool, o.Number), tries: make([]int, o.Number),
		near: make([][]*sequence, o.Number), cost: make([]int, o.Number),
		found: map[int]*candidate{},
	}
	for m := 1; m < o.Number; m++ {
		if !slices.Contains(o.Skip, m) {
			h.left = append(h.left, m)
		}
	}
	return h
}

// resume takes over what earlier processes have told, before one of them ended.
func (h *hunt) resume(known []job.Told) {
	for _, t := range known {
		if !slices.Contains(h.left, t.Mistake) {
			continue
		}
		h.tries[t.Mistake] = max(h.tries[t.Mistake], t.Tries)
		if s := h.g.decode(t.Entry); len(t.Entry) > 0 && s != nil && !s.hasAny(h.g.opts.Never, 0) {
			h.confirm(s.own(), t.Mistake)
		}
	}
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
	g.unread()
	once := costOf(s, -*g.switches.steps)
	h.made += once
	if g.over(0) || !g.completes(s, end) || g.looped {
		return
	}
	var due []int
	for _, m := range h.left {
		if h.reached[m] {
			due = append(due, m)
			h.keep(s, m)
		}
	}
	// A sequence that takes long is only tried if shorter ones have left enough for it.
	if len(due) == 0 || h.runs+(1+min(len(due), fewChanges))*once > huntShare*h.made {
		return
	}
	if isNew && g.rand.IntN(deepHunts) == 0 {
		g.sample(s.calls)
		if more := g.observing(s); more != nil {
			s = more.own()
		}
		h.runs += observing * once
	} else {
		slices.SortStableFunc(due, func(a, b int) int { return h.tries[a] - h.tries[b] })
		due = due[:min(len(due), fewChanges)]
	}
	c := g.candidate(s, 0, 1)
	if c == nil {
		return
	}
	h.runs += (1 + len(due)) * costOf(s, c.steps)
	for _, m := range due {
		if h.tries[m]++; h.tries[m]&(h.tries[m]-1) == 0 {
			g.know(job.Told{Mistake: m, Tries: h.tries[m]})
		}
		if _, fails := g.notices(c, m); fails {
			h.confirm(s, m)
		}
	}
}

// costOf returns what a sequence costs that takes some steps, in calls.
func costOf(s *sequence, steps int) int { return len(s.calls) + steps/stepsOfCall }

// keep keeps a sequence that reaches a change.
func (h *hunt) keep(s *sequence, change int) {
	near := &h.near[change]
	if i := h.g.rand.IntN(maxNear); len(*near) < maxNear {
		*near = append(*near, s)
	} else {
		(*near)[i] = s
	}
}

// attempt tries an edit of a sequence that reaches a change. It reports whether it has: half of the
// time, it does not.
func (h *hunt) attempt() bool {
	if h == nil || len(h.left) == 0 || h.g.rand.IntN(2) == 0 {
		return false
	}
	parent, edited := h.draw()
	if parent == nil {
		return false
	}
	begun := cpuTime()
	h.g.tryEdited(parent, edited)
	h.cost[h.aim] += 1 + int((cpuTime()-begun)/costly)
	return true
}

// draw returns a sequence that reaches a change, which becomes the aim, and an edit of it.
func (h *hunt) draw() (parent *sequence, edited choices.Tree) {
	g := h.g
	h.aim = 0
	for range 2 { // the one of two that has cost less
		m := h.left[g.rand.IntN(len(h.left))]
		if len(h.near[m]) > 0 && (h.aim == 0 || h.cost[m] < h.cost[h.aim]) {
			h.aim = m
		}
	}
	if h.aim == 0 {
		return nil, nil
	}
	near := h.near[h.aim]
	parent = near[g.rand.IntN(len(near))]
	g.mutator.Corpus = []choices.Tree{near[g.rand.IntN(len(near))].tree}
	if g.rand.IntN(4) == 0 {
		return parent, more(parent.tree)
	}
	edited, _ = g.mutator.Havoc(parent.tree, g.rand)
	g.renumber(edited, false)
	return parent, edited
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
	h.found[change], h.near[change] = c, nil
	h.left = slices.DeleteFunc(h.left, func(m int) bool { return m == change })
	h.g.know(job.Told{Mistake: change, Entry: entryOf(s.tree, len(s.calls))})
}

// suite returns what the hunt has found.
func (h *hunt) suite() Suite {
	s := Suite{Stats: h.g.stats, Tries: h.tries}
	for m := range h.reached {
		if h.found[m] != nil {
			s.Found = append(s.Found, m)
		}
	}
	s.Regressions = h.tests()
	return s
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
		if !c.reached[m] || h.g.over(h.g.closing()) {
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
