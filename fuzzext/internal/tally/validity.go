package tally

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
)

// validity compares the valid values of a Check with all that it has made at random.
type validity struct {
	valid, small int // valid values, and the ones among them of at most smallSize
	guided       int // valid values that are guided
	made, large  int // all, the larger ones
	tags         map[string]*tagCount
	twos         map[uint64]*tagCount // of picks of two, by family and alternative
}

// A tagCount says how many values have a tag, how many valid ones, and how many of these that are
// guided.
type tagCount struct {
	made, valid, guided int
	last, picks         int // the last value that has it, and in how many picks
}

const (
	smallSize   = 2              // parts of a kind
	mostlySmall = 0.98           // share of small values among the valid ones that is too much
	manyLarge   = 0.2            // share of the others among all that the generator could do better by
	enoughValid = 3 * someChecks // values, for the shares to tell something; a guide learns meanwhile
	enoughPlain = 100            // valid values without guidance
	rarest      = 20             // one in so many of these has an alternative that counts
	muchRarer   = 10             // times, among guided ones
	manyTagged  = 50             // invalid values that have a tag, before a valid one should
	maxTags     = 1000           // that are known, and as many of picks of two
	shownTags   = 5
)

// note records a value, and the alternatives that it has. Picks of two are mostly about how large a
// part is: they count for the size of the value only.
func (v *validity) note(t choices.Tree, valid, guided bool) {
	if v.tags == nil {
		v.tags, v.twos = map[string]*tagCount{}, map[uint64]*tagCount{}
	}
	v.made++
	size := 0
	for i := range t {
		c := &t[i]
		var n *tagCount
		switch {
		case c.Kind != choices.Pick:
		case c.Hi >= 2:
			n = countOf(v.tags, c.Tag)
		case c.N != 0:
			n = countOf(v.twos, uint64(c.Family)<<32^uint64(c.N))
		}
		if n == nil {
			continue
		}
		if n.last != v.made {
			n.last, n.picks = v.made, 0
			n.add(valid, guided)
		}
		if n.picks++; c.N != 0 {
			size = max(size, n.picks)
		}
	}
	if size > smallSize {
		v.large++
	}
	if valid {
		v.valid++
		if guided {
			v.guided++
		}
		if size <= smallSize {
			v.small++
		}
	}
}

// countOf returns the count of a key, or nil if it is new and there are too many.
func countOf[K comparable](counts map[K]*tagCount, key K) *tagCount {
	n := counts[key]
	if n == nil && len(counts) < maxTags {
		n = new(tagCount)
		counts[key] = n
	}
	return n
}

func (n *tagCount) add(valid, guided bool) {
	n.made++
	if valid {
		n.valid++
		if guided {
			n.guided++
		}
	}
}

// avoided returns the alternatives that guided valid values have far more rarely than others, and
// how rarely.
func (v *validity) avoided() (names []string) {
	plain := v.valid - v.guided
	if plain < enoughPlain || v.guided < enoughValid {
		return nil
	}
	for tag, n := range v.tags {
		if others := n.valid - n.guided; others*rarest >= plain &&
			n.guided*plain*muchRarer < others*v.guided {
			names = append(names,
				fmt.Sprintf("%s (%s, of the others %s)", tag,
					percent(float64(n.guided)/float64(v.guided)), percent(float64(others)/float64(plain))))
		}
	}
	return shortList(names)
}

// never returns the alternatives that so many values have, but no valid one.
func (v *validity) never(many int) (names []string) {
	for tag, n := range v.tags {
		if n.valid == 0 && n.made >= many {
			names = append(names, choices.Mark{Tag: tag}.String())
		}
	}
	return shortList(names)
}

// shortList sorts names, and shows the first few.
func shortList(names []string) []string {
	slices.Sort(names)
	if n := len(names) - shownTags; n > 0 {
		names = append(names[:shownTags], text.Count(n, "other"))
	}
	return names
}
