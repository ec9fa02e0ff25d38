package mutate

import (
	"math/bits"
	"math/rand/v2"
	"unicode/utf8"

	"github.com/espalier-go/espalier/choices"
)

// nudge changes one integer or text a little. One time in four it changes the length of a
// sequence by one element instead, if there is a sequence.
//
//   - An integer becomes one up to 16, or a power of two, away; or its negative, or its
//     mirror image within its range; or one at or next to an end of its range; or another
//     integer of the tree, or one next to it. These are AFL's arithmetic, bit flips and
//     interesting values, within the range that the generator allows.
//   - In a text, a rune is changed, inserted or deleted, as libFuzzer's ChangeByte,
//     InsertByte and EraseBytes do with bytes. A new rune comes from a text of the tree, is
//     a neighbor of the old one, or is printable ASCII.
func (m *Mutator) nudge(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	if r.IntN(4) == 0 {
		if edited, ok := m.nudgeLength(t, r); ok {
			return edited, true
		}
	}
	i := pickOne(t, r, isLeaf)
	if i < 0 {
		return m.nudgeLength(t, r)
	}
	t = m.clone(t)
	if c := &t[i]; isText(c) {
		c.Tag = nudgeText(c.Tag, t, r)
	} else {
		c.N = nudgeNumber(c, t, r)
	}
	return t, true
}

// nudgeNumber returns another integer of c's range, which has at least two.
func nudgeNumber(c *choices.Choice, t choices.Tree, r *rand.Rand) int64 {
	up, down := uint64(c.Hi)-uint64(c.N), uint64(c.N)-uint64(c.Lo)
	n := uint64(c.N)
	switch r.IntN(5) {
	case 0:
		n = step(c, 1+uint64(r.IntN(16)), r)
	case 1:
		n = step(c, 1<<r.IntN(bits.Len64(max(up, down))), r)
	case 2:
		if n = -n; c.Kind == choices.Uint || outside(c, int64(n)) {
			n = uint64(c.Lo) + up
		}
	case 3:
		n = [...]uint64{uint64(c.Lo), uint64(c.Lo) + 1, uint64(c.Hi) - 1, uint64(c.Hi)}[r.IntN(4)]
	case 4:
		if j := pickOne(t, r,
			func(d *choices.Choice) bool { return d.Kind == c.Kind && d != c && !outside(c, d.N) }); j >= 0 {
			n = uint64(t[j].N) + uint64(r.IntN(3)) - 1
		}
	}
	if int64(n) == c.N || outside(c, int64(n)) {
		n = step(c, 1, r)
	}
	return int64(n)
}

// outside reports whether n is not in the range of c.
func outside(c *choices.Choice, n int64) bool {
	return c.Kind.Less(n, c.Lo) || c.Kind.Less(c.Hi, n)
}

// step returns c's integer, moved by d or as far as the range allows. It brings back an
// integer that an earlier edit has left outside its range.
func step(c *choices.Choice, d uint64, r *rand.Rand) uint64 {
	if outside(c, c.N) {
		return uint64(c.Kind.Clamp(c.N, c.Lo, c.Hi))
	}
	up, down := uint64(c.Hi)-uint64(c.N), uint64(c.N)-uint64(c.Lo)
	if down == 0 || up > 0 && r.IntN(2) == 0 {
		return uint64(c.N) + min(d, up)
	}
	return uint64(c.N) - min(d, down)
}

// nudgeText returns a text that is not s.
func nudgeText(s string, t choices.Tree, r *rand.Rand) string {
	from, end := 0, 0 // of a rune of s
	if s != "" {
		from, end = runeAt(s, r)
		if r.IntN(3) == 0 {
			return s[:from] + s[end:]
		}
	}
	old, _ := utf8.DecodeRuneInString(s[from:end])
	put := ' ' + rune(r.IntN(95))
	switch r.IntN(3) {
	case 0:
		if other := t[pickOne(t, r, isText)].Tag; other != "" {
			at, _ := runeAt(other, r)
			put, _ = utf8.DecodeRuneInString(other[at:])
		}
	case 1:
		if next := old + rune(2*r.IntN(2)) - 1; end > from && utf8.ValidRune(next) {
			put = next
		}
	}
	switch {
	case from == end || r.IntN(2) == 0:
		if r.IntN(4) == 0 {
			from = len(s)
		}
		end = from // insert
	case put == old:
		put = (old + 1) % 0x80
	}
	return s[:from] + string(put) + s[end:]
}

// runeAt returns where some rune of s, which is not empty, begins and ends.
func runeAt(s string, r *rand.Rand) (from, end int) {
	from = r.IntN(len(s))
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	_, n := utf8.DecodeRuneInString(s[from:])
	return from, from + n
}

// equalize gives one integer or text the value of another. Random values rarely have equal
// keys, lengths that agree, or a name that is both declared and used. AFL and libFuzzer copy
// bytes within an input for the same reason (CopyPart).
func (m *Mutator) equalize(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	for range 4 {
		i := pickOne(t, r, isLeaf)
		if i < 0 {
			return t, false
		}
		c := &t[i]
		j := pickOne(t, r, func(d *choices.Choice) bool {
			return d.Kind == c.Kind && (d.N != c.N || d.Tag != c.Tag) && (isText(c) || !outside(c, d.N))
		})
		if j >= 0 {
			t = m.clone(t)
			t[i].N, t[i].Tag = t[j].N, t[j].Tag
			return t, true
		}
	}
	return t, false
}

// constant puts in a constant of the Dictionary: an integer replaces one whose range has
// it; a text replaces another one, or is inserted into it. AFL and libFuzzer use
// dictionaries this way. Eclipser and REDQUEEN take the constants from comparisons that the
// code under test makes.
func (m *Mutator) constant(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	if len(m.Dictionary) == 0 {
		return t, false
	}
	start := r.IntN(len(m.Dictionary))
	for k := range min(16, len(m.Dictionary)) {
		d := &m.Dictionary[(start+k)%len(m.Dictionary)]
		i := pickOne(t, r, func(c *choices.Choice) bool {
			if d.Kind != c.Kind || !isLeaf(c) {
				return false
			}
			return isText(c) && d.Tag != c.Tag || isNumber(c) && d.N != c.N && !outside(c, d.N)
		})
		if i < 0 {
			continue
		}
		t = m.clone(t)
		c := &t[i]
		switch {
		case !isText(c):
			c.N = d.N
		case c.Tag == "" || d.Tag == "" || r.IntN(2) == 0:
			c.Tag = d.Tag
		default:
			at, _ := runeAt(c.Tag, r)
			c.Tag = c.Tag[:at] + d.Tag + c.Tag[at:]
		}
		return t, true
	}
	return t, false
}
