package mutate

import (
	"iter"
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// A Sequence is a run of siblings in a tree t that share a slot, such as the elements of
// a slice. To edit the elements in a way that no [Operator] does, find them by [Sequences].
type Sequence struct {
	From, End int  // t[From:End] has the elements
	N         int  // how many there are
	Open      bool // t[End] is the choice to stop: the generator may make more elements
}

// Sequences yields the sequences of t that have at least one element. A sequence comes
// before those that are part of its elements. A single element that no choice to stop
// follows looks like any other Pick, and is left out.
func Sequences(t choices.Tree) iter.Seq[Sequence] {
	return func(yield func(Sequence) bool) {
		if !hasElements(t) {
			return
		}
		left := 2 * len(t) // more than enough, if t is a tree
		for p := -1; p < len(t) && left > 0; p++ {
			begin, end := p+1, len(t)
			if p >= 0 {
				end = t.End(p)
			}
			for begin < end && left > 0 {
				n, last, next := siblings(t, begin, end)
				if n > 1 && !yield(sequenceOf(t, begin, last, next, n)) {
					return
				}
				begin = next
				left -= max(1, n)
			}
		}
	}
}

// siblings counts the elements of one sequence from begin on. The last begins at last, and next
// is after it. If there is no element, next is after the choice at begin.
func siblings(t choices.Tree, begin, end int) (n, last, next int) {
	next = begin
	for next < end && t[next].Element && t[next].Slot == t[begin].Slot {
		last = next
		next = t.End(next)
		n++
	}
	if n == 0 {
		next = t.End(begin)
	}
	return n, last, next
}

// sequenceOf returns the sequence of n siblings. The last may be the choice to stop.
func sequenceOf(t choices.Tree, begin, last, next, n int) Sequence {
	if stop := &t[last]; stop.Kind == choices.Pick && stop.N == 0 && stop.Hi > 0 {
		return Sequence{From: begin, End: last, N: n - 1, Open: true}
	}
	return Sequence{From: begin, End: next, N: n}
}

// hasElements reports whether t has a choice that belongs to a sequence. Operators of sequences
// often get trees without sequences, so this must be fast.
func hasElements(t choices.Tree) bool {
	for i := range t {
		if t[i].Element {
			return true
		}
	}
	return false
}

// at returns where element k stands.
func (s Sequence) at(t choices.Tree, k int) int {
	i := s.From
	for range k {
		i = t.End(i)
	}
	return i
}

// Resize returns a copy of t in which the sequence that begins at t[from] has n elements,
// at most 4096. The copy must be replayed: added elements are as simple as a replay makes
// what is not recorded. The copy equals t if no sequence begins there, or if it would
// grow and is not open.
func Resize(t choices.Tree, from, n int) choices.Tree {
	n = min(max(n, 0), maxElements)
	var m Mutator
	for s := range Sequences(t) {
		if s.From != from {
			continue
		}
		if n < s.N {
			edited, _ := m.replace(t, s.at(t, n), s.End)
			return edited
		}
		if s.Open {
			parts := make(choices.Tree, n-s.N, n-s.N+1)
			for k := range parts {
				parts[k] = t[s.End]
				parts[k].Reroll = true
			}
			if edited, ok := m.replace(t, s.End, t.End(s.End), append(parts, t[s.End])); ok {
				return edited
			}
		}
		break
	}
	return slices.Clone(t)
}

// maxElements bounds what Resize makes.
const maxElements = 4096

// pickSequence returns a sequence that ok accepts, all equally often.
func pickSequence(t choices.Tree, r *rand.Rand, ok func(s Sequence) bool) (s Sequence, found bool) {
	n := 0
	for s := range Sequences(t) {
		if ok(s) {
			n++
		}
	}
	if n == 0 {
		return s, false
	}
	n = r.IntN(n)
	for s = range Sequences(t) {
		if ok(s) {
			if n--; n < 0 {
				break
			}
		}
	}
	return s, true
}

// run returns where a run of elements of s begins and ends: one element or, half of the
// time, more.
func (s Sequence) run(t choices.Tree, r *rand.Rand) (from, end int) {
	k := r.IntN(s.N)
	from = s.at(t, k)
	end = from
	for range upTo(s.N-k, r) {
		end = t.End(end)
	}
	return from, end
}

func anySequence(Sequence) bool { return true }

// duplicate inserts a copy of an element of a sequence, or of several in a row, right after
// it, as libFuzzer's InsertRepeatedBytes and AFL's block cloning do with bytes. It has no
// effect on maps and sets, which have no equal elements.
func (m *Mutator) duplicate(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	s, ok := pickSequence(t, r, anySequence)
	if !ok {
		return t, false
	}
	from, end := s.run(t, r)
	return m.replace(t, from, end, t[from:end], t[from:end])
}

// delete deletes an element of a sequence, or several in a row, as AFL's block deletion
// does with bytes. If too few remain, a replay makes new ones.
func (m *Mutator) delete(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	s, ok := pickSequence(t, r, anySequence)
	if !ok {
		return t, false
	}
	from, end := s.run(t, r)
	return m.replace(t, from, end)
}

// permute reorders a sequence: two elements that differ change places; or the second of
// them moves in front of the first; or the elements from one to the other are reversed. It
// is libFuzzer's ShuffleBytes for whole elements. It has no effect on maps and sets, which
// have no order.
func (m *Mutator) permute(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	s, ok := pickSequence(t, r, func(s Sequence) bool { return s.N > 1 })
	if !ok {
		return t, false
	}
	for range 8 {
		k := r.IntN(s.N - 1)
		i := s.at(t, k)
		j := i
		for range 1 + r.IntN(s.N-1-k) {
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

// crossover replaces the last elements of a sequence by the last elements of a sequence of
// the Corpus, as the crossover of genetic algorithms and libFuzzer's CrossOver do.
func (m *Mutator) crossover(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	u, ok := m.other(r)
	if !ok {
		return t, false
	}
	for range 8 {
		s, ok := pickSequence(t, r, anySequence)
		if !ok {
			break
		}
		v, ok := pickSequence(u, r, func(v Sequence) bool { return m.compatible(t, s.From, u, v.From) })
		if !ok {
			continue
		}
		i := s.at(t, r.IntN(s.N))
		tail := u[v.at(u, r.IntN(v.N)):v.End]
		if sameChoices(t[i:s.End], tail) {
			continue
		}
		edited, ok := m.replace(t, i, s.End, tail)
		if ok {
			for end := i + len(tail); i < end; i = edited.End(i) {
				edited[i].Slot = t[s.From].Slot
			}
		}
		return edited, ok
	}
	return t, false
}

// nudgeLength deletes an element of a sequence, or adds one, which is as simple as a
// replay makes what is not recorded.
func (m *Mutator) nudgeLength(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	s, ok := pickSequence(t, r, anySequence)
	if !ok {
		return t, false
	}
	i := s.at(t, r.IntN(s.N))
	if s.Open && r.IntN(2) == 0 {
		more := t[s.End]
		more.Reroll = true
		return m.replace(t, i, t.End(i), choices.Tree{more}, t.At(i))
	}
	return m.replace(t, i, t.End(i))
}
