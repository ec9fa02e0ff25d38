package classes

import (
	"maps"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/hash"
)

// A Need is a choice that a minimal failing value needs in order to fail: one that is not the
// simplest answer, or in whose place another answer passes.
type Need struct {
	Field uint64       // that asks, and of a pick the tag
	Kind  choices.Kind //
	N     int64        // of an integer
	// -1, 1: integers on this side of the simplest will do, as far from it as N at least; 0: only N;
	// anySide
	Side int
	Text []runes // of a text that has these, in this order
	Of   int     // index of the choice

	Element bool // it is asked whether there is another element
}

// anySide says that any integer will do.
const anySide = 2

// runes are a rune, or runes of a kind.
type runes struct {
	Rune rune
	Kind string // of those that will do: the first of its runes, or "" for Rune alone
}

// A kind is a kind of runes that tend to fail for the same reason.
type kind struct {
	of string // samples
	in func(rune) bool
}

// kinds are all runes, capital letters, those that are not ASCII, and letters and digits.
var kinds = []kind{
	{"b0 !é世", func(rune) bool { return true }},
	{"AZÀΣ", unicode.IsUpper},
	{"é世𝄞\uFFFD", func(r rune) bool { return r >= utf8.RuneSelf }},
	{"bZ0", func(r rune) bool {
		return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
	}},
}

// needsOf returns what a failing value needs. passes says whether its value passes with another
// answer to a choice.
func (k *Known) needsOf(
	t choices.Tree, passes func(i int, change func(*choices.Choice)) bool,
) (needs []Need) {
	for i, around := range t.Walk() {
		c := &t[i]
		if c.Kind > choices.Text || !c.Asked() {
			continue
		}
		with := func(change func(*choices.Choice)) bool { return passes(i, change) }
		if c.IsSimplest() && !slices.ContainsFunc(values.OtherAnswers(c), with) {
			continue
		}
		n := Need{Kind: c.Kind, N: c.N, Of: i, Element: c.Element}
		n.Field = k.field(t, i, around)
		switch {
		case c.Kind == choices.Text:
			n.Text = textFor(c.Tag, with)
		case c.Kind != choices.Pick && !c.IsSimplest():
			n.Side = sideFor(c, with)
		}
		needs = append(needs, n)
	}
	return needs
}

// textFor returns the runes that a value needs of a text. passes says whether it passes with
// another one.
func textFor(text string, passes func(change func(*choices.Choice)) bool) (needed []runes) {
	for _, r := range text {
		needed = append(needed, runesFor(r, func(s rune) bool {
			return !passes(func(c *choices.Choice) {
				c.Tag = strings.ReplaceAll(c.Tag, string(r), string(s))
			})
		}))
	}
	return needed
}

// sideFor returns the side of the simplest integer on which most other integers will do, or 0.
// passes says whether a value passes with another one.
func sideFor(c *choices.Choice, passes func(change func(*choices.Choice)) bool) int {
	failed, tried := 0, 0
	for _, other := range farther(c) {
		tried++
		if !passes(func(c *choices.Choice) { c.N = other }) {
			failed++
		}
	}
	if 2*failed >= tried {
		return side(c)
	}
	return 0
}

// farther returns integers that are farther from the simplest one than the answer of a choice: odd
// ones and even ones.
func farther(c *choices.Choice) (all []int64) {
	step, end := int64(1), c.Hi
	if side(c) < 0 {
		step, end = -1, c.Lo
	}
	twice := 2*c.N - c.Origin()
	for _, n := range []int64{c.N + step, c.N + 2*step, twice, twice + step, end - step, end} {
		if c.Kind.Less(c.N, n) == (step > 0) && n != c.N && c.Kind.Clamp(n, c.Lo, c.Hi) == n {
			all = append(all, n)
		}
	}
	return all
}

// side returns on which side of the simplest integer the answer of a choice is.
func side(c *choices.Choice) int {
	switch {
	case c.N == c.Origin():
		return 0
	case c.Kind.Less(c.N, c.Origin()):
		return -1
	}
	return 1
}

// runesFor returns the largest kind of runes that all fail in place of r.
func runesFor(r rune, fails func(rune) bool) runes {
	for _, kind := range kinds {
		if kind.in(r) && !strings.ContainsFunc(kind.of, func(s rune) bool { return !fails(s) }) {
			return runes{r, kind.of}
		}
	}
	return runes{Rune: r}
}

func (s runes) has(r rune) bool {
	for _, kind := range kinds {
		if kind.of == s.Kind {
			return kind.in(r)
		}
	}
	return s.Rune == r
}

// meets reports whether a choice is what is needed.
func (n *Need) meets(c *choices.Choice, field uint64) bool {
	switch {
	case n.Field != field || n.Kind != c.Kind:
		return false
	case n.Kind == choices.Pick:
		return true
	case n.Kind == choices.Text:
		return c.Tag == "" && n.Text == nil || n.Text != nil && len(n.without(c.Tag)) < len(c.Tag)
	case n.Side == anySide:
		return true
	case n.Side == 0:
		return n.N == c.N
	}
	return n.Side == side(c) && (c.N == n.N || c.Kind.Less(n.N, c.N) == (n.Side > 0))
}

// without returns a text without the runes that are needed, if it has all of them in their order.
func (n *Need) without(text string) string {
	var left strings.Builder
	i := 0
	for _, r := range text {
		if i < len(n.Text) && n.Text[i].has(r) {
			i++
		} else {
			left.WriteRune(r)
		}
	}
	if i < len(n.Text) {
		return text
	}
	return left.String()
}

// met returns, for each need, the choices of a value that meet it, or nil if not all are met. No
// choice meets two of them.
func (k *Known) met(needs []Need, t choices.Tree) [][]int {
	found := make([][]int, len(needs))
	left := len(needs)
	for i, around := range t.Walk() {
		field := k.field(t, i, around)
		best := -1
		for j := range needs {
			if needs[j].meets(&t[i], field) && (best < 0 || len(found[j]) < len(found[best])) {
				best = j
			}
		}
		if best >= 0 {
			if found[best] = append(found[best], i); len(found[best]) == 1 {
				left--
			}
		}
	}
	if left > 0 {
		return nil
	}
	return found
}

// broken returns a copy of a tree in which one thing is not any more as a known failure needs it.
// Replay it with a random source.
func broken(needs []Need, met [][]int, t choices.Tree, r *rand.Rand) choices.Tree {
	edited := slices.Clone(t)
	if len(needs) == 0 { // all values fail
		return edited
	}
	j := r.IntN(len(needs))
	for _, i := range met[j] {
		switch c := &edited[i]; {
		case c.Kind == choices.Pick || c.IsSimplest():
			c.Reroll = true
		case c.Kind == choices.Text:
			c.Tag = needs[j].without(c.Tag)
		default:
			c.N = c.Origin()
		}
	}
	return edited
}

// intricate reports whether a value needs many things besides elements.
func intricate(needs []Need) bool {
	n := 0
	for i := range needs {
		if !needs[i].Element {
			n++
		}
	}
	return n > maxNeeds
}

// relate reports whether two values need several integers or texts, which are in the same fields,
// on the same sides and of the same kinds of runes: how these relate makes the values fail, not how
// much and how many they are.
func relate(a, b []Need) bool {
	x, y := features(a), features(b)
	return x != nil && maps.Equal(x, y)
}

// A feature is what a value needs besides elements, but for how much of it.
type feature struct {
	field uint64
	side  int
	kinds string // of runes
}

// features returns what a value needs, or nil if that is less than two integers or runes.
func features(needs []Need) map[feature]bool {
	all, parts := map[feature]bool{}, 0
	for i := range needs {
		n := &needs[i]
		f := feature{field: n.Field}
		switch {
		case n.Element:
			continue
		case n.Kind == choices.Text:
			parts += max(1, len(n.Text))
			for _, kind := range kinds[1:] {
				if slices.ContainsFunc(n.Text, func(r runes) bool { return kind.in(r.Rune) }) {
					f.kinds += kind.of
				}
			}
		case n.Kind != choices.Pick:
			parts++
			f.side = n.Side
		}
		all[f] = true
	}
	if parts < 2 {
		return nil
	}
	return all
}

// textOf returns the text that is needed, if it is the only one, no other will do, and no integer
// is needed. Wherever it stands, it makes values fail for the same reason.
func textOf(needs []Need) (text string) {
	for _, n := range needs {
		switch {
		case n.Kind == choices.Text && text == "":
			for _, r := range n.Text {
				if r.Kind != "" {
					return ""
				}
				text += string(r.Rune)
			}
		case n.Kind != choices.Pick:
			return ""
		}
	}
	return text
}

// field returns a hash of where a choice is asked and, of a pick, of its tag. Where in a value a
// part stands that may contain itself does not matter.
func (k *Known) field(t choices.Tree, i int, around []int) uint64 {
	c, last := &t[i], len(around)-1
	h := uint64(c.Kind)
	if c.Kind == choices.Pick {
		h = hash.Mix(hash.FNV64(c.Tag), uint64(c.Family))
	}
	if c.Kind != choices.Pick || !k.recursive[c.Family] {
		h = hash.Mix(h, uint64(c.Slot))
	}
	// how long a sequence is, or which element of an array
	if c.Element || c.Index > 0 && (last < 0 || !t[around[last]].Element) {
		h = hash.Mix(h, uint64(c.Index))
	}
	return h
}

// note learns which picks occur below themselves.
func (k *Known) note(t choices.Tree) {
	for i, around := range t.Walk() {
		if c := &t[i]; c.Kind == choices.Pick && !c.Element &&
			slices.ContainsFunc(around, func(j int) bool { return t[j].Family == c.Family }) {
			k.recursive[c.Family] = true
		}
	}
}
