package predict

import (
	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// A Tally counts the constructors of trees, to compare them with what [Grammar.Expect]
// predicts. The zero value is not usable: make it, like any map.
type Tally map[Constructor]int

// Add counts the picks of t.
func (n Tally) Add(t choices.Tree) {
	type branch struct {
		end int
		enclosure
	}
	var stack []branch
	for i := range t {
		for len(stack) > 0 && i >= stack[len(stack)-1].end {
			stack = stack[:len(stack)-1]
		}
		c := &t[i]
		if c.Kind != choices.Pick {
			continue
		}
		pick := Constructor{Family: c.Family, Tag: c.Tag}
		if slices.Contains(commonTags, c.Tag) && slices.Contains(commonFamilies, c.Family) {
			pick.Place = placeOf(c.Slot, len(stack), func(i int) enclosure { return stack[i].enclosure })
		}
		stack = append(stack, branch{t.End(i), enclosure{c.Family, c.Tag, c.Slot}})
		n[pick]++
	}
}

// common are the alternatives that picks of many types have: whether a sequence goes on, and
// whether a pointer is nil.
var common = [][]string{{"stop", "more"}, {"more"}, {"nil", "ptr"}}

// isCommon reports whether tags are common.
func isCommon(tags []string) bool {
	return slices.ContainsFunc(common, func(c []string) bool { return slices.Equal(c, tags) })
}

// commonTags and commonFamilies are those of common.
var commonTags, commonFamilies = func() (tags []string, families []uint16) {
	for _, c := range common {
		var alts []choices.Alt
		for _, tag := range c {
			tags, alts = append(tags, tag), append(alts, choices.MakeAlt(tag, 1))
		}
		families = append(families, choices.Family(alts))
	}
	return tags, families
}()

// enclosure is a pick around another one.
type enclosure struct {
	family uint16
	tag    string
	slot   uint32
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
		sequence := e.tag == "more" && slices.Contains(commonFamilies, e.family)
		if sequence {
			e.family = 0 // whether the element must exist or not
		}
		h = hash.Mix(hash.Mix(h, uint64(e.family)), hash.FNV64(e.tag))
		if !sequence || slot != 0 {
			break
		}
		slot = e.slot
		h = hash.Mix(h, uint64(slot))
	}
	return h
}
