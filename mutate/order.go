package mutate

import (
	"cmp"
	"unicode/utf8"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// Compare orders trees by simplicity, the simpler first: -1, 0 or 1. The order is
// shortlex on what a reader would see of the value: a generator's own simplest
// answers, such as absent children, zeros and empty texts, do not count.
//
//  1. The smaller tree comes first. Its size is the number of picks of other than
//     the first alternative, of integers other than the simplest of their range (one
//     that is farther from it than a billion counts as two), and of runes.
//  2. Otherwise, the first difference decides, among picks of other than the first
//     alternative, integers other than 0, and texts that are not empty. A Pick comes
//     before an integer, an integer before a text; of two picks, the one of the
//     earlier alternative; of two integers, the one nearer to 0, or the positive one
//     if both are as near; of two texts, the one with fewer runes, or the one whose
//     first rune that differs is plainer, which is earlier in the nil
//     [choices.Alphabet].
//  3. Otherwise, the same rule is applied to all choices.
//
// So the size of a value matters more than its contents, what it has moves to its
// end, and its integers ascend.
func Compare(a, b choices.Tree) int {
	return cmp.Or(
		cmp.Compare(size(a), size(b)),
		compare(a, b, visible),
		compare(a, b, func(*choices.Choice) bool { return true }))
}

// size is rule 1 of [Compare].
func size(t choices.Tree) int {
	n := 0
	for i := range t {
		n += weight(&t[i])
	}
	return n
}

// weight returns what a choice contributes to the size of its tree.
func weight(c *choices.Choice) int {
	switch {
	case c.Kind == choices.Text:
		return utf8.RuneCountInString(c.Tag)
	case c.IsSimplest():
		return 0
	case isInt(c) && between(c, c.N, c.Origin()) >= huge:
		return 2
	}
	return 1
}

func visible(c *choices.Choice) bool { return c.N != 0 || c.Kind == choices.Text && c.Tag != "" }

func compare(a, b choices.Tree, counts func(*choices.Choice) bool) int {
	i, j := next(a, 0, counts), next(b, 0, counts)
	for i < len(a) && j < len(b) {
		if c := compareChoice(&a[i], &b[j]); c != 0 {
			return c
		}
		i, j = next(a, i+1, counts), next(b, j+1, counts)
	}
	switch {
	case i < len(a):
		return 1
	case j < len(b):
		return -1
	}
	return 0
}

// next returns the first index from i on that counts.
func next(t choices.Tree, i int, counts func(*choices.Choice) bool) int {
	for i < len(t) && !counts(&t[i]) {
		i++
	}
	return i
}

func compareChoice(a, b *choices.Choice) int {
	if c := cmp.Compare(a.Kind, b.Kind); c != 0 {
		return c
	}
	switch a.Kind {
	case choices.Pick:
		return cmp.Compare(a.N, b.N)
	case choices.Text:
		return compareText(a.Tag, b.Tag)
	case choices.Int:
		return cmp.Or(cmp.Compare(magnitude(a.N), magnitude(b.N)), -cmp.Compare(a.N, b.N))
	}
	return cmp.Compare(uint64(a.N), uint64(b.N))
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

func compareText(a, b string) int {
	x, y := []rune(a), []rune(b)
	return cmp.Or(cmp.Compare(len(x), len(y)), slices.CompareFunc(x, y, compareRunes))
}

// allRunes has all runes, the plainest first.
var allRunes *choices.Alphabet

func compareRunes(a, b rune) int {
	i, _ := allRunes.Index(a)
	j, _ := allRunes.Index(b)
	return cmp.Compare(i, j)
}
