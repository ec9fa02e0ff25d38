package mutate

import (
	"math/bits"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// zero makes integers the simplest of their range, and texts as short and plain as
// possible: all of them or, from each on, as many as possible.
func (m *minimizer) zero() {
	if m.zeroAll() {
		return
	}
	for i := 0; i < len(m.best) && m.active(); i++ {
		if len(m.leaves(i, 1)) == 0 {
			return
		}
		if c := &m.best[i]; c.Kind != choices.Pick && weight(c) > 0 &&
			m.mayRepeat(m.lowered[m.asLowered([]int{i})]) {
			gallop(func(n int) bool {
				at := m.leaves(i, n)
				return len(at) == n && m.simplest(at)
			})
		}
	}
}

// zeroAll makes all integers and texts as simple as possible, at once.
func (m *minimizer) zeroAll() bool {
	all := m.leaves(0, len(m.best))
	return len(all) > 0 && m.simplest(all)
}

// leaves returns the places of the first n integers and texts, from i on, that could be
// simpler.
func (m *minimizer) leaves(i, n int) (found []int) {
	for ; i < len(m.best) && len(found) < n; i++ {
		if c := &m.best[i]; c.Kind != choices.Pick && weight(c) > 0 {
			found = append(found, i)
		}
	}
	return found
}

// simplest makes integers and texts as simple as possible. If the value does not fail, it
// notes whether that bounds later choices.
func (m *minimizer) simplest(at []int) bool {
	if m.try(m.moved(at, func(c *choices.Choice) { c.Tag, c.N = "", 0 })) { // or what is nearest
		return true
	}
	if len(at) == 1 && m.made != nil && m.squeezed(at[0]) {
		m.bounds[m.asLowered(at)] = true
	}
	return false
}

// lower makes each integer, text and Pick simpler. An integer that bounds later ones waits until
// these are lower.
func (m *minimizer) lower() {
	var bounds []int
	for i := 0; i < len(m.best) && m.active(); i++ {
		if m.isBound(i) {
			bounds = append(bounds, i)
		} else {
			m.lowerAll([]int{i})
		}
	}
	for k := len(bounds) - 1; k >= 0; k-- {
		if i := bounds[k]; m.isNumber(i) && m.active() {
			m.lowerAll([]int{i})
		}
	}
}

// isBound makes an integer the simplest of its range. If the value does not fail, it reports
// whether that bounds later choices.
func (m *minimizer) isBound(i int) bool {
	at, before := []int{i}, m.best
	if !m.isNumber(i) || weight(&m.best[i]) == 0 || m.lowered[m.asLowered(at)] {
		return false
	}
	if m.simplest(at) {
		m.slide(before)
		return false
	}
	return m.bounds[m.asLowered(at)]
}

// squeezed reports whether choices after i are missing in what was made last, or have ranges that
// end earlier.
func (m *minimizer) squeezed(i int) bool {
	for k := i + 1; k < len(m.best); k++ {
		a := &m.best[k]
		if k >= len(m.made) || !alike(a, &m.made[k]) {
			return a.Kind == choices.Pick
		}
		if isInt(a) && a.Kind.Less(m.made[k].Hi, a.Hi) {
			return true
		}
	}
	return false
}

// slide gives integers back the distances from the simplest of their ranges that they had in an
// earlier tree, if the ranges have moved since.
func (m *minimizer) slide(before choices.Tree) {
	old, now := numbers(before), numbers(m.best)
	if len(old) != len(now) {
		return
	}
	edited, slid := slices.Clone(m.best), false
	for k := range old {
		a, b := before[old[k]], &edited[now[k]]
		if a.Kind != b.Kind || a.N != b.N && !a.IsSimplest() {
			continue
		}
		slid = slid || a.Origin() != b.Origin() && !a.IsSimplest()
		b.N, b.Lo, b.Hi = a.N, a.Lo, a.Hi
		b.KeepDistance()
	}
	if slid {
		m.try(edited)
	}
}

// numbers returns the places of all integers.
func numbers(t choices.Tree) (at []int) {
	for i := range t {
		if isInt(&t[i]) {
			at = append(at, i)
		}
	}
	return at
}

// lowerAll makes equal choices simpler at once.
func (m *minimizer) lowerAll(at []int) {
	switch m.best[at[0]].Kind {
	case choices.Int, choices.Uint:
		m.lowerInt(at)
	case choices.Text:
		m.shorten(at)
	case choices.Pick:
		for n := int64(1); n < min(8, m.best[at[0]].N); n++ {
			if m.try(with(m.best, at, toIndex(n))) {
				return
			}
		}
	}
}

// lowered is what lowerInt has made of some equal integers: how many there are, and how far the
// first of them, which is the number-th integer, is from the simplest.
type lowered struct {
	number, count int
	distance      uint64
}

func (m *minimizer) asLowered(at []int) lowered {
	if !m.isNumber(at[0]) {
		return lowered{}
	}
	c := &m.best[at[0]]
	return lowered{len(numbers(m.best[:at[0]])), len(at), between(c, c.N, c.Origin())}
}

// lowerInt looks for the integer nearest to the simplest of the range with which the value
// fails. It assumes that the value fails with all integers beyond, and searches first for
// the number of bits of the distance, then for the distance. In case the assumption is
// wrong, it also tries the integer two nearer to the simplest, the other sign, and, instead
// of a huge integer, round ones. If it has lowered an integer before, it tries little.
func (m *minimizer) lowerInt(at []int) {
	l := m.lowering(at)
	before := m.best
	defer func() { m.slide(before) }()
	known := m.lowered[m.asLowered(at)]
	if l.good == 0 || !m.mayRepeat(known) || l.to(0) {
		return
	}
	l.changeSides()
	if known && !l.lower(1) {
		return
	}
	defer func() { m.lowered[m.asLowered(at)] = l.good < huge }()
	l.search()
	gallop(func(n int) bool { return l.lower(2 * uint64(n)) })
	l.changeSign()
}

// A lowering moves equal integers towards the simplest of their range, the origin.
type lowering struct {
	m         *minimizer
	at        []int
	c         choices.Choice // the integer at the start
	now       int64
	below     bool   // it is on the side of the origin that is less simple
	good, bad uint64 // distances: the value fails with good, and perhaps not with bad
}

func (m *minimizer) lowering(at []int) *lowering {
	c := m.best[at[0]]
	l := &lowering{m: m, at: at, c: c, now: c.N, below: c.Kind.Less(c.N, c.Origin())}
	l.good = uint64(c.N) - uint64(c.Origin())
	if l.below {
		l.good = -l.good
	}
	return l
}

// set gives all the integers another value.
func (l *lowering) set(n int64) bool {
	best := l.m.best
	for _, i := range l.at {
		if i >= len(best) || best[i].Kind != l.c.Kind || best[i].N != l.now {
			return false // the tree has changed more than it should
		}
	}
	if !l.m.try(l.m.moved(l.at, func(c *choices.Choice) { c.N = n })) {
		return false
	}
	l.now = n
	return true
}

// to sets the distance from the origin.
func (l *lowering) to(distance uint64) bool {
	if l.below {
		return l.set(l.c.Origin() - int64(distance))
	}
	return l.set(l.c.Origin() + int64(distance))
}

// changeSides moves a number below the origin as far above it.
func (l *lowering) changeSides() {
	origin := l.c.Origin()
	if l.below && l.c.Hi > origin && l.c.Kind == choices.Int && l.set(origin+int64(l.good)) {
		l.below = false
	}
}

// changeSign tries the number nearer to 0 on the other side of it.
func (l *lowering) changeSign() {
	if !l.below && l.c.Origin() == 0 && l.c.Kind == choices.Int && l.c.Lo < 0 && l.good > 1 {
		l.set(-int64(l.good - 1))
	}
}

func (l *lowering) lower(by uint64) bool {
	if l.good <= by || !l.to(l.good-by) {
		return false
	}
	l.good -= by
	return true
}

// search bisects, first the number of bits of the distance, then the distance.
func (l *lowering) search() {
	if l.good > 1 {
		l.narrow(1)
	}
	l.round()
	for l.m.active() && bits.Len64(l.good)-bits.Len64(l.bad) > 1 {
		l.narrow(1<<((bits.Len64(l.good)+bits.Len64(l.bad))/2) - 1)
	}
	for l.m.active() && l.good-l.bad > 1 {
		l.narrow(l.bad + (l.good-l.bad)/2)
	}
	l.round()
}

// narrow tries a distance between bad and good, which becomes one of the two.
func (l *lowering) narrow(distance uint64) {
	if l.to(distance) {
		l.good = distance
	} else {
		l.bad = distance
	}
}

// round replaces a huge distance by a round one.
func (l *lowering) round() {
	for _, d := range rounder(&l.c, l.good) {
		if l.to(d) {
			l.good = d
			return
		}
	}
}

// together lowers equal integers or texts at once: the value may fail because they are
// equal.
func (m *minimizer) together() {
	type answer struct {
		kind choices.Kind
		n    int64
		text string
	}
	done := map[answer]bool{}
	for m.active() {
		var order []answer
		equal := map[answer][]int{}
		for i := range m.best {
			c := &m.best[i]
			if c.Kind == choices.Pick || weight(c) == 0 {
				continue
			}
			a := answer{kind: c.Kind, n: c.N}
			if c.Kind == choices.Text {
				a.text = c.Tag
			}
			if len(equal[a]) == 1 && !done[a] {
				order = append(order, a)
			}
			equal[a] = append(equal[a], i)
		}
		if len(order) == 0 {
			return
		}
		done[order[0]] = true
		m.lowerAll(equal[order[0]])
	}
}
