package mutate

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
)

// A sequence is a run of siblings that share a slot: t[from:end] has its n elements,
// and t[end] is the choice to stop, if there was one.
type sequence struct {
	from, end, n int
	stops        bool
}

// sequences yields all sequences of t of one element or more, in the order of what
// they are part of. An element alone that nothing follows is not told from other
// Picks.
func sequences(t choices.Tree) func(yield func(sequence) bool) {
	return func(yield func(sequence) bool) {
		left := 2 * len(t) // more than enough, if t is a tree
		for p := -1; p < len(t) && left > 0; p++ {
			end := len(t)
			if p >= 0 {
				end = t.End(p)
			}
			for i := p + 1; i < end && left > 0; {
				s := sequence{from: i}
				last := i // where the last sibling begins
				for i < end && isElement(&t[i]) && t[i].Slot == t[s.from].Slot {
					last = i
					i = t.End(i)
					s.n++
					left--
				}
				if s.n == 0 { // something else than a Pick
					i = t.End(i)
					left--
					continue
				}
				if s.n < 2 {
					continue
				}
				if s.end = i; t[last].Kind == choices.Pick && t[last].N == 0 && t[last].Hi > 0 {
					s.end, s.stops = last, true
					s.n--
				}
				if !yield(s) {
					return
				}
			}
		}
	}
}

func isElement(c *choices.Choice) bool { return c.Kind == choices.Pick || c.Kind == choices.Anew }

// at returns where element k stands.
func (s sequence) at(t choices.Tree, k int) int {
	i := s.from
	for range k {
		i = t.End(i)
	}
	return i
}

// pickSequence returns a sequence that ok accepts, all equally often.
func pickSequence(t choices.Tree, r *rand.Rand, ok func(s sequence) bool) (s sequence, found bool) {
	n := 0
	for s := range sequences(t) {
		if ok(s) {
			n++
		}
	}
	if n == 0 {
		return s, false
	}
	n = r.IntN(n)
	for s = range sequences(t) {
		if ok(s) {
			if n--; n < 0 {
				break
			}
		}
	}
	return s, true
}

// run returns where a run of elements of s begins and ends: one or, every other
// time, more.
func (s sequence) run(t choices.Tree, r *rand.Rand) (from, end int) {
	k := r.IntN(s.n)
	from = s.at(t, k)
	end = from
	for range upTo(s.n-k, r) {
		end = t.End(end)
	}
	return from, end
}

func anySequence(sequence) bool { return true }

// Duplicate repeats an element of a sequence, or several that follow each other,
// right behind: libFuzzer's InsertRepeatedBytes, AFL's block cloning, for whole
// elements. In maps and sets, which have no equal elements, it does nothing.
func (m *Mutator) Duplicate(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	s, ok := pickSequence(t, r, anySequence)
	if !ok {
		return t, false
	}
	from, end := s.run(t, r)
	return m.replace(t, from, end, t[from:end], t[from:end])
}

// Delete leaves out an element of a sequence, or several that follow each other:
// AFL's block deletion, for whole elements. Where there must be more than remain, a
// replay makes new ones.
func (m *Mutator) Delete(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	s, ok := pickSequence(t, r, anySequence)
	if !ok {
		return t, false
	}
	from, end := s.run(t, r)
	return m.replace(t, from, end)
}

// Permute changes the order of elements of a sequence: of two that differ, which
// exchange their places, or the second of which moves in front of the first, or
// between which all are put in reverse order. libFuzzer's ShuffleBytes, for whole
// elements. In maps and sets, which have no order, it does nothing.
func (m *Mutator) Permute(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	s, ok := pickSequence(t, r, func(s sequence) bool { return s.n > 1 })
	if !ok {
		return t, false
	}
	for range 8 {
		k := r.IntN(s.n - 1)
		i := s.at(t, k)
		j := i
		for range 1 + r.IntN(s.n-1-k) {
			j = t.End(j)
		}
		end := t.End(j)
		if sameChoices(t.At(i), t.At(j)) {
			continue
		}
		kind := r.IntN(3)
		if kind == 0 {
			return m.exchange(t, i, j), true
		}
		out := m.clone(t)
		if kind == 1 {
			copy(out[i+copy(out[i:], t[j:end]):], t[i:j])
		} else {
			to := end
			for from := i; from < end; from = t.End(from) {
				to -= copy(out[to-len(t.At(from)):], t.At(from))
			}
		}
		return out, true
	}
	return t, false
}

// Crossover puts the last elements of a sequence of the Corpus in the place of the
// last of one of t: crossover of genetic algorithms, libFuzzer's CrossOver, for
// whole elements.
func (m *Mutator) Crossover(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	u, ok := m.other(r)
	if !ok {
		return t, false
	}
	for range 8 {
		s, ok := pickSequence(t, r, anySequence)
		if !ok {
			break
		}
		v, ok := pickSequence(u, r, func(v sequence) bool { return m.compatible(t, s.from, u, v.from) })
		if !ok {
			continue
		}
		i := s.at(t, r.IntN(s.n))
		tail := u[v.at(u, r.IntN(v.n)):v.end]
		if sameChoices(t[i:s.end], tail) {
			continue
		}
		edited, ok := m.replace(t, i, s.end, tail)
		if ok {
			for end := i + len(tail); i < end; i = edited.End(i) {
				edited[i].Slot = t[s.from].Slot
			}
		}
		return edited, ok
	}
	return t, false
}

// nudgeLength takes an element out of a sequence, or has one more made, as simple as
// a replay makes what is not recorded.
func (m *Mutator) nudgeLength(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	s, ok := pickSequence(t, r, anySequence)
	if !ok {
		return t, false
	}
	i := s.at(t, r.IntN(s.n))
	if s.stops && r.IntN(2) == 0 {
		more := t[s.end]
		more.Reroll = true
		return m.replace(t, i, t.End(i), choices.Tree{more}, t.At(i))
	}
	return m.replace(t, i, t.End(i))
}
