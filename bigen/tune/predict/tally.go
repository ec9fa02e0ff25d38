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
		end  int
		pick Constructor
	}
	stack := []branch{{len(t) + 1, Constructor{}}}
	for i := range t {
		for i >= stack[len(stack)-1].end {
			stack = stack[:len(stack)-1]
		}
		c := &t[i]
		if c.Kind != choices.Pick {
			continue
		}
		pick := Constructor{Family: c.Family, Tag: c.Tag}
		stack = append(stack, branch{t.End(i), pick})
		if slices.Contains(commonTags, c.Tag) && slices.Contains(commonFamilies, c.Family) {
			pick.Place = placeOf(c.Slot, stack[len(stack)-2].pick)
		}
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

// placeOf returns the Place of a common constructor. around has no Place.
func placeOf(slot uint32, around Constructor) uint64 {
	return hash.Mix(hash.Mix(uint64(slot)+1, uint64(around.Family)), hash.FNV64(around.Tag))
}
