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
//   - an alternative, and an alternative in another one, wherever they stand;
//   - how many elements a sequence has;
//   - on which side of the simplest an integer of a field is, if it is not the simplest;
//   - that a text of a field is empty, or how many runes it has, and how many of a kind.

// features returns how often a tree has each feature.
func (k *Known) features(t choices.Tree) map[uint64]int {
	has := map[uint64]int{}
	for i, around := range t.Walk() {
		k.eachFeature(t, i, around, func(f uint64, _ rune) { has[f]++ })
	}
	return has
}

// eachFeature calls f for each feature of the choice at i, which is in the others, and for the kind
// of the rune of a text that it is about, or 0.
func (k *Known) eachFeature(
	t choices.Tree, i int, around []int, f func(feature uint64, kind rune),
) {
	c := &t[i]
	h := uint64(c.Kind)
	if c.Kind != choices.Pick || c.Element {
		h = hash.Mix(h, uint64(c.Slot))
	}
	last := len(around) - 1
	inside := last >= 0 && t[around[last]].Element
	if inside && c.Kind != choices.Pick && !k.nested[t[around[last]].Slot] { // the sequence's field
		h = hash.Mix(h, uint64(t[around[last]].Slot))
	}
	if c.Element || c.Index > 0 && !inside { // how many elements, or which one of an array
		h = hash.Mix(h, uint64(c.Index))
	}
	switch c.Kind {
	case choices.Pick:
		h = hash.Mix(hash.Mix(h, hash.FNV64(c.Tag)), uint64(c.Family))
		f(h, 0)
		for ; last >= 0 && t[around[last]].Element; last-- {
		}
		if last >= 0 && !c.IsSimplest() && !t[around[last]].IsSimplest() {
			f(hash.Mix(h, hash.FNV64(t[around[last]].Tag)), 0)
		}
	case choices.Text:
		if c.Tag == "" {
			f(hash.Mix(h, 1), 0)
		}
		for _, r := range c.Tag {
			f(hash.Mix(h, 2), 0)
			f(hash.Mix(hash.Mix(h, 3), uint64(kindOf(r))), kindOf(r))
		}
	default:
		if c.Kind.Less(c.Origin(), c.N) {
			f(hash.Mix(h, 1), 0)
		} else if c.N != c.Origin() {
			f(hash.Mix(h, 2), 0)
		}
	}
}

// note learns which sequences are in elements of their own.
func (k *Known) note(t choices.Tree) {
	if k.nested == nil {
		k.nested = map[uint32]bool{}
	}
	for i, around := range t.Walk() {
		if slot := t[i].Slot; t[i].Element && slices.ContainsFunc(around, func(j int) bool {
			return t[j].Element && t[j].Slot == slot
		}) {
			k.nested[slot] = true
		}
	}
}

// kindOf returns a rune that stands for all of its kind: upper case, digits, what is beyond ASCII.
// All others are of a kind of their own.
func kindOf(r rune) rune {
	switch {
	case r >= utf8.RuneSelf:
		return utf8.MaxRune
	case unicode.IsUpper(r):
		return 'A'
	case unicode.IsDigit(r):
		return '0'
	}
	return r
}

// needs returns how often a minimal failing value needs each feature: those of choices that are not
// the simplest, or with another answer to which the value does not fail. That a number is zero, or
// that a sequence ends after some elements, does not count: mostly, another number must be as large.
// Plain letters do not count, either: where any rune will do, a minimal text has them.
func (k *Known) needs(t choices.Tree) map[uint64]int {
	needs, left := map[uint64]int{}, maxProbes
	for i, around := range t.Walk() {
		c := &t[i]
		counts := c.Kind == choices.Int || c.Kind == choices.Uint || c.Element && c.Index > 0
		if !c.Asked() || counts && c.IsSimplest() {
			continue
		}
		passes := func(change func(*choices.Choice)) bool {
			if left--; left < 0 {
				return false
			}
			edited := slices.Clone(t)
			change(&edited[i])
			run := k.run(edited)
			return run != nil && !run.Invalid && !run.Failed
		}
		if c.IsSimplest() && !slices.ContainsFunc(values.OtherAnswers(c), passes) {
			continue
		}
		k.eachFeature(t, i, around, func(f uint64, kind rune) {
			if kind != 'a' && kind != 'b' {
				needs[f]++
			}
		})
	}
	return needs
}
