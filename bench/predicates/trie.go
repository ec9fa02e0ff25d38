package main

// A trie holds the verdicts on all short lists of some elements.
type trie struct {
	valid  bool    // the list that leads here is valid
	viable bool    // so is it, or a continuation
	kids   []*trie // by the index of the element; nil at the greatest length
}

// budget is how many short lists are tried.
const budget = 60_000

// depthFor returns the greatest length for which all lists of n elements are within the budget.
func depthFor(n int) (depth int) {
	for total, power := 1, 1; depth < 12; depth++ {
		power *= n
		if total += power; total > budget {
			break
		}
	}
	return depth
}

// explore asks the predicate for all lists of up to depth elements, whose length is a multiple of
// step.
func explore(prefix, elements []int, depth, step int, valid func([]int) bool) *trie {
	t := &trie{}
	if len(prefix)%step == 0 {
		t.valid = valid(prefix)
	}
	t.viable = t.valid
	if depth > 0 {
		for _, x := range elements {
			kid := explore(append(prefix[:len(prefix):len(prefix)], x), elements, depth-1, step, valid)
			t.kids = append(t.kids, kid)
			t.viable = t.viable || kid.viable
		}
	}
	return t
}

// walk visits the lists of up to depth elements, until visit returns false.
func (t *trie) walk(prefix, elements []int, depth int, visit func([]int, *trie) bool) bool {
	if !visit(prefix, t) {
		return false
	}
	for i, kid := range t.kids {
		if depth > 0 &&
			!kid.walk(append(prefix[:len(prefix):len(prefix)], elements[i]), elements, depth-1, visit) {
			return false
		}
	}
	return true
}

// shortest returns a shortest valid list that is not empty, or nil.
func (t *trie) shortest(elements []int, depth int) (best []int) {
	t.walk(nil, elements, depth, func(v []int, at *trie) bool {
		if at.valid && len(v) > 0 && (best == nil || len(v) < len(best)) {
			best = v
		}
		return true
	})
	return best
}

// closed reports whether each beginning of a valid list is valid, if it has at least least elements
// and a multiple of step.
func (t *trie) closed(elements []int, depth, step, least int) bool {
	return t.walk(nil, elements, depth, func(v []int, at *trie) bool {
		return !at.viable || at.valid || len(v)%step != 0 || len(v) < least
	})
}
