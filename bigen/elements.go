package bigen

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"golang.org/x/exp/slices"
)

// elements asks for the elements of a collection: "stop or more?" before each. A
// collection of lo to hi elements has no such question where there must be one
// more, or none.
type elements struct {
	alts    [2]choices.Alt // stop, more
	sorted  bool           // the collection has no order: see sort
	derived *leveled       // the alternatives with the weights of a derived type; else nil
}

// newElements panics, in the name of a function, if a collection, a slice say,
// cannot have from minLen to maxLen elements.
func newElements(function, collection string, minLen, maxLen int) elements {
	if minLen < 0 || maxLen < minLen {
		panic(fmt.Sprintf(
			"bigen.%s: no %s has from %d to %d elements", function, collection, minLen, maxLen,
		))
	}
	more := min(8, (float64(maxLen)-float64(minLen)+1)/2)
	return elements{alts: elementAlts(more)}
}

// more returns the alternatives for element i: the first lo there must be.
func (e *elements) more(c *C, i int, lo int64) []choices.Alt {
	switch {
	case int64(i) < lo:
		return e.alts[1:]
	case e.derived != nil:
		return e.derived.offer(c)
	}
	return e.alts[:]
}

// stops reports whether the n-th of alternatives that more has returned, perhaps cut to the
// first, ends the collection.
func (e *elements) stops(alts []choices.Alt, n int) bool { return alts[n].Tag == e.alts[0].Tag }

// roomForSorted is how many choices a value may have up to the end of a sorted collection of
// two elements or more. It is so far below maxChoices that what an element was
// asked did not depend on where it stands.
const roomForSorted = maxChoices - fallbackRoom

// full reports whether the collection cannot have had a second element.
func (e *elements) full(c *C) bool { return e.sorted && c.beyond(roomForSorted+1) }

// firstAlternatives is a source whose picks bring a value to its end.
type firstAlternatives struct{ choices.Source }

func (s firstAlternatives) Pick(q *choices.Question) int {
	s.Source.Pick(q)
	return 0
}

// Reject returns what the source says; see choices.Rejecter.
func (s firstAlternatives) Reject() bool {
	src, ok := s.Source.(choices.Rejecter)
	return ok && src.Reject()
}

// gather asks forward for elements that differ. draw makes one and reports whether it
// differs from those before; if so, keep adds it to them. The choices of the others are
// dropped. If many tries make none that differs, the collection ends, or the run is
// rejected if it has fewer than lo elements.
func (e *elements) gather(c *C, lo, hi int64, draw func() bool, keep func()) {
	at, start := c.at, len(c.tree)
	kept, lost := 0, 0 // lost: since the last that was kept
	for try := 0; int64(kept) < hi; try++ {
		c.at = at
		c.at.index = int32(try)
		first := len(c.tree)
		more, differs := e.drawOne(c, kept, lost, lo, draw)
		c.tree[first].Index = int32(kept)
		if !more {
			break
		}
		full := kept > 0 && e.full(c) || c.work > maxWork/2 && c.size() <= roomForSorted
		if differs && !full {
			keep()
			kept++
			lost = 0
			continue
		}
		c.reject()
		c.tree = c.tree[:first]
		lost++
		if full { // soon so would be what this collection is an element of
			c.src = firstAlternatives{c.src}
		}
		if !full && lost <= mostLost(kept, lo) {
			continue
		}
		if int64(kept) < lo {
			c.unwind()
		}
		e.stop(c, kept)
		break
	}
	c.at = at
	e.sort(c, start, kept, lo)
}

// stop records, forward, that the collection ends after so many elements, without a question.
func (e *elements) stop(c *C, kept int) {
	c.at.index = int32(kept)
	b := c.enterBranch(0)
	c.leaveBranch(b)
	c.record(b.i, e.alts[:], 0)
}

// drawOne asks whether there is one more element and, if so, draws it.
func (e *elements) drawOne(c *C, kept, lost int, lo int64, draw func() bool) (more, differs bool) {
	if int64(kept) < lo && lost > 1 {
		c.at.retry = hash.SubSlot(c.at.retry, uint32(lost))
	}
	alts := e.more(c, kept, lo)
	if kept == 1 && e.full(c) {
		alts = alts[:1]
	}
	retry := c.at.retry
	n, b := c.pick(alts)
	c.at.retry = retry // since it is what is drawn now that must differ
	more = !e.stops(alts, n)
	e.derived.deeper(c, 1)
	differs = more && draw()
	e.derived.deeper(c, -1)
	c.leavePick(b)
	return more, differs
}

// mostLost bounds the elements that are lost in a row: 20 times what the last of kept+1 elements
// takes while there must be more, and fewer once the collection may end.
func mostLost(kept int, lo int64) int {
	if int64(kept) < lo {
		return maxTries + 20*kept
	}
	return maxTries / 5
}

// scatter recovers backward the choices of a collection of n elements. element
// runs a generator backward on one and reports whether it is made; closed, if not
// nil, reports whether no element can follow them all.
func (e *elements) scatter(
	c *C, lo, hi int64, n int, element func(i int) bool, closed func() bool,
) bool {
	if int64(n) < lo || int64(n) > hi {
		return c.explain != nil && c.fail(byValue, "%d elements, not %s", n, lengthsText(lo, hi))
	}
	if e.sorted && n > roomForSorted {
		return c.failNoRoom()
	}
	at, start := c.at, c.mark()
	packs := e.sorted && c.pack != nil && n > 1
	if packs {
		sorted, ok := e.packSorted(c, n, element)
		if !ok {
			return false
		}
		element = unpacking(c, sorted, element)
	}
	for i := 0; i <= n && int64(i) < hi; i++ {
		if i == n && closed != nil && closed() {
			break
		}
		c.at.index = int32(i)
		if !e.scatterOne(c, lo, i, n, element) {
			c.at = at
			return false
		}
	}
	c.at = at
	if e.sorted {
		c.inexact()
	}
	if !packs {
		e.sort(c, start.tree, n, lo)
	}
	return true
}

// scatterOne recovers the choice that there is an element i, and the choices of the element, or the
// choice that there are no more than n.
func (e *elements) scatterOne(c *C, lo int64, i, n int, element func(i int) bool) bool {
	alts := e.more(c, i, lo)
	if !c.free() || i == 1 && e.full(c) {
		alts = alts[:1]
	}
	take, ok := 0, true // stop, if there are no more
	b := c.enterBranch(0)
	e.derived.deeper(c, 1)
	if i < n {
		take = len(alts) - 1
		switch {
		case e.stops(alts, take):
			ok = c.failTooLarge()
		case !element(i):
			ok = false
		case n > 1 && e.full(c):
			ok = c.failNoRoom()
		}
	}
	e.derived.deeper(c, -1)
	c.leaveBranch(b)
	if ok {
		c.record(b.i, alts, take)
	}
	return ok
}

// unpacking returns an element of [elements.scatter] that adds what packSorted has found.
func unpacking(c *C, sorted []packedElement, element func(i int) bool) func(i int) bool {
	return func(i int) bool {
		e := sorted[i]
		if e.limited || !e.holds(c) {
			return element(e.index)
		}
		c.addPacked(e.packed)
		return true
	}
}

// packedElement is an element of a sorted collection.
type packedElement struct {
	*packed
	index int // in the order of element
}

// packSorted recovers, in a packed run, the choices of each of n elements, in the
// order of compareElements, which cannot compare them once they are in the tree.
func (e *elements) packSorted(c *C, n int, element func(i int) bool) ([]packedElement, bool) {
	sorted := make([]packedElement, n)
	at := c.at
	for i := range sorted {
		b := c.enterBranch(0)
		e.derived.deeper(c, 1)
		sorted[i] = packedElement{c.packing(func() bool { return element(i) }), i}
		e.derived.deeper(c, -1)
		c.leaveBranch(b)
		c.tree, c.at = c.tree[:b.i], at
		if !sorted[i].ok {
			return nil, false
		}
	}
	slices.SortStableFunc(sorted, func(a, b packedElement) int {
		return comparePoints(a.points, b.points)
	})
	return sorted, true
}

// comparePoints is compareElements for the leftmost choices of points.
func comparePoints(a, b []*point) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] == b[i] {
			continue
		}
		x, y := &a[i].ways[0], &b[i].ways[0]
		c := cmp.Or(compareAnswers(&x.choice, &y.choice), comparePoints(x.below, y.below))
		if c != 0 {
			return c
		}
	}
	return len(a) - len(b)
}

// failNoRoom explains that a sorted collection is cut short here, forward.
func (c *C) failNoRoom() bool {
	return c.fail(
		bySize, "the value has more than %d choices up to the end of this map or set",
		roomForSorted,
	)
}

// sort puts the choices of n elements, recorded from start on, in the order of
// compareElements if the collection has none, so that equal ones have equal trees.
func (e *elements) sort(c *C, start, n int, lo int64) {
	if !e.sorted || n < 2 {
		return
	}
	parts := make([]choices.Tree, n)
	i := start
	for j := range parts {
		parts[j] = c.tree.At(i)
		i = c.tree.End(i)
	}
	if slices.IsSortedFunc(parts, compareElements) {
		return
	}
	slices.SortStableFunc(parts, compareElements)
	all := c.scratch[:0]
	for j, t := range parts {
		i := len(all)
		all = append(all, t...)
		// The place decides whether there was a question.
		all[i] = choices.Choice{
			Kind: choices.Pick, Slot: t[0].Slot, Index: int32(j), Size: t[0].Size,
		}
	}
	copy(c.tree[start:], all)
	clear(all)
	c.scratch = all[:0]
	i = start
	for j := range n {
		alts := e.more(c, j, lo)
		c.record(i, alts, len(alts)-1)
		i = c.tree.End(i)
	}
}

func lengthsText(lo, hi int64) string {
	if hi == math.MaxInt {
		return fmt.Sprintf("%d or more", lo)
	}
	return fmt.Sprintf("%d to %d", lo, hi)
}

// compareElements orders elements made by one generator by their choices. The first
// choice that differs, which answers the same question in both, decides: integers
// by their value, texts by their bytes, picks by the order of the alternatives.
func compareElements(a, b choices.Tree) int {
	for i := 1; i < len(a) && i < len(b); i++ {
		if c := compareAnswers(&a[i], &b[i]); c != 0 {
			return c
		}
	}
	return len(a) - len(b)
}

func compareAnswers(x, y *choices.Choice) int {
	switch {
	case x.N == y.N:
		return strings.Compare(x.Tag, y.Tag)
	case x.Kind.Less(x.N, y.N):
		return -1
	}
	return 1
}
