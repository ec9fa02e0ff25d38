package predict

import (
	"github.com/espalier-go/espalier/bigen/tune/internal/exact"
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
			in := ""
			if len(around) > 0 {
				in = t[around[len(around)-1]].Tag
			}
			pick.Place = placeOf(point{c.Slot, in})
		}
		n[pick]++
	}
}

// pointer is the family of the picks that say whether a pointer is nil.
var pointer = exact.FamilyOf([]string{"nil", "ptr"})

// isCommon reports whether many types have the alternatives of q: those of the elements of a
// sequence and those of pointers.
func isCommon(q *choices.Question) bool {
	return q.Element() || len(q.Alts) == 2 && q.Alts[0].Tag == "nil" && q.Alts[1].Tag == "ptr"
}

// placeOf returns the Place of a common constructor.
func placeOf(p point) uint64 { return hash.Mix(hash.Mix(1, uint64(p.slot)), hash.FNV64(p.in)) }
