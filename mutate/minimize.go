package mutate

import (
	"errors"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// ErrStop is what remake reports to [Minimize] to end it early.
var ErrStop = errors.New("mutate: stop minimizing")

// Minimize looks for a tree simpler than t, in the order of [Compare], whose value
// still fails. remake runs the generator on a tree, as a rule by a replay with a
// nil random source, and returns the value and the tree it recorded. A tree for
// which it reports an error is passed over; [ErrStop] ends the search. fails reports whether the value still
// fails; it is called at most calls times, and never twice for the same tree. It
// returns the last tree recorded that failed, or t, the number of times it became
// simpler, and how often fails was called.
//
// It is deterministic if remake and fails are. It tries, again and again until
// none of them helps:
//
//   - drop: leave out a Pick with all below it. A replay takes the first
//     alternative instead, or, in a sequence, lets the next element move up. Runs
//     of elements are left out together, the longest first.
//   - hoist: replace a Pick by one from below it that offers as many alternatives,
//     and so, most likely, makes a value of the same type.
//   - reorder: exchange neighbours in a sequence.
//   - lower: move an integer towards the simplest of its range, by halves; then
//     all integers equal to it together, since what fails may be that they are.
//   - shorten: leave out parts of a text, and make its runes plainer, by halves.
func Minimize[V any](t choices.Tree, remake func(choices.Tree) (V, choices.Tree, error), fails func(V) bool, calls int) (simplest choices.Tree, steps, used int) {
	m := minimizer{best: t, left: calls, seen: map[string]bool{}}
	m.try = func(edited choices.Tree) bool {
		if m.left == 0 {
			return false
		}
		v, made, err := remake(edited)
		if errors.Is(err, ErrStop) {
			m.unused, m.left = m.left, 0
		}
		if err != nil || Compare(made, m.best) >= 0 {
			return false
		}
		key := string(choices.Encode(made))
		if m.seen[key] {
			return false
		}
		m.seen[key] = true
		m.left--
		if !fails(v) {
			return false
		}
		m.best = made
		m.steps++
		return true
	}
	for before := -1; before < m.steps && m.left > 0; {
		before = m.steps
		m.drop()
		m.hoist()
		m.reorder()
		m.leaves()
	}
	return m.best, m.steps, calls - m.left - m.unused
}

type minimizer struct {
	best   choices.Tree
	try    func(choices.Tree) bool // reports whether best became the tree tried, remade
	left   int                     // calls to fails that may still be made; 0 ends all
	unused int                     // what was left at a stop
	steps  int
	seen   map[string]bool
}

func (m *minimizer) drop() {
	for i := 0; i < len(m.best) && m.left > 0; i++ {
		if m.best[i].Kind != choices.Pick {
			continue
		}
		for n := m.run(i); n > 0 && m.left > 0; n /= 2 {
			end := i
			for range n {
				end = m.best.End(end)
			}
			if m.try(m.best.Cut(i, end)) {
				i--
				break
			}
		}
	}
}

// run returns how many elements of one sequence follow each other from i on.
func (m *minimizer) run(i int) int {
	n, slot, end := 0, m.best[i].Slot, len(m.best)
	for j := range i {
		if e := m.best.End(j); e > i { // a pick around i
			end = e
		}
	}
	for j := i; j < end && m.best[j].Slot == slot && m.best[j].Index == m.best[i].Index+int32(n); j = m.best.End(j) {
		n++
	}
	return n
}

func (m *minimizer) hoist() {
	for i := 0; i < len(m.best) && m.left > 0; i++ {
		if m.best[i].Kind != choices.Pick {
			continue
		}
		for j := i + 1; i < len(m.best) && j < m.best.End(i) && m.left > 0; j++ {
			if m.best[j].Kind == choices.Pick && m.best[j].Hi == m.best[i].Hi && m.try(m.best.Splice(i, m.best.At(j))) {
				j = i
			}
		}
	}
}

func (m *minimizer) reorder() {
	for i := 0; i < len(m.best) && m.left > 0; i++ {
		if m.best[i].Kind != choices.Pick || m.run(i) < 2 {
			continue
		}
		next := m.best.End(i)
		m.try(m.best.Splice(next, m.best.At(i)).Splice(i, m.best.At(next)))
	}
}

func (m *minimizer) leaves() {
	for i := 0; i < len(m.best) && m.left > 0; i++ {
		switch m.best[i].Kind {
		case choices.Int, choices.Uint:
			m.lower([]int{i})
			if equal := m.equalTo(i); len(equal) > 1 {
				m.lower(equal)
			}
		case choices.Text:
			m.shorten(i)
		}
	}
}

// equalTo returns the indices from i on of the integers that equal that at i.
func (m *minimizer) equalTo(i int) []int {
	var equal []int
	for j := i; j < len(m.best); j++ {
		if m.best[j].Kind == m.best[i].Kind && m.best[j].N == m.best[i].N {
			equal = append(equal, j)
		}
	}
	return equal
}

// lower finds the integer nearest to the origin with which the value fails, if it
// fails with all beyond. It replaces the integers at all of the given indices.
func (m *minimizer) lower(indices []int) {
	c := m.best[indices[0]]
	origin := c.Kind.Origin(c.Lo, c.Hi)
	below := c.Kind.Less(c.N, origin)
	distance := uint64(c.N) - uint64(origin)
	if below {
		distance = -distance
	}
	if distance == 0 {
		return
	}
	now := c.N
	set := func(n uint64) bool {
		edited := slices.Clone(m.best)
		for _, i := range indices {
			if i >= len(edited) || edited[i].Kind != c.Kind || edited[i].N != now {
				return false // the tree has changed more than it should
			}
			edited[i].N = int64(n)
		}
		if !m.try(edited) {
			return false
		}
		now = int64(n)
		return true
	}
	// at returns the integer at distance d from the origin, on the side of c.
	at := func(d uint64) uint64 {
		if below {
			return uint64(origin) - d
		}
		return uint64(origin) + d
	}
	if set(at(0)) {
		return
	}
	good, bad := distance, uint64(0) // it fails with the first, perhaps not with the second
	for good-bad > 1 && m.left > 0 {
		if mid := bad + (good-bad)/2; set(at(mid)) {
			good = mid
		} else {
			bad = mid
		}
	}
	if below && origin == 0 {
		set(good) // the same with the other sign
	}
}

func (m *minimizer) shorten(i int) {
	// text returns the text at i, nil if a step has put something else there.
	text := func() []rune {
		if i >= len(m.best) || m.best[i].Kind != choices.Text || m.left == 0 {
			return nil
		}
		return []rune(m.best[i].Tag)
	}
	put := func(s []rune) bool {
		edited := slices.Clone(m.best)
		edited[i].Tag = string(s)
		return m.try(edited)
	}
	for n := len(text()); n > 0; n /= 2 {
		for at := 0; ; {
			s := text()
			if at+n > len(s) {
				break
			}
			if !put(append(s[:at:at], s[at+n:]...)) {
				at++
			}
		}
	}
	for at := range text() {
		m.lowerRune(at, text, put)
	}
}

// lowerRune makes the rune at one place of a text plainer. The minimizer does not
// know what runes may stand there: a replay takes those that may not to some that
// may, 'a' to the plainest, and of what is not plainer than before, try makes
// nothing.
func (m *minimizer) lowerRune(at int, text func() []rune, put func([]rune) bool) {
	var all *choices.Alphabet
	// set puts the n-th plainest rune there and returns what came of it.
	set := func(n int) (now int, ok bool) {
		s := text()
		if at >= len(s) {
			return 0, false
		}
		s[at] = all.At(n)
		if ok = put(s); ok {
			s = text()
		}
		if at >= len(s) {
			return 0, ok
		}
		now, _ = all.Index(s[at])
		return now, ok
	}
	good := 0 // it fails with this one
	if s := text(); at < len(s) {
		good, _ = all.Index(s[at])
	}
	bad := -1 // perhaps not with this one and those below
	for _, plain := range []rune{'a', '0', ' '} {
		n, _ := all.Index(plain)
		if n >= good {
			break
		}
		now, ok := set(n)
		if ok {
			good = now
			break
		}
		bad = n
	}
	for good-bad > 1 && m.left > 0 {
		mid := bad + (good-bad)/2
		if now, ok := set(mid); ok && now < good {
			good = now
		} else {
			bad = mid
		}
	}
}
