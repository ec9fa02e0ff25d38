package engine

import (
	"encoding/binary"
	"slices"
	"strconv"
)

// A text is what the operators on bytes work on.
type text struct {
	b    []byte
	room int // bytes by which it may grow
	x    *Prober
}

// A textOperator changes a text, or reports false if there is nothing to change.
type textOperator struct {
	name  string
	apply func(*text, *random) bool
}

var textOperators = [...]textOperator{
	{"erase", (*text).erase},
	{"insert", (*text).insert},
	{"copy", (*text).copy},
	{"arithmetic", (*text).arithmetic},
	{"interesting", (*text).interesting},
	{"decimal", (*text).decimal},
	{"byte", (*text).byte},
	{"crossover", (*text).crossover},
	{"dictionary", (*text).dictionary},
	{"literal", (*text).literal},
}

// literalOperator is the index of the last one.
const literalOperator = len(textOperators) - 1

// replace replaces n bytes at i by others, as far as there is room.
func (t *text) replace(i, n int, with []byte) {
	with = with[:min(len(with), n+t.room)]
	t.room -= len(with) - n
	t.b = slices.Replace(t.b, i, i+n, with...)
}

// part returns the bounds of a part that is not empty; b is not.
func (t *text) part(r *random) (i, j int) {
	i = r.n(len(t.b))
	return i, i + r.length(len(t.b)-i)
}

func (t *text) erase(r *random) bool {
	if len(t.b) == 0 {
		return false
	}
	i, j := t.part(r)
	t.replace(i, j-i, nil)
	return true
}

func (t *text) insert(r *random) bool {
	n := min(r.length(256), t.room)
	if n <= 0 {
		return false
	}
	buf := t.x.buf[:0]
	same, alike := r.oneIn(2), t.ascii() && !r.oneIn(4)
	for i := range n {
		c := byte(r.bits())
		if alike {
			c = ' ' + c%95
		}
		if same && i > 0 {
			c = buf[0]
		}
		buf = append(buf, c)
	}
	t.x.buf = buf
	t.replace(r.n(len(t.b)+1), 0, buf)
	return true
}

// copy inserts a part somewhere else.
func (t *text) copy(r *random) bool {
	if len(t.b) == 0 || t.room <= 0 {
		return false
	}
	i, j := t.part(r)
	t.x.buf = append(t.x.buf[:0], t.b[i:j]...)
	t.replace(r.n(len(t.b)+1), 0, t.x.buf)
	return true
}

// byte sets a byte to any other one.
func (t *text) byte(r *random) bool {
	if len(t.b) == 0 {
		return false
	}
	t.b[r.n(len(t.b))] ^= byte(1 + r.n(255))
	return true
}

// number changes a number of 1, 2, 4 or 8 bytes, in any order, that may be somewhere in the text.
func (t *text) number(r *random, change func(u uint64, width int) uint64) bool {
	width := 1 << r.n(4)
	if len(t.b) < width {
		return false
	}
	at, order := t.b[r.n(len(t.b)-width+1):][:width], byteOrder(r.oneIn(2))
	order.put(at, change(order.get(at), 8*width))
	return true
}

func (t *text) arithmetic(r *random) bool {
	return t.number(r, func(u uint64, _ int) uint64 { return nearby(u, r) })
}

func (t *text) interesting(r *random) bool {
	return t.number(r, func(_ uint64, width int) uint64 { return extreme(width, r) })
}

// byteOrder is true for big-endian.
type byteOrder bool

func (o byteOrder) get(at []byte) uint64 {
	var buf [8]byte
	if o {
		copy(buf[8-len(at):], at)
		return binary.BigEndian.Uint64(buf[:])
	}
	copy(buf[:], at)
	return binary.LittleEndian.Uint64(buf[:])
}

func (o byteOrder) put(at []byte, u uint64) {
	var buf [8]byte
	if o {
		binary.BigEndian.PutUint64(buf[:], u)
		copy(at, buf[8-len(at):])
		return
	}
	binary.LittleEndian.PutUint64(buf[:], u)
	copy(at, buf[:])
}

// decimal changes a number that is written in digits.
func (t *text) decimal(r *random) bool {
	i, j, ok := t.find(r, digit)
	if !ok {
		return false
	}
	u, err := strconv.ParseUint(string(t.b[i:j]), 10, 64)
	if err != nil {
		u = extreme(64, r)
	} else if r.oneIn(2) {
		u = extreme(8<<r.n(4), r)
	} else {
		u = nearby(u, r)
	}
	t.x.buf = decimal(t.x.buf[:0], u, i == 0 || t.b[i-1] != '-')
	t.replace(i, j-i, t.x.buf)
	return true
}

// decimal appends u in digits; as a signed number, if it is a small negative one
// and a sign may be written.
func decimal(dst []byte, u uint64, sign bool) []byte {
	if sign && u > 1<<63 {
		return strconv.AppendInt(dst, int64(u), 10)
	}
	return strconv.AppendUint(dst, u, 10)
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// wordy reports whether c belongs to a word. Bytes beyond ASCII do.
func wordy(c byte) bool {
	return digit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80
}

// find returns a run of bytes of a kind: the first after a random position, or else the
// first of all.
func (t *text) find(r *random, is func(byte) bool) (i, j int, ok bool) {
	start := r.n(len(t.b))
	for start > 0 && is(t.b[start-1]) && is(t.b[start]) {
		start--
	}
	i = slices.IndexFunc(t.b[start:], is)
	if i >= 0 {
		i += start
	} else if i = slices.IndexFunc(t.b[:start], is); i < 0 {
		return 0, 0, false
	}
	for j = i; j < len(t.b) && is(t.b[j]); {
		j++
	}
	return i, j, true
}

// crossover inserts a part of another entry, or writes it over a part.
func (t *text) crossover(r *random) bool {
	other := t.x.otherText()
	if len(other) == 0 {
		return false
	}
	i := r.n(len(other))
	part := other[i : i+r.length(len(other)-i)]
	at := r.n(len(t.b) + 1)
	n := 0
	if r.oneIn(2) {
		n = min(len(part), len(t.b)-at)
	}
	t.replace(at, n, part)
	return true
}

// literal puts a text that has been given in the place of all, over a word, between words or anywhere.
func (t *text) literal(r *random) bool {
	given := t.x.comparer.given.Texts
	if len(given) == 0 {
		return false
	}
	token := append(t.x.buf[:0], given[r.n(len(given))]...)
	t.x.buf = token
	at, n := r.n(len(t.b)+1), 0
	switch r.n(5) {
	case 0:
		at, n = 0, len(t.b)
	case 1:
		n = min(len(token), len(t.b)-at)
	case 2, 3:
		return t.word(r, token)
	}
	t.replace(at, n, token)
	return true
}

// dictionary replaces a word by a token, or inserts one between words.
func (t *text) dictionary(r *random) bool {
	token, ok := t.x.token()
	return ok && t.word(r, token)
}

// word replaces a word by a token in t.x.buf, or inserts it between words.
func (t *text) word(r *random, token []byte) bool {
	i, j, ok := t.find(r, wordy)
	if !ok {
		return false
	}
	if r.oneIn(2) {
		t.replace(i, j-i, token)
		return true
	}
	// Between words, write what already stands between words.
	space := byte(' ')
	if k, _, ok := t.find(r, func(c byte) bool { return !wordy(c) }); ok {
		space = t.b[k]
	}
	if r.oneIn(2) {
		token = append(token, space)
		t.replace(i, 0, token)
	} else {
		token = append(token, 0)
		copy(token[1:], token)
		token[0] = space
		t.replace(j, 0, token)
	}
	t.x.buf = token
	return true
}

// ascii reports whether the beginning of the text is readable ASCII.
func (t *text) ascii() bool {
	for _, c := range t.b[:min(len(t.b), 32)] {
		if c >= 0x7f || c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return len(t.b) > 0
}
