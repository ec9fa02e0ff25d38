package engine

import (
	"bytes"
	"slices"
)

// Texts that people write consist of pieces, such as lines or the items of a list. A mutant
// that gains or loses a whole piece is more often valid.

// separators are the bytes between pieces.
var separators = [...]byte{'\n', ';', ',', '|', ' '}

// separator returns one that is in a or b: half of the time the first of the list.
func separator(r *random, a, b []byte) (byte, bool) {
	first := r.oneIn(2)
	start := r.n(len(separators))
	for i := range separators {
		if !first {
			i = (start + i) % len(separators)
		}
		if c := separators[i]; bytes.IndexByte(a, c) >= 0 || bytes.IndexByte(b, c) >= 0 {
			return c, true
		}
	}
	return 0, false
}

// piece returns the bounds of the piece of b that i is in, and, once in a while, of some
// behind it, too.
func piece(r *random, b []byte, sep byte, i int) (from, to int) {
	from = bytes.LastIndexByte(b[:i], sep) + 1
	for to = i; ; to++ {
		n := bytes.IndexByte(b[to:], sep)
		if n < 0 {
			return from, len(b)
		}
		if to += n; !r.oneIn(4) {
			return from, to
		}
	}
}

// addPiece puts a piece of this text or of another one before, behind or in the place
// of a piece.
func (t *text) addPiece(r *random) bool {
	var other []byte
	switch r.n(3) {
	case 0:
		other = t.x.otherText()
	case 1:
		other = t.x.givenText()
	}
	if len(other) == 0 {
		other = t.b
	}
	if !t.ascii() || len(other) == 0 {
		return false
	}
	sep, ok := separator(r, t.b, other)
	if !ok {
		return false
	}
	i, j := piece(r, other, sep, r.n(len(other)))
	k, l := piece(r, t.b, sep, r.n(len(t.b)))
	buf := t.x.buf[:0]
	switch r.n(3) {
	case 0:
		buf = append(append(buf, other[i:j]...), sep)
		t.replace(k, 0, buf)
	case 1:
		buf = append(append(buf, sep), other[i:j]...)
		t.replace(l, 0, buf)
	default:
		buf = append(buf, other[i:j]...)
		t.replace(k, l-k, buf)
	}
	t.x.buf = buf
	return true
}

// dropPiece deletes a piece.
func (t *text) dropPiece(r *random) bool {
	if !t.ascii() {
		return false
	}
	sep, ok := separator(r, t.b, nil)
	if !ok {
		return false
	}
	i, j := piece(r, t.b, sep, r.n(len(t.b)))
	if j < len(t.b) {
		j++
	} else if i > 0 {
		i--
	}
	t.room += j - i
	t.b = slices.Delete(t.b, i, j)
	return true
}
