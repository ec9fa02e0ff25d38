package choices

// A Choice is one answer that a generator was given.
type Choice struct {
	Kind   Kind
	Reroll bool   // an edit's mark: [Replay] gives another answer (MayReroll, section 6.2.2)
	Family uint16 // Pick: a hash of the tags of all alternatives; see [Question.Family]
	Slot   uint32 // which field asked, counted from the branch of the enclosing Pick; a hash
	Index  int32  // which element asked, where elements of a sequence share a slot
	Size   int32  // number of choices in the subtree: this one and those below it

	Tag    string // Pick: the tag taken; Text: the string
	N      int64  // Pick: index of the alternative taken; Int: the value; Uint: its bits
	Lo, Hi int64  // Int, Uint (bits): the range, both ends included; Pick: 0 and the last index

	// Pick: among the alternatives whose tags have the code of the one taken, it is the rank-th,
	// from 0. There are this many peers: 2 stands for more, and TakeIndex sets 0.
	rank  int32
	peers uint8

	Element bool // Pick: whether it was asked if a sequence has another element
	distant bool // Int, Uint: an edit's mark: N is the distance from the simplest of the range
}

// KeepDistance makes a replay keep the distance of an integer from the simplest of its range, which
// may be another range then.
func (c *Choice) KeepDistance() {
	if !c.distant {
		c.N, c.distant = c.N-c.Origin(), true
	}
}

// Asked reports whether the choice could have been another: a Pick of one
// alternative and an integer of one value are recorded, but no source chooses them.
func (c *Choice) Asked() bool { return c.Kind == Text || c.Lo != c.Hi }

// A Tree records a conversation: the choices of one run of a generator in the
// order asked, parents before children. The subtree of t[i], itself a Tree, is
// t[i:t.End(i)]:
//
//	i  Size  choice
//	0   7    node
//	1   1    ├── 5          in the slot of the key
//	2   1    ├── leaf       in the slot of the left subtree
//	3   4    └── node       in the slot of the right subtree
//	4   1        ├── 7
//	5   1        ├── leaf
//	6   1        └── leaf
//
// It is the free structure of choices of "Bigenerators, Exposed!" (section 6.2.1): a
// Pick is a mark, the choices below it are split by the slots in which they were asked,
// and a generator that asks nothing leaves nothing. A generator without a Pick at its
// root may leave several trees side by side.
//
// Trees that a run records are consistent. Edited trees need not be: [Replay] makes a run
// from any tree and repairs what no longer fits.
type Tree []Choice

// End returns the index after the subtree of t[i], which is the index of its next sibling
// if it has one. The result is above i and at most len(t), even if sizes are wrong.
func (t Tree) End(i int) int { return min(i+max(1, int(t[i].Size)), len(t)) }

// At returns the subtree whose root is t[i]; it shares t's memory.
func (t Tree) At(i int) Tree { return t[i:t.End(i):t.End(i)] }

// Splice returns a copy of t in which the subtree at i is replaced by sub. The
// first choice of sub, if any, gets the slot and index of the choice that it replaces.
func (t Tree) Splice(i int, sub Tree) Tree {
	out := t.replace(i, t.End(i), sub)
	if len(sub) > 0 {
		out[i].Slot, out[i].Index = t[i].Slot, t[i].Index
	}
	return out
}

// Cut returns a copy of t without the siblings in t[i:end].
func (t Tree) Cut(i, end int) Tree { return t.replace(i, end, nil) }

// replace returns a copy of t in which sub replaces the siblings in t[i:end].
func (t Tree) replace(i, end int, sub Tree) Tree {
	out := make(Tree, 0, len(t)-(end-i)+len(sub))
	out = append(append(append(out, t[:i]...), sub...), t[end:]...)
	for j := range out[:i] {
		if t.End(j) > i { // an ancestor
			out[j].Size += int32(len(out) - len(t))
		}
	}
	return out
}
