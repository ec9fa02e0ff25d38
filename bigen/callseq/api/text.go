package api

import (
	"math/rand/v2"
	"unicode"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
)

// weave puts a part of a text in place of a part of another one. Either may be empty. What a parser
// accepts often has the words of other texts that it accepts, in another order.
func weave(m *mutate.Mutator, t choices.Tree, r *rand.Rand) (choices.Tree, bool) {
	at, found := anyText(t, r)
	if !found {
		return t, false
	}
	from := t // the tree that gives a part
	if len(m.Corpus) > 0 && r.IntN(2) == 0 {
		from = m.Corpus[r.IntN(len(m.Corpus))]
	}
	text, with := t[at].Tag, ""
	if other, found := anyText(from, r); found && r.IntN(4) > 0 {
		i, j := partOf(from[other].Tag, r)
		with = from[other].Tag[i:j]
	}
	i, j := partOf(text, r)
	if with != "" && r.IntN(2) == 0 {
		j = i
	}
	t = slices.Clone(t)
	t[at].Tag = text[:i] + with + text[j:]
	return t, true
}

// anyText returns where a text of a tree is, if it has one.
func anyText(t choices.Tree, r *rand.Rand) (at int, found bool) {
	return oneOf(0, len(t), r, func(i int) bool { return t[i].Kind == choices.Text })
}

// partOf returns where a part of a text begins and ends: as a rule some of its words, spaces and
// signs.
func partOf(s string, r *rand.Rand) (from, to int) {
	whole, last := r.IntN(4) > 0, -1
	var ends []int
	for i, c := range s {
		if kind := kindOf(c); kind != last || kind == sign || !whole {
			ends, last = append(ends, i), kind
		}
	}
	ends = append(ends, len(s))
	i := r.IntN(len(ends))
	return ends[i], ends[i+r.IntN(1+r.IntN(len(ends)-i))]
}

const (
	sign = iota
	space
	word
)

func kindOf(c rune) int {
	switch {
	case unicode.IsSpace(c):
		return space
	case unicode.IsLetter(c), unicode.IsDigit(c), c == '_':
		return word
	}
	return sign
}
