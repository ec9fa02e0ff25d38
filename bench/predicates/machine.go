package main

import (
	"fmt"
	"slices"

	"github.com/espalier-go/espalier/bigen"
)

// A machine makes lists that may end in some states only.
type machine struct {
	ends   func(prefix []int) bool
	toward func(prefix []int) int // where no list ends: the element that leads to an end soonest
	more   func(prefix []int) (bigen.Gen[int], bool)
}

type cell struct {
	X    int
	Rest *cell
}

func (m *machine) gen() bigen.Gen[[]int] {
	return bigen.Iso(m.after(nil),
		func(c *cell) (v []int) {
			for ; c != nil; c = c.Rest {
				v = append(v, c.X)
			}
			return v
		},
		func(v []int) (first *cell, ok bool) {
			for _, x := range slices.Backward(v) {
				first = &cell{x, first}
			}
			return first, true
		})
}

func (m *machine) after(prefix []int) bigen.Gen[*cell] {
	then := func(g bigen.Gen[int]) bigen.Gen[*cell] {
		return bigen.New(func(c *bigen.C, l *cell) {
			bigen.At(c, &l.X, g)
			bigen.At(c, &l.Rest, m.after(append(prefix[:len(prefix):len(prefix)], l.X)))
		})
	}
	var alts []bigen.Alt[*cell]
	if m.ends(prefix) {
		alts = append(alts, bigen.Tag("end", bigen.Nil[cell]()))
	} else {
		alts = append(alts, bigen.Tag("close", then(bigen.Just(m.toward(prefix)))))
	}
	if g, ok := m.more(prefix); ok {
		alts = append(alts, bigen.Tag("more", then(g)).Weight(4))
	}
	return bigen.Pick(alts...)
}

// A states is a template of lists of letters: from a state, a letter leads to another, or nowhere.
// The states of an automaton are finite, those of a counter are the integers from 0.
type states struct {
	letters []int
	class   map[int][]int                       // what stands for a letter; nil: the letter alone
	next    func(state, letter int) (int, bool) // letter is an index
	ends    func(state int) bool
	toward  func(state int) int // the letter that leads to an end soonest
	text    string

	table     [][]int // of an automaton: what next returns, -1 for nowhere
	need, add []int   // of a counter
	end       int     // of a counter
}

// run returns the state after a list.
func (s *states) run(v []int) (state int, ok bool) {
	for _, x := range v {
		i := slices.IndexFunc(s.letters, func(l int) bool {
			return l == x || slices.Contains(s.class[l], x)
		})
		if i < 0 {
			return 0, false
		}
		if state, ok = s.next(state, i); !ok {
			return 0, false
		}
	}
	return state, true
}

// agrees reports whether the states accept exactly the valid short lists.
func (s *states) agrees(t *trie, depth int) bool {
	return t.walk(nil, s.letters, depth, func(v []int, at *trie) bool {
		state, ok := s.run(v)
		return (ok && s.ends(state)) == at.valid
	})
}

func (s *states) gen() bigen.Gen[[]int] {
	at := func(v []int) int { state, _ := s.run(v); return state }
	return (&machine{
		ends:   func(v []int) bool { return s.ends(at(v)) },
		toward: func(v []int) int { return s.letters[s.toward(at(v))] },
		more: func(v []int) (bigen.Gen[int], bool) {
			var some []int
			for i, l := range s.letters {
				if _, ok := s.next(at(v), i); ok {
					some = append(append(some, l), s.class[l]...)
				}
			}
			if len(some) == 0 {
				return bigen.Gen[int]{}, false
			}
			return bigen.OneOf(some...), true
		},
	}).gen()
}

// counters calls try with all counters: each letter needs the counter to be 0, 1 or 2 at least, and
// changes it by -1, 0 or 1. A list ends where the counter is 0, or where it is 1.
func counters(letters []int, try func(*states) bool) {
	if len(letters) > 4 {
		return
	}
	n := 1
	for range letters {
		n *= 9
	}
	for code := range 2 * n {
		need, delta := make([]int, len(letters)), make([]int, len(letters))
		rest := code / 2
		for i := range letters {
			need[i], delta[i] = rest%3, rest/3%3-1
			rest /= 9
		}
		s := &states{letters: letters,
			next: func(state, i int) (int, bool) {
				return state + delta[i], state >= need[i] && state+delta[i] >= 0
			},
			ends: func(state int) bool { return state == code%2 },
			need: need, add: delta, end: code % 2,
			text: fmt.Sprintf("needs %v, adds %v, ends at %d", need, delta, code%2),
		}
		s.toward = func(state int) int {
			want := 1
			if state > code%2 {
				want = -1
			}
			for i := range letters {
				if delta[i] == want && state >= need[i] {
					return i
				}
			}
			return -1
		}
		if slices.ContainsFunc(delta, func(d int) bool { return d < 0 }) && s.toward(2) >= 0 &&
			(code%2 == 0 || s.toward(0) >= 0) && !try(s) {
			return
		}
	}
}

// automaton learns a finite automaton: two lists lead to the same state if the same short
// continuations make them valid. It fails if new states appear at the greatest length.
func automaton(t *trie, letters []int, depth int) *states {
	suffix := depth / 2
	var signature func(t *trie, depth int) string
	signature = func(t *trie, depth int) string {
		s := "."
		if t.valid {
			s = "!"
		}
		if !t.viable || depth == 0 {
			return s
		}
		for _, kid := range t.kids {
			s += signature(kid, depth-1)
		}
		return s
	}
	type state struct {
		at    *trie
		depth int
		next  []int // -1: nowhere
	}
	found := map[string]int{signature(t, suffix): 0}
	all := []*state{{at: t}}
	for i := 0; i < len(all); i++ {
		s := all[i]
		if s.depth+1 > depth-suffix || len(all) > 30 {
			return nil
		}
		for _, kid := range s.at.kids {
			if !kid.viable {
				s.next = append(s.next, -1)
				continue
			}
			sign := signature(kid, suffix)
			if _, ok := found[sign]; !ok {
				found[sign] = len(all)
				all = append(all, &state{at: kid, depth: s.depth + 1})
			}
			s.next = append(s.next, found[sign])
		}
	}
	toward := make([]int, len(all)) // the letter, or -1 while none is known
	known := make([]bool, len(all))
	for i := range all {
		toward[i], known[i] = -1, all[i].at.valid
	}
	for range all {
		before := slices.Clone(known)
		for i, s := range all {
			for l, to := range s.next {
				if !known[i] && to >= 0 && before[to] {
					toward[i], known[i] = l, true
				}
			}
		}
	}
	if slices.Contains(known, false) {
		return nil
	}
	var table [][]int
	for _, s := range all {
		table = append(table, s.next)
	}
	return &states{letters: letters, table: table,
		next:   func(state, i int) (int, bool) { to := all[state].next[i]; return to, to >= 0 },
		ends:   func(state int) bool { return all[state].at.valid },
		toward: func(state int) int { return toward[state] },
		text:   fmt.Sprintf("%d states", len(all)),
	}
}

// classes finds which other letters stand for one: in short lists, valid or not, they can take its
// place without a change of the verdict.
func classes(t *trie, letters []int, depth, alphabet int, valid func([]int) bool) map[int][]int {
	all := map[int][]int{}
	samples := map[int][][]int{}
	for _, verdict := range []bool{true, false} {
		some := map[int]int{}
		t.walk(nil, letters, min(depth, 4), func(v []int, at *trie) bool {
			for _, l := range letters {
				if at.valid == verdict && slices.Contains(v, l) && some[l] < 200 {
					samples[l] = append(samples[l], v)
					some[l]++
				}
			}
			return true
		})
	}
	for b := range alphabet {
		if slices.Contains(letters, b) {
			continue
		}
		for _, l := range letters {
			if !slices.ContainsFunc(samples[l], func(v []int) bool {
				w := slices.Clone(v)
				for i := range w {
					if w[i] == l {
						w[i] = b
					}
				}
				return valid(w) != valid(v)
			}) {
				all[l] = append(all[l], b)
				break
			}
		}
	}
	return all
}
