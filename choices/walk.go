package choices

import "iter"

// Walk yields the index of each choice of t, in order, with the indices of the choices whose
// subtrees it is in, the outermost first: in a tree that a run has recorded, these are the
// enclosing picks. So one loop tells what depends on where a choice stands:
//
//	for i, around := range t.Walk() {
//		fmt.Printf("%*s%v\n", 2*len(around), "", t[i].Mark())
//	}
//
// The loop must neither change nor keep around. If the sizes of an edited tree are wrong, a
// subtree ends where the enclosing one does.
func (t Tree) Walk() iter.Seq2[int, []int] {
	return func(yield func(i int, around []int) bool) {
		var around []int
		ends := []int{len(t)} // of t, and of the subtrees around
		for i := range t {
			for ends[len(around)] <= i {
				around, ends = around[:len(around)-1], ends[:len(around)]
			}
			if !yield(i, around) {
				return
			}
			if end := min(t.End(i), ends[len(around)]); end > i+1 {
				around, ends = append(around, i), append(ends, end)
			}
		}
	}
}

// IsSimplest reports whether the choice is the simplest answer: the first alternative of a
// pick, the integer at the [Kind.Origin] of its range, or the empty text.
func (c *Choice) IsSimplest() bool { return c.N == c.Origin() && (c.Kind != Text || c.Tag == "") }

// Origin returns the N of the simplest answer.
func (c *Choice) Origin() int64 {
	if c.Kind == Int || c.Kind == Uint {
		return c.Kind.Origin(c.Lo, c.Hi)
	}
	return 0
}
