package bigen

import (
	"strings"
	"unsafe"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// What a run asks of its source, and what it records; backward, what the value answers.

// pick asks which of alts to take, records the answer and enters its branch.
func (c *C) pick(alts []choices.Alt) (n int, b branch) {
	n = c.ask(alts, nil)
	return n, c.enter(c.q.Path())
}

// pickLeaf is pick, and leavePick, of alternatives below which nothing is asked.
func (c *C) pickLeaf(s *choices.AltSet) (n int) {
	if c.leaf == nil {
		n = c.ask(s.Alts, s)
		c.src.Leave()
		return n
	}
	alts := s.Alts
	if !c.free() {
		alts, s = alts[:1], nil
	}
	if n = c.leaf.PickLeaf(c.questionPick(alts, s)); uint(n) >= uint(len(alts)) {
		n = 0
	}
	c.took(alts, s, n)
	return n
}

// below makes *p by the alternative that the last answer takes. Many take nil: below that, nothing
// is asked, and to enter a branch would cost as much as the rest.
func (c *C) below(taken op, p unsafe.Pointer) {
	if _, ok := taken.(nilOp); ok {
		*(*unsafe.Pointer)(p) = nil
		c.src.Leave()
		return
	}
	b := c.enter(c.q.Path())
	taken.forward(c, 0, 0, p)
	c.leavePick(b)
}

// ask asks which of alts to take, and records the answer. If there is a set of them, s is it.
func (c *C) ask(alts []choices.Alt, s *choices.AltSet) (n int) {
	if !c.free() {
		alts, s = alts[:1], nil
	}
	if n = c.src.Pick(c.questionPick(alts, s)); uint(n) >= uint(len(alts)) {
		n = 0
	}
	c.took(alts, s, n)
	return n
}

// questionPick returns the question which of alts to take. It is inlined.
func (c *C) questionPick(alts []choices.Alt, s *choices.AltSet) *choices.Question {
	q := c.question(choices.Pick)
	q.Offer(s, alts)
	return q
}

// took records, forward, that alts[n] was taken.
func (c *C) took(alts []choices.Alt, s *choices.AltSet, n int) {
	if s == nil {
		c.add(choices.Pick).Take(alts, n)
		return
	}
	i := len(c.tree)
	if i == cap(c.tree) {
		c.growTree()
	}
	c.tree = c.tree[:i+1]
	e := &c.tree[i]
	*e = *s.Taken(n)
	e.Slot, e.Index = c.at.slot, c.at.index
}

func (c *C) growTree() { c.tree = slices.Grow(c.tree, 16) }

// leavePick ends what pick began.
func (c *C) leavePick(b branch) {
	c.src.Leave()
	c.leaveBranch(b)
}

// readPick records, backward, that alts[n] was taken, with what read, if not nil, records below.
func (c *C) readPick(alts []choices.Alt, n int, read func() bool) bool {
	if !c.free() {
		alts = alts[:1]
	}
	if n >= len(alts) {
		return c.failTooLarge()
	}
	b := c.enterBranch(0)
	ok := read == nil || read()
	c.leaveBranch(b)
	if ok {
		c.record(b.i, alts, n)
	}
	return ok
}

// branch remembers what to return to after the branch of a pick.
type branch struct {
	i  int // of the pick in the tree
	at place
}

// enterBranch adds the record of a pick, yet to be filled in, and enters its branch.
func (c *C) enterBranch(path uint64) branch {
	c.add(choices.Pick)
	return c.enter(path)
}

// enter enters the branch of the last pick.
func (c *C) enter(path uint64) branch {
	b := branch{len(c.tree) - 1, c.at}
	c.at = place{branch: path}
	c.nest()
	return b
}

func (c *C) leaveBranch(b branch) {
	c.unnest()
	c.at = b.at
	c.tree[b.i].Size = int32(len(c.tree) - b.i)
}

// record fills in that c.tree[i] took alts[n].
func (c *C) record(i int, alts []choices.Alt, n int) {
	c.tree[i].Take(alts, n)
	if c.pack != nil {
		c.pack.ask(i, choices.Question{Kind: choices.Pick, Alts: alts})
	}
}

// integer asks for an integer from lo to hi.
func (c *C) integer(k choices.Kind, lo, hi int64) int64 {
	n := lo
	if lo != hi {
		if c.free() {
			q := c.question(k)
			q.Lo, q.Hi = lo, hi
			n = k.Clamp(c.src.Int(q), lo, hi)
		} else {
			n = k.Origin(lo, hi)
			lo, hi = n, n
		}
	}
	c.addInt(k, n, lo, hi)
	return n
}

func (c *C) addInt(k choices.Kind, n, lo, hi int64) {
	e := c.add(k)
	e.N, e.Lo, e.Hi = n, lo, hi
	c.asked(choices.Question{Kind: k, Lo: lo, Hi: hi})
}

// askInt returns a source's answer, in the range, without recording it.
func (c *C) askInt(k choices.Kind, lo, hi int64, edges bool) int64 {
	if lo == hi {
		return lo
	}
	q := c.question(k)
	q.Lo, q.Hi, q.Edges = lo, hi, edges
	n := k.Clamp(c.src.Int(q), lo, hi)
	q.Edges = false
	return n
}

// text makes a text of lo to hi runes of a, and records it, if it could have been
// another.
func (c *C) text(a *choices.Alphabet, lo, hi int) string {
	q := c.question(choices.Text)
	q.Min, q.Max, q.Alphabet = lo, hi, a
	if oneText(a, lo, hi) || !c.free() {
		return q.SimplestText()
	}
	s := q.FitText(c.src.Text(q))
	c.add(choices.Text).Tag = s
	return s
}

// readText is text backward, for an s that has lo to hi runes of a.
func (c *C) readText(a *choices.Alphabet, lo, hi int, s string) bool {
	if oneText(a, lo, hi) {
		return true
	}
	if !c.free() {
		plain := string(a.Simplest())
		return len(s) == lo*len(plain) && strings.Count(s, plain) == lo || c.failTooLarge()
	}
	c.add(choices.Text).Tag = s
	c.asked(choices.Question{Kind: choices.Text, Min: lo, Max: hi, Alphabet: a})
	return true
}

// oneText reports whether there is only one text of lo to hi runes of a.
func oneText(a *choices.Alphabet, lo, hi int) bool { return hi == 0 || lo == hi && a.Len() == 1 }

// reject tells the source that a value is discarded before another is drawn.
func (c *C) reject() {
	if src, ok := c.src.(choices.Rejecter); ok && src.Reject() {
		c.unwind()
	}
}

// question returns the question of the place where the run stands.
func (c *C) question(k choices.Kind) *choices.Question {
	q := &c.q
	q.Kind, q.Branch, q.Slot, q.Index, q.Retry = k, c.at.branch, c.at.slot, c.at.index, c.at.retry
	return q
}

// add records a choice.
func (c *C) add(k choices.Kind) *choices.Choice {
	i := len(c.tree)
	if i == cap(c.tree) {
		c.growTree()
	}
	c.tree = c.tree[:i+1]
	e := &c.tree[i]
	*e = choices.Choice{Kind: k, Slot: c.at.slot, Index: c.at.index, Size: 1}
	if c.pack != nil {
		c.pack.ask(i, choices.Question{})
	}
	return e
}

// asked remembers, in a packed run, the question that the last choice answers.
func (c *C) asked(q choices.Question) {
	if c.pack != nil {
		c.pack.ask(len(c.tree)-1, q)
	}
}
