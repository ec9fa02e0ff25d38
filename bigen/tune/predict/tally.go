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
		if (c.Tag == "stop" || c.Tag == "more") && slices.Contains(sequences, c.Family) {
			pick.Place = placeOf(c.Slot, stack[len(stack)-2].pick)
		}
		n[pick]++
	}
}

// isSequence reports whether picks of these tags ask whether a sequence goes on.
func isSequence(tags []string) bool {
	return slices.Equal(tags, []string{"stop", "more"}) || slices.Equal(tags, []string{"more"})
}

// sequences is the families of picks that ask whether a sequence goes on.
var sequences = []uint16{
	choices.Family([]choices.Alt{choices.MakeAlt("stop", 1), choices.MakeAlt("more", 1)}),
	choices.Family([]choices.Alt{choices.MakeAlt("more", 1)}),
}

// placeOf returns the Place of a sequence. around has no Place.
func placeOf(slot uint32, around Constructor) uint64 {
	return hash.Mix(hash.Mix(uint64(slot)+1, uint64(around.Family)), hash.FNV64(around.Tag))
}
