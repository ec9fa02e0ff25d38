package fuzzext

import (
	"fmt"
	"math/rand/v2"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/budget"
	"github.com/espalier-go/espalier/fuzzext/internal/entry"
	"github.com/espalier-go/espalier/fuzzext/internal/outcome"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/internal/literal"
)

// An explanation says which parts of a minimal failing value matter.
type explanation struct {
	marks  literal.Marks // of parts of which all others that were tried fail, too
	passes string        // the smallest change with which the value passes, or ""
	left   string        // what has not been tried, or ""
}

const (
	maxTries  = 20  // other answers in place of a choice
	maxRuns   = 200 // of the property
	minTries  = 5   // of these, before a part counts as tried
	minParts  = 3   // of these, before the path of a part is known
	maxChange = 300 // bytes of a part that passes
)

// explain tries other answers in place of each choice of a minimal failing value, whose failure is
// of a class.
//
//  1. The part that belongs to a choice is the smallest one that holds all differences between
//     the value and those that other answers make.
//  2. A part does not matter if all values fail, in the same class, that other answers to its
//     choices make.
//  3. Of the values that pass, the one counts as the smallest change that changes the fewest
//     bytes of a part. Bytes that are put in count twice.
//
// The choices take turns, so that all get the same share of the runs; if there are many, some
// of them do, which are spread over the value. What has had few runs when these, or the time, are
// over, counts as not tried.
func (x *spec) explain(s *trial, t choices.Tree, class string, most time.Duration) explanation {
	v, tree, err := x.tryRemake(t)
	if err != nil {
		return explanation{}
	}
	deadline := time.Now().Add(budget.ClockFactor * most)
	if !s.hangAt.IsZero() {
		deadline = earlier(deadline, s.hangAt.Add(-s.hangAt.Sub(s.start)/4))
	}
	e := explainer{spec: x, s: s, class: class, value: v, tree: tree, most: most, spent: budget.New(), deadline: deadline, left: maxRuns}
	e.tryAll()
	return explanation{e.marks(), e.passing, e.untried()}
}

// An explainer is one call of explain.
type explainer struct {
	*spec
	s     *trial
	class string // of the failure
	value any
	tree  choices.Tree
	parts []part // by choice
	asked int    // choices that have other answers

	most     time.Duration
	spent    budget.Budget
	deadline time.Time

	left    int // runs
	stopped bool
	passing string
	size    int // of the change
}

// A part is what belongs to a choice.
type part struct {
	path    literal.Path
	values  int // other ones
	tried   int // of these, they fail
	matters bool
	done    bool // enough have been tried
}

// others makes values by other answers to a choice.
type others struct {
	*explainer
	i      int
	edits  []func(*choices.Choice)
	random *rand.Rand
	seen   map[string]bool
	drawn  int
}

func (x *explainer) others(i int) *others {
	return &others{x, i, nearAnswers(&x.tree[i]), rand.New(rand.NewPCG(uint64(i), 0)), map[string]bool{x.tree.String(): true}, 0}
}

// next returns the next value that differs from the others, its choices, and where it differs
// from the one that is explained.
func (a *others) next() (v any, made choices.Tree, path literal.Path, ok bool) {
	for ; len(a.seen) <= maxTries && a.drawn < 2*maxTries && !a.over(); a.drawn++ {
		edited := slices.Clone(a.tree)
		var random *rand.Rand
		switch {
		case a.drawn < len(a.edits):
			a.edits[a.drawn](&edited[a.i])
		case edited[a.i].Kind == choices.Pick:
			edited, random = edited.Splice(a.i, choices.Tree{{Kind: choices.Regenerate, Size: 1}}), a.random
		default:
			edited[a.i].Reroll, random = true, a.random
		}
		v, made, err := entry.Make(a.gen, choices.Replay(edited, random))
		if err != nil || a.seen[made.String()] {
			continue
		}
		a.seen[made.String()] = true
		if path, differ := literal.Difference(a.value, v); differ {
			a.drawn++
			return v, made, path, true
		}
	}
	return v, nil, nil, false
}

// over reports whether there is no more time.
func (x *explainer) over() bool {
	x.stopped = x.stopped || time.Now().After(x.deadline) || isOver(&x.spent, x.most)
	return x.stopped
}

// tryAll tries the choices in groups, in each of which they take turns.
func (x *explainer) tryAll() {
	x.parts = make([]part, len(x.tree))
	var all []int
	for i := range x.tree {
		if c := &x.tree[i]; c.Kind <= choices.Text && c.Asked() {
			all = append(all, i)
		} else {
			x.parts[i].done = true
		}
	}
	x.asked = len(all)
	const most = maxRuns / minTries
	groups := (len(all) + most - 1) / most
	for g := range groups {
		var turns []*others
		for n := g; n < len(all); n += groups {
			turns = append(turns, x.others(all[n]))
		}
		for len(turns) > 0 && x.left > 0 && !x.over() {
			turns = slices.DeleteFunc(turns, func(a *others) bool { return !x.try(a) })
		}
	}
}

// try runs the property on the next value that another answer to a choice makes. It reports
// false if there is none, or if one does not fail in the same class.
func (x *explainer) try(a *others) (more bool) {
	p := &x.parts[a.i]
	for x.left > 0 || p.matters {
		v, made, path, ok := a.next()
		if !ok {
			p.done = p.done || !x.over()
			return false
		}
		if p.values++; p.values == 1 {
			p.path = path
		}
		p.path = p.path.Common(path)
		switch {
		case p.matters && p.values > minParts:
			return false
		case p.matters:
			continue // only the path is of interest
		}
		x.left--
		run := x.run(x.s, v, earlier(time.Now().Add(2*explainTime), x.s.hangAt), minimizing)
		if run == nil {
			x.stopped = true
			return false
		}
		again := false
		switch verdict := run.outcome().Verdict; {
		case verdict == outcome.Valid:
			p.matters, again = true, true
			x.pass(made, path)
		case verdict == outcome.Failed && !x.anyFailure && run.class(false) != x.class:
			p.matters, again = true, true
		case verdict == outcome.Failed:
			p.tried++
		}
		x.s.recycle(run)
		p.done = p.matters || p.tried >= minTries
		if !again {
			return true
		}
	}
	return false
}

// untried says how much has not been tried, or "".
func (x *explainer) untried() string {
	n := 0
	for i := range x.parts {
		if !x.parts[i].done {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of its %s", n, text.Count(x.asked, "choice"))
}

// pass notes a value that passes, unless a smaller change is known. The value is made again,
// since the property may have changed it.
func (x *explainer) pass(made choices.Tree, at literal.Path) {
	v, _, err := x.tryRemake(made)
	if err != nil {
		return
	}
	before, ok := literal.Part(x.value, at, x.target.pkg)
	after, found := literal.Part(v, at, x.target.pkg)
	if size := changed(before, after); ok && found && len(before)+len(after) <= maxChange && (x.size == 0 || size < x.size) {
		x.size, x.passing = size, after
		if name := at.String(); name != "" {
			x.passing = name + ": " + after
		}
	}
}

// changed returns how many bytes are taken out of a text, in one place, and put in, which counts
// twice, to make another.
func changed(before, after string) int {
	least := min(len(before), len(after))
	start, end := 0, 0
	for start < least && before[start] == after[start] {
		start++
	}
	for end < least-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	kept := start + end
	return len(before) - kept + 2*(len(after)-kept)
}

// marks returns comments on the largest parts that do not matter.
func (x *explainer) marks() literal.Marks {
	marks := literal.Marks{}
	var marked []literal.Path
	for i := range x.parts {
		p := &x.parts[i]
		if p.values == 0 || slices.ContainsFunc(marked, p.path.Within) {
			continue
		}
		tried, matters := 0, false
		for j := range x.parts {
			q := &x.parts[j]
			if q.values > 0 && q.path.Within(p.path) {
				tried += q.tried
				matters = matters || q.matters || !q.done || q.tried == 0
			}
		}
		if !matters {
			marked = append(marked, p.path)
			marks[p.path.String()] = fmt.Sprintf("any value fails (%d of %d tried)", tried, tried)
		}
	}
	return marks
}
