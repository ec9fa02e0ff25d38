package classes

import (
	"strings"
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
//   - that an integer of a field is the simplest, or on which side of it it is;
//   - that a text of a field is empty, or how many runes it has, of a kind, and of one.

// A spot is where a tree has a feature: the index of the choice and, of a text, what it has, which
// is empty, anyRune, a kind or a rune.
type spot struct {
	at int
	of rune
}

const (
	empty = -1 - iota
	anyRune
	upper
	digit
	foreign // beyond ASCII
)

// kindsOf returns the kinds of runes to which r belongs, the most general last.
func kindsOf(r rune) (kinds []rune) {
	if unicode.IsUpper(r) {
		kinds = append(kinds, upper)
	}
	if '0' <= r && r <= '9' {
		kinds = append(kinds, digit)
	}
	if r >= utf8.RuneSelf {
		kinds = append(kinds, foreign)
	}
	return kinds
}

// samples are two runes of each kind.
var samples = map[rune][]rune{upper: {'B', 'A'}, digit: {'1', '0'}, foreign: {'é', '世'}}

// features returns where a tree has each feature.
func (k *Known) features(t choices.Tree) map[uint64][]spot {
	has := map[uint64][]spot{}
	for i, around := range t.Walk() {
		k.eachFeature(t, i, around, func(f uint64, of rune) { has[f] = append(has[f], spot{i, of}) })
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
		needed := func(rune) bool { return true }
		if c.Kind == choices.Text && c.Tag != "" {
			needed = k.neededRunes(t, i, passes)
		}
		k.eachFeature(t, i, around, func(f uint64, of rune) {
			if needed(of) {
				needs[f]++
			}
		})
	}
	return needs
}

// neededRunes reports what a minimal failing value needs of its text at i: its length, if it can be
// shorter, and of each rune that cannot be a plain letter, the most general kind that will do, or
// the rune.
func (k *Known) neededRunes(
	t choices.Tree, i int, passes func(change func(*choices.Choice)) bool,
) func(rune) bool {
	text := t[i].Tag
	needed := map[rune]bool{}
	shorter := slices.Clone(t)
	shorter[i].Tag = shortened(text, utf8.RuneCountInString(text)-1)
	if _, made, err := values.Make(nil, k.Gen(), choices.Replay(shorter, nil)); err == nil &&
		i < len(made) && utf8.RuneCountInString(made[i].Tag) < utf8.RuneCountInString(text) {
		needed[anyRune] = true
	}
	for _, r := range text {
		with := func(s rune) func(*choices.Choice) {
			return func(c *choices.Choice) { c.Tag = strings.ReplaceAll(c.Tag, string(r), string(s)) }
		}
		if plain := plainFor(r); !passes(with(plain)) {
			continue
		}
		what := r
		for _, kind := range kindsOf(r) {
			if !slices.ContainsFunc(samples[kind], func(s rune) bool { return s != r && passes(with(s)) }) {
				what = kind
			}
		}
		needed[what] = true
	}
	return func(of rune) bool { return needed[of] }
}

// plainFor returns a plain letter that is not r.
func plainFor(r rune) rune {
	if r == 'b' {
		return 'c'
	}
	return 'b'
}

// shortened returns the first n runes of a text, or as many as there are.
func shortened(text string, n int) string {
	runes := []rune(text)
	return string(runes[:min(max(0, n), len(runes))])
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

// eachFeature calls f for each feature of the choice at i, which is in the others, and says what it
// is about in a text.
func (k *Known) eachFeature(t choices.Tree, i int, around []int, f func(_ uint64, of rune)) {
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
		f(h, 0)
		for ; last >= 0 && t[around[last]].Element; last-- {
		}
		if last >= 0 && k.recursive[c.Family] && !c.IsSimplest() && !t[around[last]].IsSimplest() {
			f(hash.Mix(h, hash.FNV64(t[around[last]].Tag)), 0)
		}
	case choices.Text:
		if c.Tag == "" {
			f(hash.Mix(h, hashOf(empty)), empty)
		}
		for _, r := range c.Tag {
			for _, of := range append(kindsOf(r), anyRune, r) {
				f(hash.Mix(h, hashOf(of)), of)
			}
		}
	default:
		if c.Kind < choices.Text {
			f(hash.Mix(h, hashOf(side(c))), 0)
		}
	}
}

func hashOf(r rune) uint64 { return uint64(uint32(r)) }

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
func side(c *choices.Choice) rune {
	switch {
	case c.N == c.Origin():
		return 0
	case c.Kind.Less(c.N, c.Origin()):
		return -1
	}
	return 1
}
