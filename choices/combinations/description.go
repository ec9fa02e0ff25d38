package combinations

import (
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/choices"
	"golang.org/x/exp/slices"
)

// maxStrength bounds the choices that a description combines.
const maxStrength = 4

// A Description is a sparse pattern that a tree covers; see [Coverage].
type Description struct {
	hash  uint64
	tree  choices.Tree // one that covers it
	label func(*choices.Choice) string
	at    [maxStrength]int // which of its choices
	n     int
}

// String returns the choices, each followed by those below it, in parentheses, with the
// numbers of their parts. An underscore stands for the innermost choice that has two others
// below it, if it is not itself described. So node(2: node(1: leaf)) is a leaf somewhere in
// part 1 of a node somewhere in part 2 of another, and _(0: 6, 1: 4) a 6 in part 0 and a 4 in
// part 1 of the same choice. The numbers of parts are the numbers in the tree that gave
// the description.
func (d Description) String() string {
	var b strings.Builder
	d.write(&b, d.at[:d.n])
	return b.String()
}

// write writes the choices t[at[0]], t[at[1]] and so on.
func (d Description) write(b *strings.Builder, at []int) {
	t, top := d.tree, at[0]
	for top >= 0 && t.End(top) <= at[len(at)-1] {
		top = parent(t, top)
	}
	if top == at[0] {
		b.WriteString(d.label(&t[top]))
		at = at[1:]
	} else {
		b.WriteByte('_')
	}
	if len(at) == 0 {
		return
	}
	b.WriteByte('(')
	parts := partsOf(t, top)
	i, end := below(t, top)
	for first := true; i < end; i = t.End(i) {
		n := 0
		for n < len(at) && at[n] < t.End(i) {
			n++
		}
		if n == 0 {
			continue
		}
		if !first {
			b.WriteString(", ")
		}
		first = false
		b.WriteString(strconv.Itoa(slices.Index(parts, t[i].Slot)))
		b.WriteString(": ")
		d.write(b, at[:n])
		at = at[n:]
	}
	b.WriteByte(')')
}

// parent returns the index of the choice above the i-th, or -1 if there is none.
func parent(t choices.Tree, i int) int {
	p := i - 1
	for p >= 0 && t.End(p) <= i {
		p--
	}
	return p
}

// below returns where the choices below the i-th begin and end, or all choices of the tree
// if i is -1.
func below(t choices.Tree, i int) (from, end int) {
	if i < 0 {
		return 0, len(t)
	}
	return i + 1, t.End(i)
}

// partsOf returns the slots of the choices below the i-th, in an order that also fits the
// choices below others with its tag: a part that asks nothing leaves nothing, and that
// should not change the numbers of the other parts.
func partsOf(t choices.Tree, i int) []uint32 {
	own := slotsOf(t, i)
	if i < 0 {
		return own
	}
	most := own
	for j := range t {
		if t[j].Kind == choices.Pick && t[j].Tag == t[i].Tag {
			if slots := slotsOf(t, j); len(slots) > len(most) {
				most = slots
			}
		}
	}
	for _, slot := range own {
		if !slices.Contains(most, slot) {
			most = append(most, slot)
		}
	}
	return most
}

// slotsOf returns the slots of the choices below the i-th.
func slotsOf(t choices.Tree, i int) (slots []uint32) {
	i, end := below(t, i)
	for ; i < end; i = t.End(i) {
		if !slices.Contains(slots, t[i].Slot) {
			slots = append(slots, t[i].Slot)
		}
	}
	return slots
}
