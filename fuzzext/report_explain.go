package fuzzext

import (
	"fmt"
	"math/rand/v2"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/literal"
)

// An explanation says which parts of a minimal failing value matter.
type explanation struct {
	marks  literal.Marks // of parts of which all others that were tried fail, too
	passes string        // the smallest change with which the value passes, or ""
	left   string        // what has not been tried, or ""
}

// explainTime is how long an explanation in a report takes at most; see budget.
var explainTime = minimizeTime / 4

const (
	maxTries   = 20  // other answers in place of a choice
	maxExplain = 200 // runs
	minTries   = 5   // of these, before a part counts as tried
	minParts   = 3   // of these, before the path of a part is known
	maxChange  = 300 // bytes of a part that passes
)

// explain tries other answers in place of each choice of a minimal failing value.
//
//  1. The part that belongs to a choice is the smallest one that holds all differences between
//     the value and those that other answers make.
//  2. A part does not matter if all values fail, in the same class, that other answers to its
//     choices make.
//  3. Of the values that pass, the one counts as the smallest change that changes the fewest
//     bytes of a part. Bytes that are put in count twice.
//
// The choices take turns, so that all get the same share of the runs; if there are many, some
// of them do, which are spread over the value. What has had few runs when these, or the most time
// that it may take, are over, counts as not tried.
func (r *spec) explain(s *trial, m minimized, most time.Duration) (e explanation) {
	v, tree, err := r.tryRemake(m.tree)
	if err != nil {
		return e
	}
	x := explainer{spec: r, s: s, class: m.run.class(false), value: v, tree: tree, left: maxExplain, most: most, spent: newBudget()}
	x.deadline = time.Now().Add(clockFactor * most)
	if !s.hangAt.IsZero() {
		x.deadline = earlier(x.deadline, s.hangAt.Add(-s.hangAt.Sub(s.start)/4))
	}
	x.tryAll()
	return explanation{x.marks(), x.passing, x.untried()}
}

// An explainer is one call of explain.
type explainer struct {
	*spec
	s     *trial
	class string
	value any
	tree  choices.Tree // of it
	parts []part       // of it, by choice
	asked int          // choices that have other answers

	left     int // runs
	deadline time.Time
	most     time.Duration
	spent    budget
	stopped  bool
	passing  string
	size     int // of the change
}

// A part is what belongs to a choice.
type part struct {
	path    literal.Path
	values  int // other ones
	tried   int // of these, they fail
	matters bool
	done    bool // enough have been tried
}

// answers makes values by other answers to a choice.
type answers struct {
	*explainer
	i      int
	edits  []func(*choices.Choice)
	random *rand.Rand
	seen   map[string]bool
	drawn  int
}

func (x *explainer) answers(i int) *answers {
	return &answers{x, i, nearby(&x.tree[i]), rand.New(rand.NewPCG(uint64(i), 0)), map[string]bool{x.tree.String(): true}, 0}
}

// next returns the next value that differs from the others, its choices, and where it differs
// from the one that is explained.
func (a *answers) next() (v any, made choices.Tree, path literal.Path, ok bool) {
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
		v, made, err := a.runner.try(choices.Replay(edited, random))
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
	x.stopped = x.stopped || time.Now().After(x.deadline) || x.spent.over(x.most)
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
	const most = maxExplain / minTries
	groups := (len(all) + most - 1) / most
	for g := range groups {
		var turns []*answers
		for n := g; n < len(all); n += groups {
			turns = append(turns, x.answers(all[n]))
		}
		for len(turns) > 0 && x.left > 0 && !x.over() {
			turns = slices.DeleteFunc(turns, func(a *answers) bool { return !x.try(a) })
		}
	}
}

// try runs the property on the next value that another answer to a choice makes. It reports
// false if there is none, or if one does not fail in the same class.
func (x *explainer) try(a *answers) (more bool) {
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
		switch {
		case run.invalid:
		case !run.Failed():
			p.matters, again = true, true
			x.pass(made, path)
		case !x.anyFailure && run.class(false) != x.class:
			p.matters, again = true, true
		default:
			p.tried++
		}
		p.done = p.matters || p.tried >= minTries
		x.s.recycle(run)
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
	return fmt.Sprintf("%d of its %s", n, count(x.asked, "choice"))
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

// nearby returns edits that give a choice another answer, the nearest first.
func nearby(c *choices.Choice) (edits []func(*choices.Choice)) {
	switch c.Kind {
	case choices.Text:
		runes := []rune(c.Tag)
		if n := len(runes); n > 0 {
			edits = append(edits,
				func(c *choices.Choice) { c.Tag = string(runes[:n-1]) },
				func(c *choices.Choice) { c.Tag = string(runes[1:]) },
				func(c *choices.Choice) { c.Tag = "" })
		}
		edits = append(edits, func(c *choices.Choice) { c.Tag += "b" })
	case choices.Int, choices.Uint:
		simplest := c.Origin()
		for _, n := range []int64{c.N - 1, c.N + 1, simplest, c.Lo, c.Hi} {
			if c.Kind.Clamp(n, c.Lo, c.Hi) == n && n != c.N {
				edits = append(edits, func(c *choices.Choice) { c.N = n })
			}
		}
	case choices.Pick:
		for n := int64(0); n < c.N; n++ {
			edits = append(edits, func(c *choices.Choice) { c.TakeIndex(n) })
		}
	}
	return append(edits, others(c)...)
}
