package classes

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/hash"
)

// A feature is a hash of what may make a value fail:
//
//   - an alternative, and an alternative in another one, wherever these stand in a recursive value;
//   - how many elements there are;
//   - that an integer of a field is not the simplest, and whether it is greater or less, or that it
//     is;
//   - that a text of a field is empty or not, or has a capital letter, a rune beyond ASCII, or a
//     certain rune that is no letter or digit.

// features returns the choices that have each feature of a tree.
func (k *Known) features(t choices.Tree) map[uint64][]int {
	has := map[uint64][]int{}
	for i, around := range t.Walk() {
		k.eachFeature(t, i, around, func(f uint64) { has[f] = append(has[f], i) })
	}
	return has
}

// needs returns how often a minimal failing value needs each feature: those of choices that are not
// the simplest, or with another answer to which the value does not fail. If it does fail with that
// answer to all choices that have the same one, only their equality matters, which is no feature.
func (k *Known) needs(t choices.Tree) map[uint64]int {
	needs, left := map[uint64]int{}, maxProbes
	for i, around := range t.Walk() {
		c := &t[i]
		if c.Kind > choices.Text || !c.Asked() {
			continue
		}
		passesWith := func(change func(*choices.Choice), at []int) bool {
			if left--; left < 0 {
				return false
			}
			edited := slices.Clone(t)
			for _, i := range at {
				change(&edited[i])
			}
			run := k.run(edited)
			return run != nil && !run.Invalid && !run.Failed
		}
		twins := twinsOf(t, i)
		passes := func(change func(*choices.Choice)) bool {
			return passesWith(change, []int{i}) && (len(twins) == 1 || passesWith(change, twins))
		}
		if c.IsSimplest() && !slices.ContainsFunc(values.OtherAnswers(c), passes) {
			continue
		}
		most := len(t)
		if mirror := 2*c.Origin() - c.N; c.Kind == choices.Int && mirror != c.N &&
			c.Kind.Clamp(mirror, c.Lo, c.Hi) == mirror &&
			!passes(func(c *choices.Choice) { c.N = mirror }) {
			most = 1 // the side does not matter
		}
		k.eachFeature(t, i, around, func(f uint64) {
			if most--; most >= 0 {
				needs[f]++
			}
		})
	}
	return needs
}

// twinsOf returns the choices that ask the same as that at i, and have the same answer.
func twinsOf(t choices.Tree, i int) (twins []int) {
	c := &t[i]
	for j := range t {
		d := &t[j]
		if d.Kind == c.Kind && d.Family == c.Family && d.Element == c.Element && d.N == c.N &&
			d.Tag == c.Tag && d.Lo == c.Lo && d.Hi == c.Hi && d.Asked() && (!c.Element || j == i) {
			twins = append(twins, j)
		}
	}
	return twins
}

// eachFeature calls f for each feature of the choice at i, which is in the others. That of an
// integer's side comes last.
func (k *Known) eachFeature(t choices.Tree, i int, around []int, f func(uint64)) {
	c := &t[i]
	h := uint64(c.Kind)
	last := len(around) - 1
	if c.Kind != choices.Pick || !k.recursive[c.Family] {
		h = hash.Mix(h, uint64(c.Slot))
		if last >= 0 && t[around[last]].Element && !k.nested[sequenceOf(&t[around[last]])] {
			h = hash.Mix(h, uint64(t[around[last]].Slot)) // the sequence's field
		}
	}
	// how long a sequence is, or which element of an array
	if c.Element || c.Index > 0 && (last < 0 || !t[around[last]].Element) {
		h = hash.Mix(h, uint64(c.Index))
	}
	switch c.Kind {
	case choices.Pick:
		h = hash.Mix(hash.Mix(h, hash.FNV64(c.Tag)), uint64(c.Family))
		f(h)
		for ; last >= 0 && t[around[last]].Element; last-- {
		}
		if last >= 0 && k.recursive[c.Family] && !c.IsSimplest() && !t[around[last]].IsSimplest() {
			f(hash.Mix(h, hash.FNV64(t[around[last]].Tag)))
		}
	case choices.Text:
		for _, what := range runesOf(c.Tag) {
			f(hash.Mix(h, uint64(what)))
		}
	default:
		if c.Kind < choices.Text {
			at := side(c)
			f(hash.Mix(h, uint64(at*at)))
			if at != 0 {
				f(hash.Mix(h, uint64(at+3)))
			}
		}
	}
}

// note learns which picks and sequences occur below themselves.
func (k *Known) note(t choices.Tree) {
	for i, around := range t.Walk() {
		c := &t[i]
		switch {
		case c.Element:
			if slices.ContainsFunc(around, func(j int) bool {
				return t[j].Element && sequenceOf(&t[j]) == sequenceOf(c)
			}) {
				k.nested[sequenceOf(c)] = true
			}
		case c.Kind == choices.Pick:
			if slices.ContainsFunc(around, func(j int) bool { return t[j].Family == c.Family }) {
				k.recursive[c.Family] = true
			}
		}
	}
}

// sequenceOf returns what is the same of all elements of a field.
func sequenceOf(c *choices.Choice) [2]uint64 { return [2]uint64{uint64(c.Family), uint64(c.Slot)} }

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

// runesOf returns what a text has, in the order in which it comes: -1 for an empty text, 0 for
// another one, and runes.
func runesOf(text string) []rune {
	if text == "" {
		return []rune{-1}
	}
	all := []rune{0}
	add := func(r rune) {
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	for _, r := range text {
		if unicode.IsUpper(r) {
			add('A')
		}
		switch {
		case r >= utf8.RuneSelf:
			add(utf8.RuneSelf)
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			add(r)
		}
	}
	return all
}
