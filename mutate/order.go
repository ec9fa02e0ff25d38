package mutate

import (
	"cmp"
	"unicode/utf8"

	"github.com/espalier-go/espalier/choices"
)

// Compare orders trees by simplicity, the simpler first: -1, 0 or 1. The order is
// shortlex on the choices that matter: those other than picks of the first
// alternative, zeros and empty texts.
//
//  1. The tree with fewer choices that matter comes first.
//  2. Else the first of them that differs decides. A Pick comes before an integer,
//     an integer before a text; of two picks, the one of the earlier alternative;
//     of two integers, the one nearer to 0, or the positive of two as near; of two
//     texts, the one with fewer runes, or the one whose first rune that differs is
//     plainer ([choices.CompareRunes]).
//  3. Else the same is asked of all choices.
func Compare(a, b choices.Tree) int {
	return cmp.Or(compare(a, b, matters), compare(a, b, func(*choices.Choice) bool { return true }))
}

func matters(c *choices.Choice) bool { return c.N != 0 || c.Kind == choices.Text && c.Tag != "" }

func compare(a, b choices.Tree, counts func(*choices.Choice) bool) int {
	first, i, j := 0, next(a, 0, counts), next(b, 0, counts)
	for i < len(a) && j < len(b) {
		if first == 0 {
			first = compareChoice(&a[i], &b[j])
		}
		i, j = next(a, i+1, counts), next(b, j+1, counts)
	}
	switch {
	case i < len(a):
		return 1
	case j < len(b):
		return -1
	}
	return first
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
	if c := cmp.Compare(utf8.RuneCountInString(a), utf8.RuneCountInString(b)); c != 0 {
		return c
	}
	for a != "" {
		x, n := utf8.DecodeRuneInString(a)
		y, m := utf8.DecodeRuneInString(b)
		if c := choices.CompareRunes(x, y); c != 0 {
			return c
		}
		a, b = a[n:], b[m:]
	}
	return 0
}
