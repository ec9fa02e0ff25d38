package explore

import (
	"encoding/binary"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/choices"
)

const (
	maxRunes  = 64 // of a text that are compared with integers
	maxPlaces = 4  // where an operand stands in a text
)

// text adds candidates for the text s.
func (m *matcher) text(i int, s string) {
	add := func(to string, site uint64, score int) {
		if to != s && len(to) <= maxLength {
			m.add(i, choices.Mark{Kind: choices.Text, Tag: to}, site, score)
		}
	}
	b, bytes := toBytes(s) // the runes may be those of a []byte
	m.asText(s, func(to string, site uint64, score int) {
		if utf8.ValidString(to) {
			add(to, site, score)
		}
		if bytes && b == s {
			add(fromBytes(to), site, score-1)
		}
	})
	if bytes && b != s {
		m.asText(b, func(to string, site uint64, score int) { add(fromBytes(to), site, score) })
	}
	m.runes(s, add)
	m.words(s, add)
	m.decimals(s, add)

	resize := func(n int) (choices.Mark, bool) {
		to := resized(s, n)
		return choices.Mark{Kind: choices.Text, Tag: to}, len(to) <= maxLength
	}
	n := utf8.RuneCountInString(s)
	m.length(i, n, resize)
	if len(s) != n {
		m.length(i, len(s), resize)
	}
}

// asText matches s with texts.
func (m *matcher) asText(s string, add func(to string, site uint64, score int)) {
	low := lower(s)
	for k := range m.texts {
		o := &m.texts[k]
		replaceText(s, low, o, func(to string, matched, cost int) {
			add(to, o.site, min(8*matched, 64)+min(8*len(o.other), 64)-cost)
		})
	}
}

// replaceText yields what becomes of s, which is low in lower case, if the operand in
// it, or of which it is a part, becomes the other one.
func replaceText(s, low string, o *textOperand, yield func(to string, matched, cost int)) {
	const folded, part, whole = 4, 6, 12
	if s == "" || o.value == "" {
		if s == o.value {
			yield(o.other, 0, 0)
		}
		return
	}
	in, a, cost := s, o.value, 0
	if !strings.Contains(in, a) && !strings.Contains(a, in) {
		in, a, cost = low, o.lower, folded
	}
	switch b := o.other; {
	case in == a:
		yield(b, len(a), cost)
	case strings.Contains(in, a):
		from := 0
		for range maxPlaces {
			i := strings.Index(in[from:], a)
			if i < 0 {
				break
			}
			from += i + len(a)
			yield(s[:from-len(a)]+b+s[from:], len(a), cost+part)
		}
		yield(b, len(a), cost+whole)
	case strings.Contains(a, in):
		i := strings.Index(a, in)
		before, after := o.value[:i], o.value[i+len(s):]
		if len(before)+len(after) <= len(b) && strings.HasPrefix(b, before) && strings.HasSuffix(b, after) {
			yield(b[i:len(b)-len(after)], len(s), cost+part)
		}
		yield(b, len(s), cost+whole)
	}
}

// runes matches single runes of s with integers.
func (m *matcher) runes(s string, add func(to string, site uint64, score int)) {
	const cost = 2
	for i, r := range s {
		if i >= maxRunes {
			break
		}
		for _, size := range sizes {
			if uint64(r) > mask(size) {
				continue
			}
			for _, o := range m.find(size, uint64(r)) {
				if to := rune(o.other); o.other <= utf8.MaxRune && utf8.ValidRune(to) {
					_, n := utf8.DecodeRuneInString(s[i:])
					add(s[:i]+string(to)+s[i+n:], o.site, o.score-cost)
				}
			}
		}
	}
}

// words matches runs of runes of s that have the values of bytes with integers.
func (m *matcher) words(s string, add func(to string, site uint64, score int)) {
	const cost = 2
	b, ok := toBytes(s)
	if !ok {
		return
	}
	for _, size := range sizes[1:] {
		for i := 0; i+int(size) <= len(b) && i < maxRunes; i++ {
			var word [8]byte
			copy(word[:], b[i:i+int(size)])
			little := binary.LittleEndian.Uint64(word[:])
			for _, reverse := range [...]func(uint64, uint8) uint64{same, swapped} {
				for _, o := range m.find(size, reverse(little, size)) {
					binary.LittleEndian.PutUint64(word[:], reverse(o.other, size))
					add(fromBytes(b[:i]+string(word[:size])+b[i+int(size):]), o.site, o.score-cost)
				}
			}
		}
	}
}

// decimals matches numbers that are written in s with integers.
func (m *matcher) decimals(s string, add func(to string, site uint64, score int)) {
	const cost = 2
	for i, places := 0, 0; i < len(s) && places < maxPlaces; i++ {
		if !isDigit(s[i], 10) {
			continue
		}
		from, end := i, i
		for end < len(s) && isDigit(s[end], 10) {
			end++
		}
		i = end
		places++
		n, err := strconv.ParseUint(s[from:end], 10, 64)
		if err != nil {
			continue
		}
		if from > 0 && s[from-1] == '-' {
			from--
			n = -n
		}
		for _, size := range sizes {
			if n&mask(size) != n && signed(n, size) != n {
				continue
			}
			for _, o := range m.find(size, n&mask(size)) {
				to := signed(o.other, size)
				add(s[:from]+strconv.FormatInt(int64(to), 10)+s[end:], o.site, o.score-cost)
				if to != o.other {
					add(s[:from]+strconv.FormatUint(o.other, 10)+s[end:], o.site, o.score-cost)
				}
			}
		}
	}
}

// toBytes returns the bytes that have the values of the runes of s, if all are bytes.
func toBytes(s string) (string, bool) {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xFF {
			return "", false
		}
		b = append(b, byte(r))
	}
	return string(b), true
}

// fromBytes returns the runes that have the values of the bytes of s.
func fromBytes(s string) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		b = utf8.AppendRune(b, rune(s[i]))
	}
	return string(b)
}
