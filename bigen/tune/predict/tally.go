package predict

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// A Tally counts the constructors of trees, to compare them with what [Grammar.Expect]
// predicts. The zero value is not usable: make it, like any map.
type Tally map[Constructor]int

// Add counts the picks of t.
func (n Tally) Add(t choices.Tree) {
	for i, around := range t.Walk() {
		c := &t[i]
		if c.Kind != choices.Pick {
			continue
		}
		pick := Constructor{Family: c.Family, Tag: c.Tag}
		if c.Element || c.Family == pointer && (c.Tag == "nil" || c.Tag == "ptr") {
			pick.Place = placeOf(c.Slot, len(around), func(i int) enclosure {
				p := &t[around[i]]
				return enclosure{p.Family, p.Tag, p.Slot, p.Element}
			})
		}
		n[pick]++
	}
}

// pointer is the family of the picks that say whether a pointer is nil.
var pointer = choices.Family([]choices.Alt{choices.MakeAlt("nil", 1), choices.MakeAlt("ptr", 1)})

// isCommon reports whether many types have the alternatives of q: those of the elements of a
// sequence and those of pointers.
func isCommon(q *choices.Question) bool {
	return q.Element() || len(q.Alts) == 2 && q.Alts[0].Tag == "nil" && q.Alts[1].Tag == "ptr"
}

// enclosure is a pick around another one.
type enclosure struct {
	family  uint16
	tag     string
	slot    uint32
	element bool // it says that a sequence has another element
}

// placeOf returns the Place of a common constructor: a hash of its slot and of the alternative
// around. If that is a sequence of which it is the element itself, as in slices of slices, the
// place of the sequence counts, too. around returns the i-th of depth enclosures, the innermost
// last.
func placeOf(slot uint32, depth int, around func(i int) enclosure) uint64 {
	const most = 4 // a slice of slices may have no end
	h := hash.Mix(1, uint64(slot))
	for i := depth - 1; i >= max(0, depth-most); i-- {
		e := around(i)
		if e.element {
			e.family = 0 // whether the element must exist or not
		}
		h = hash.Mix(hash.Mix(h, uint64(e.family)), hash.FNV64(e.tag))
		if !e.element || slot != 0 {
			break
		}
		slot = e.slot
		h = hash.Mix(h, uint64(slot))
	}
	return h
}
