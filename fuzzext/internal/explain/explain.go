// Package explain finds out which parts of a minimal failing value matter.
package explain

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/literal"
)

// An Explanation says which parts of a minimal failing value matter.
type Explanation struct {
	Marks  literal.Marks // of parts that fail with all others that were tried, too
	Passes string        // the smallest change with which the value passes, or ""
	Left   string        // what has not been tried, or ""
	Needs  string        // the order of operations that the failure takes, a line for each, or ""
}

// A Failure is a minimal failing value.
type Failure struct {
	Gen   bigen.Gen[any]
	Pkg   string // in which literals stand
	Value any
	Tree  choices.Tree

	// Run runs the property on another value. It says whether the failure is of the same class.
	// It reports false if the run has not returned.
	Run func(v any) (verdict values.Verdict, same, ok bool)

	Over func() bool // there is no more time
}

const (
	maxTries  = 20  // other answers in place of a choice
	maxRuns   = 200 // of the property,
	leastRuns = 50  // and of values of more choices than 64, fewer in proportion, but so many
	maxAgain  = 10  // values drawn in a row that are known, before there seem to be no others
	minTries  = 5   // other answers, before a part counts as tried
	minParts  = 3   // of these, before the path of a part is known
	maxChange = 300 // bytes of a part that passes
)

// Explain tries other answers in place of each choice of a minimal failing value.
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
func Explain(f Failure) Explanation {
	x := explainer{Failure: f, left: min(maxRuns, max(leastRuns, maxRuns*64/max(1, len(f.Tree))))}
	needs := f.needs()
	x.tryAll()
	return Explanation{x.marks(), x.passing(), x.untried(), needs}
}

// An explainer is one call of Explain.
type explainer struct {
	Failure
	parts []part // by choice
	asked int    // choices that have other answers

	left    int // runs
	stopped bool
	edited  choices.Tree // memory of edits,
	made    choices.Tree // and of what they make
	size    int          // of the smallest change with which a value passes,
	passes  choices.Tree // what makes this value,
	at      literal.Path // and where it differs
}

// A part is what belongs to a choice.
type part struct {
	*others // or nil
	path    literal.Path
	values  int // other ones
	tried   int // of these, they fail
	matters bool
	float   bool // the one that passes
	done    bool // enough have been tried
}

// others makes values by other answers to a choice.
type others struct {
	*explainer
	i      int
	edits  []func(*choices.Choice)
	random *rand.Rand
	seen   map[uint64]bool // by values.Hash
	drawn  int
}

func (x *explainer) others(i int) *others {
	a := &others{x, i, values.NearAnswers(&x.Tree[i]), rand.New(rand.NewPCG(uint64(i), 0)),
		map[uint64]bool{values.Hash(x.Tree): true}, 0}
	if a.most() < maxTries { // all integers of the range
		c := &x.Tree[i]
		near := map[int64]bool{c.N: true}
		for _, edit := range a.edits {
			edited := *c
			edit(&edited)
			near[edited.N] = true
		}
		for n := c.Lo; n != c.Hi+1; n++ {
			if !near[n] {
				a.edits = append(a.edits, func(c *choices.Choice) { c.N = n })
			}
		}
	}
	return a
}

// next returns the next value that differs from the others, its choices, and where it differs
// from the one that is explained. The choices are valid until the next call, for any choice.
func (a *others) next() (v any, path literal.Path, ok bool) {
	for again := 0; len(a.seen) <= a.most() && a.drawn < 2*maxTries && again < maxAgain &&
		!a.over(); a.drawn++ {
		a.edited = append(a.edited[:0], a.Tree...)
		edited := a.edited
		var random *rand.Rand
		switch {
		case a.drawn < len(a.edits):
			a.edits[a.drawn](&edited[a.i])
		case edited[a.i].Kind == choices.Pick:
			edited, random = edited.Splice(a.i, choices.Tree{{Kind: choices.Regenerate, Size: 1}}), a.random
		default:
			edited[a.i].Reroll, random = true, a.random
		}
		v, made, err := values.Make(a.made, a.Gen, choices.Replay(edited, random))
		if err != nil {
			continue
		}
		a.made = made
		h := values.Hash(made)
		if a.seen[h] {
			if a.drawn >= len(a.edits) {
				again++
			}
			continue
		}
		a.seen[h] = true
		if path, differ := literal.Difference(a.Value, v); differ {
			a.drawn++
			return v, path, true
		}
	}
	return v, nil, false
}

// most returns how many other answers are tried at most.
func (a *others) most() int {
	if c := &a.Tree[a.i]; c.Kind == choices.Int || c.Kind == choices.Uint {
		return int(min(maxTries, uint64(c.Hi)-uint64(c.Lo)))
	}
	return maxTries
}

// over reports whether there is no more time.
func (x *explainer) over() bool {
	x.stopped = x.stopped || x.Over()
	return x.stopped
}

// tryAll tries the choices in groups. In each group, they take turns.
func (x *explainer) tryAll() {
	x.parts = make([]part, len(x.Tree))
	var all []int
	for i := range x.Tree {
		if c := &x.Tree[i]; c.Kind <= choices.Text && c.Asked() {
			all = append(all, i)
		} else {
			x.parts[i].done = true
		}
	}
	x.asked = len(all)
	most := x.left / minTries
	groups := (len(all) + most - 1) / most
	for g := range groups {
		var turns []*part
		for n := g; n < len(all); n += groups {
			p := &x.parts[all[n]]
			p.others = x.others(all[n])
			turns = append(turns, p)
		}
		for len(turns) > 0 && x.left > 0 && !x.over() {
			turns = slices.DeleteFunc(turns, func(p *part) bool { return !x.try(p) })
		}
	}
}

// another makes the next value by another answer to a choice. It reports false if there is none.
func (p *part) another() (v any, path literal.Path, ok bool) {
	if v, path, ok = p.next(); !ok {
		return v, path, false
	}
	if p.values++; p.values == 1 {
		p.path = path
	}
	p.path = p.path.Common(path)
	return v, path, true
}

// try runs the property on the next value that another answer to a choice makes. It reports
// false if there is none, or if one does not fail in the same class.
func (x *explainer) try(p *part) (more bool) {
	if x.left == 0 {
		return false
	}
	v, path, ok := p.another()
	if !ok {
		p.done = p.done || !x.over()
		return false
	}
	x.left--
	verdict, same, ok := x.Run(v)
	if !ok {
		x.stopped = true
		return false
	}
	switch {
	case verdict == values.Valid:
		size, float := x.change(path)
		if size > 0 && (x.size == 0 || size < x.size) {
			x.size, x.passes, x.at = size, slices.Clone(x.made), path
		}
		// the simplest may be a plainer float than the nearest
		p.float, p.matters = float && !p.matters, true
	case verdict == values.Failed && !same:
		p.float, p.matters = false, true
	case verdict == values.Failed:
		p.tried++
	}
	p.done = p.matters || p.tried >= minTries
	return !p.matters || p.float
}

// narrow finds the path of a part that matters by a few more values, which are not run.
func (p *part) narrow() {
	for p.values <= minParts {
		if _, _, ok := p.another(); !ok {
			return
		}
	}
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

// change returns the size of the change at a path that makes the last value of the one that is
// explained, or 0 if it is too large, and whether the part that differs is a float. It makes the
// value anew, since the property may have changed it.
func (x *explainer) change(at literal.Path) (size int, float bool) {
	before, ok := literal.Line(maxChange, x.Value, at, x.Pkg)
	if !ok {
		return 0, false
	}
	v, _, err := values.Make(nil, x.Gen, choices.Replay(x.made, nil))
	if err != nil {
		return 0, false
	}
	after, found := literal.Line(maxChange, v, at, x.Pkg)
	if found && len(before)+len(after) <= maxChange {
		size = changed(before, after)
	}
	return size, strings.Contains(after, ".")
}

// passing returns the part with which a value passes, if it is known, or "".
func (x *explainer) passing() string {
	if x.size == 0 {
		return ""
	}
	v, _, err := values.Make(nil, x.Gen, choices.Replay(x.passes, nil))
	if err != nil {
		return ""
	}
	part, _ := literal.Part(maxChange, v, x.at, x.Pkg)
	if name := x.at.String(); name != "" {
		part = name + ": " + part
	}
	return part
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
		if p.values == 0 || p.matters || slices.ContainsFunc(marked, p.path.Within) {
			continue
		}
		if tried, matters := x.triedWithin(p.path); !matters {
			marked = append(marked, p.path)
			marks[p.path.String()] = fmt.Sprintf("any value fails (%d of %d tried)", tried, tried)
		}
	}
	return marks
}

// triedWithin returns how many values of the parts at a path were tried, and whether one of the
// parts matters, or may.
func (x *explainer) triedWithin(path literal.Path) (tried int, matters bool) {
	for j := 0; j < len(x.parts) && !matters; j++ {
		q := &x.parts[j]
		if q.values == 0 || !q.path.Within(path) {
			continue
		}
		if q.matters {
			q.narrow()
			matters = q.path.Within(path)
			continue
		}
		tried += q.tried
		matters = !q.done || q.tried == 0
	}
	return tried, matters
}
