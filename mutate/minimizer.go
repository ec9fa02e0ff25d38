package mutate

import (
	"errors"
	"hash/maphash"
	"iter"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// minimizer is one run of [Minimize]. Its passes are methods; they call try with
// edited copies of best.
type minimizer struct {
	best    choices.Tree
	layout  layout // of best
	steps   int
	left    int // calls to fails that may still be made
	edits   int // edited trees that may still be made, and calls to remake
	stopped bool
	made    choices.Tree // by the last try, nil if it made none; valid until the next
	remake  func(choices.Tree) (choices.Tree, error)
	fails   func() bool     // of the value last remade
	seen    map[uint64]bool // keys of trees
	buffer  []byte          // of key
	edit    Mutator         // reuses the memory of edited trees

	pass     int // its index
	patience int // failed attempts that it may still make
	repeats  int // parts that it may still try again: see anew
	inVain   map[uint64]bool
	lowered  map[lowered]bool
	bounds   map[lowered]bool // integers that bound later choices
}

const (
	// large is the number of choices at which a tree is too large for passes that take
	// quadratic time.
	large = 4000

	// patience is how many failed attempts in a row end a pass, unless it is one of the first
	// passes.
	patience = 32

	// repeats is how many parts in a row a pass tries again without success.
	repeats = 8

	// few is the number of parts up to which all pairs are tried.
	few = 8
)

// mayTry reports whether anything may still be tried.
func (m *minimizer) mayTry() bool { return m.left > 0 && m.edits > 0 && !m.stopped }

// active reports whether the pass may still try anything.
func (m *minimizer) active() bool { return m.patience > 0 && m.mayTry() }

// try reports whether best became the tree edited, remade.
func (m *minimizer) try(edited choices.Tree) bool {
	m.made = nil
	k := m.key(edited)
	if !m.active() || !m.first(k) {
		m.edits--
		return false
	}
	made, ok := m.make(edited)
	m.made = made
	if !ok || Compare(made, m.best) >= 0 {
		return false
	}
	if l := m.key(made); l != k && !m.first(l) {
		return false
	}
	m.left--
	if !m.fails() {
		return false
	}
	m.become(made)
	m.steps++
	m.patience, m.repeats = max(m.patience, patience), repeats
	return true
}

// make runs remake.
func (m *minimizer) make(edited choices.Tree) (made choices.Tree, ok bool) {
	if !m.active() {
		return nil, false
	}
	m.edits--
	m.patience--
	made, err := m.remake(edited)
	m.stopped = errors.Is(err, ErrStop)
	return made, err == nil
}

// anew calls f, with which the pass tries to simplify the part at i. If this did not help before,
// in a tree and a part of the same structure, anew calls f only a few more times.
func (m *minimizer) anew(i int, f func()) {
	key := m.structure(i)
	if !m.mayRepeat(m.inVain[key]) {
		return
	}
	steps := m.steps
	if f(); m.steps == steps {
		m.inVain[key] = true
	}
}

// mayRepeat reports whether the pass may try something again that is known not to help.
func (m *minimizer) mayRepeat(known bool) bool {
	if known {
		m.repeats--
	}
	return !known || m.repeats >= 0
}

// structure returns a hash of the pass, of the picks of best and of the part at i, and of which
// integers and texts in the part are not the simplest.
func (m *minimizer) structure(i int) uint64 {
	_, end := children(m.best, i)
	h := [3]uint64{uint64(m.pass)} // before the part, in it, and after it
	for j := range m.best {
		c, where := &m.best[j], 1
		if j < i {
			where = 0
		} else if j >= end {
			where = 2
		}
		switch {
		case c.IsSimplest():
		case c.Kind == choices.Pick:
			h[where] = hash.Mix(h[where], uint64(c.Slot)<<32|uint64(c.N))
		case where == 1:
			h[where] = hash.Mix(h[where], uint64(c.Slot))
		}
	}
	return hash.Mix(hash.Mix(h[0], h[1]), h[2])
}

func (m *minimizer) become(t choices.Tree) { m.best, m.layout = t, layoutOf(t) }

// first reports whether this is the first call for the key of a tree.
func (m *minimizer) first(key uint64) bool {
	if m.seen[key] {
		return false
	}
	m.seen[key] = true
	return true
}

var keySeed = maphash.MakeSeed()

// key returns a hash of everything that a replay may depend on.
func (m *minimizer) key(t choices.Tree) uint64 {
	m.buffer = t.AppendKey(m.buffer[:0])
	return maphash.Bytes(keySeed, m.buffer)
}

// gallop calls f with 1, 2, 4 and so on as long as it reports true, and then with ever
// smaller numbers. If something can be done n times, gallop does it in about 2 log n
// calls.
func gallop(f func(n int) bool) {
	n := 1
	for f(n) {
		n *= 2
	}
	for n /= 2; n > 0; n /= 2 {
		f(n)
	}
}

// places yields the indices of best that ok accepts, as long as anything may be tried. The loop may
// change best.
func (m *minimizer) places(ok func(i int) bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < len(m.best) && m.active(); i++ {
			if ok(i) && !yield(i) {
				return
			}
		}
	}
}

// beginsSequence reports whether i is the first of several elements.
func (m *minimizer) beginsSequence(i int) bool {
	return i < len(m.best) && m.best[i].Index == 0 && m.layout.run[i] > 1
}

// inSequence reports whether i is an element of a sequence.
func (m *minimizer) inSequence(i int) bool {
	return i < len(m.best) && m.best[i].Kind == choices.Pick &&
		(m.best[i].Index > 0 || m.layout.run[i] > 1)
}

// isElement is inSequence, but reports false for a choice that ends a sequence.
func (m *minimizer) isElement(i int) bool { return m.inSequence(i) && !stops(&m.best[i]) }

// isNumber reports whether i is an integer.
func (m *minimizer) isNumber(i int) bool { return i < len(m.best) && isInt(&m.best[i]) }
