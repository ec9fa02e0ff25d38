package choices

// A Choice is one answer that a generator was given.
type Choice struct {
	Kind   Kind
	Reroll bool   // an edit's mark: [Replay] must answer otherwise (the paper's MayReroll, section 6.2.2)
	Family uint16 // Pick: a hash of the tags of all alternatives; see [Family]
	Slot   uint32 // which field asked, counted from the branch of the enclosing Pick; see [SubSlot]
	Index  int32  // which element asked, where elements of a sequence share a slot
	Size   int32  // how many choices the subtree has: this one and those below it

	Tag    string // Pick: the tag taken; Text: the string
	N      int64  // Pick: index of the alternative taken; Int: the value; Uint: its bits
	Lo, Hi int64  // Int, Uint (bits): the range, both ends included; Pick: 0 and the last index

	// Pick: of peers alternatives whose tags have the code of the one taken, that is
	// the rank-th, from 0; see Take.
	rank, peers int32
}

// Asked reports whether the choice could have been another: a Pick of one
// alternative and an integer of one value are recorded, but no source is asked.
func (c *Choice) Asked() bool { return c.Kind == Text || c.Lo != c.Hi }

// A Tree records a conversation: the choices of one run of a generator in the
// order asked, parents before children, so that the subtree of t[i], itself a Tree,
// is t[i:t.End(i)]. It is the free structure of choices of "Bigenerators,
// Exposed!" (section 6.2.1): a Pick is a mark, the choices below it are split by
// the slots in which they were asked, and a generator that asks nothing leaves
// nothing. A generator without a Pick at its root may leave several trees side by
// side.
//
// Trees that a run records are consistent. Edits need not be: [Replay] makes
// of any tree a run that repairs what no longer fits.
type Tree []Choice

// End returns the index behind the subtree of t[i], where its next sibling stands
// if it has one. It is within t, and above i, also if the sizes are wrong.
func (t Tree) End(i int) int { return min(i+max(1, int(t[i].Size)), len(t)) }

// At returns the subtree whose root is t[i]; it shares t's memory.
func (t Tree) At(i int) Tree { return t[i:t.End(i):t.End(i)] }

// Splice returns a copy of t in which the subtree at i is replaced by sub. The
// first choice of sub, if any, takes over the place (slot and index) of the old.
func (t Tree) Splice(i int, sub Tree) Tree {
	out := t.replace(i, t.End(i), sub)
	if len(sub) > 0 {
		out[i].Slot, out[i].Index = t[i].Slot, t[i].Index
	}
	return out
}

// Cut returns a copy of t without the siblings from i up to, not including, end.
func (t Tree) Cut(i, end int) Tree { return t.replace(i, end, nil) }

// replace puts sub in the place of the siblings from i up to end.
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

// SubSlot returns the slot of the part that has the given name, which may be a
// hash, of what stands in slot. The slot of a pick's branch is 0. Slots are hashes:
// two that are equal by accident cost an edit or a changed generator some
// accuracy, nothing else.
func SubSlot(slot, name uint32) uint32 { return slot*0x9E3779B1 + name + 1 }
