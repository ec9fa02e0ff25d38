package tally

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
)

// validity compares the valid values of a Check with all that it has made at random.
type validity struct {
	valid, small int // valid values, those of at most smallSize
	guided       int // valid values that are guided
	made, large  int // all, the larger ones
	tags         map[string]*tagCount
	seen         []string // memory
	counts       []kindCount
}

// A tagCount says how many values have a tag, how many valid ones, and how many of these that are
// guided.
type tagCount struct{ made, valid, guided int }

// A kindCount is how many picks of a value have taken one alternative.
type kindCount struct {
	family uint16
	n      int64
	count  int
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
	maxTags     = 1000           // that are known
	shownTags   = 5
)

// note records a value, and the alternatives that it has of picks of more than two. Picks of two
// are mostly about how large a part is.
func (v *validity) note(t choices.Tree, valid, guided bool) {
	size := 0
	v.seen, v.counts = v.seen[:0], v.counts[:0]
	for i := range t {
		c := &t[i]
		if c.Kind != choices.Pick {
			continue
		}
		if c.N != 0 {
			size = max(size, v.count(c))
		}
		if c.Hi >= 2 && !slices.Contains(v.seen, c.Tag) {
			v.seen = append(v.seen, c.Tag)
			v.tagged(c.Tag, valid, guided)
		}
	}
	v.made++
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

// count counts a pick, and returns how many like it the value has had.
func (v *validity) count(c *choices.Choice) int {
	i := slices.IndexFunc(v.counts, func(k kindCount) bool { return k.family == c.Family && k.n == c.N })
	if i < 0 {
		i = len(v.counts)
		v.counts = append(v.counts, kindCount{family: c.Family, n: c.N})
	}
	v.counts[i].count++
	return v.counts[i].count
}

func (v *validity) tagged(tag string, valid, guided bool) {
	if v.tags == nil {
		v.tags = map[string]*tagCount{}
	}
	n := v.tags[tag]
	if n == nil {
		if len(v.tags) == maxTags {
			return
		}
		n = new(tagCount)
		v.tags[tag] = n
	}
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
		if others := n.valid - n.guided; others*rarest >= plain && n.guided*plain*muchRarer < others*v.guided {
			names = append(names, fmt.Sprintf("%s (%s, of the others %s)", tag, percent(float64(n.guided)/float64(v.guided)), percent(float64(others)/float64(plain))))
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
