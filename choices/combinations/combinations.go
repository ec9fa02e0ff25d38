// Package combinations tells which combinations of choices the values of a test suite have.
package combinations

import (
	"cmp"
	"fmt"
	"iter"
	"math/bits"
	"strconv"
	"unicode/utf8"

	"github.com/espalier-go/espalier/choices"
	"golang.org/x/exp/slices"
)

// A Coverage is the set of descriptions that the trees of a test suite cover: the
// combinatorial coverage of "Bigenerators, Exposed!" (section 5.2.2) and of Goldstein et
// al., "Do Judge a Test by its Cover" (ESOP 2021).
//
// Any t choices of a tree, in the order asked, give a description of strength t. It says
// what the t choices are, and how each two of them are related:
//
//   - the second is somewhere below the first, in one of its parts; or
//   - the two are apart, in two parts of the innermost choice that has both below it, or
//     of the whole tree.
//
// It says nothing about other choices, above, below or in between. A part is a field, or
// whatever has a slot of its own. The elements of a slice are in one part, one after the
// other. So node(6, node(4, leaf, leaf), leaf) covers, at strength 2, "4 to the left of 6",
// however far below. A struct of settings covers each pair of them, as in combinatorial
// testing. A list of operations covers "push, later pop".
//
// The number of descriptions depends on the generator. The values up to some size have all
// of them, or nearly all: see package choices/enumerate.
//
// A Coverage holds at most 4,194,304 descriptions, as hashes of 64 bits, in about 20 bytes
// each.
type Coverage struct {
	strength int
	label    func(*choices.Choice) string
	covered  map[uint64]struct{}
	scratch  map[uint64]struct{}
	view     view
}

const maxDescriptions = 1 << 22

// New returns an empty Coverage of descriptions of the given strength, from 1 to 4.
// Strength 1 says which choices occur at all. Choices with the same label are the same to a
// description, and a choice with an empty label is left out. A nil label stands for
// [Coarse]. New panics if strength is out of range.
//
// A tree has at most 1,048,576 descriptions. If it has more than 1448 choices at strength 2,
// 185 at strength 3 or 72 at strength 4, they describe an even sample of that many choices,
// which is the same for trees of the same size.
func New(strength int, label func(*choices.Choice) string) *Coverage {
	if strength < 1 || strength > maxStrength {
		panic(fmt.Sprintf("combinations.New: strength %d is not from 1 to %d", strength, maxStrength))
	}
	if label == nil {
		label = Coarse
	}
	return &Coverage{
		strength: strength, label: label, covered: map[uint64]struct{}{},
		scratch: map[uint64]struct{}{},
	}
}

// Coarse labels a pick by its tag, an integer from -15 to 15 by itself, any other integer by
// the powers of two around it, as in 16..31 or -31..-16, and a text by its number of runes
// in the same way.
func Coarse(c *choices.Choice) string {
	switch c.Kind {
	case choices.Int:
		if c.N < 0 {
			low, high := magnitude(-uint64(c.N))
			return interval("-"+high, "-"+low)
		}
		return interval(magnitude(uint64(c.N)))
	case choices.Uint:
		return interval(magnitude(uint64(c.N)))
	case choices.Text:
		return "text(" + interval(magnitude(uint64(utf8.RuneCountInString(c.Tag)))) + ")"
	}
	return c.Mark().String()
}

// magnitude returns the ends of the interval of n.
func magnitude(n uint64) (low, high string) {
	from, to := n, n
	if n >= 16 {
		from = 1 << (bits.Len64(n) - 1)
		to = from - 1 + from
	}
	return strconv.FormatUint(from, 10), strconv.FormatUint(to, 10)
}

func interval(low, high string) string {
	if low == high {
		return low
	}
	return low + ".." + high
}

// Len returns the number of descriptions that are covered.
func (c *Coverage) Len() int { return len(c.covered) }

// Add adds the descriptions of t and returns the number of new ones.
func (c *Coverage) Add(t choices.Tree) (added int) {
	before := len(c.covered)
	c.view.look(t, c.strength, c.label)
	c.view.descriptions(func(h uint64) bool {
		if len(c.covered) < maxDescriptions {
			c.covered[h] = struct{}{}
		}
		return true
	})
	return len(c.covered) - before
}

// Gain returns the number of descriptions that Add would add if there were room for all.
func (c *Coverage) Gain(t choices.Tree) int {
	clear(c.scratch)
	c.view.look(t, c.strength, c.label)
	c.view.descriptions(func(h uint64) bool {
		if _, ok := c.covered[h]; !ok {
			c.scratch[h] = struct{}{}
		}
		return true
	})
	return len(c.scratch)
}

// Covers reports whether d is covered. d must come from a Coverage with the same strength
// and labels.
func (c *Coverage) Covers(d Description) bool {
	_, ok := c.covered[d.hash]
	return ok
}

// Descriptions returns the descriptions of t, each once, whether covered or not.
func (c *Coverage) Descriptions(t choices.Tree) iter.Seq[Description] {
	return func(yield func(Description) bool) {
		var v view // its own, so that the loop may use c
		seen := map[uint64]struct{}{}
		v.look(t, c.strength, c.label)
		v.descriptions(func(h uint64) bool {
			if _, ok := seen[h]; ok {
				return true
			}
			seen[h] = struct{}{}
			d := Description{hash: h, tree: t, label: c.label, n: c.strength}
			for i, k := range v.chosen[:c.strength] {
				d.at[i] = v.at[k]
			}
			return yield(d)
		})
	}
}

// Thin adds trees until the rest would add nothing, always the tree that adds most, and of
// several the first. It returns the indices of the trees added, in that order. So few trees
// cover what all of them do.
func (c *Coverage) Thin(trees []choices.Tree) (kept []int) {
	type candidate struct{ tree, gain int }
	var left []candidate // those that add most first
	sorted := func() {
		slices.SortFunc(left, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(b.gain, a.gain), cmp.Compare(a.tree, b.tree))
		})
	}
	for i, t := range trees {
		left = append(left, candidate{i, c.Gain(t)})
	}
	sorted()
	for len(left) > 0 && left[0].gain > 0 {
		// Gains only shrink: the first one that is up to date is the largest.
		best := left[0]
		if left[0].gain = c.Gain(trees[best.tree]); left[0].gain < best.gain {
			sorted()
			continue
		}
		c.Add(trees[best.tree])
		kept, left = append(kept, best.tree), left[1:]
	}
	return kept
}
