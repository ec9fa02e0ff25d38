package engine

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"unicode/utf8"
)

// encodings are encodings that a text may have in the input.
var encodings = [...]func([]byte) []byte{
	func(b []byte) []byte { return b },
	func(b []byte) []byte { return hex.AppendEncode(nil, b) },
	func(b []byte) []byte { return bytes.ToUpper(hex.AppendEncode(nil, b)) },
	func(b []byte) []byte { return base64.StdEncoding.AppendEncode(nil, b) },
	func(b []byte) []byte { return base64.RawURLEncoding.AppendEncode(nil, b) },
}

// texts makes patches that put with in the place of find, which was compared with it.
func (p *patcher) texts(find, with []byte) {
	p.score = min(8*len(find), scoreLongest) + min(8*len(with), scoreLongest) + p.bonus
	to := p.bytes(with...)
	found := false
	for k, encode := range encodings {
		if k == 0 || len(find) >= 3 {
			found = p.replace(encode(find), encode(to), maxPlaces, 0) || found
		}
	}
	p.each(kind.text, func(i int, f *Field) bool {
		if len(f.bytes) == 0 && len(find) == 0 {
			p.text(i, 0, 0, to, 0)
			return true
		}
		is := p.whole(i, f.bytes, find, to, found) || p.part(i, f.bytes, find, to)
		if p.bold {
			p.anywhere(i, find, to, is || found)
		}
		return is
	})
	p.written(find, with)
}

// whole puts a text in the place of field i, which has the operand as a part.
func (p *patcher) whole(i int, b, find, to []byte, found bool) (is bool) {
	if len(find) == 0 || len(b) < len(find) {
		return false
	}
	is = bytes.Contains(b, find)
	if !is && !found {
		is = p.folded(i, find, to)
	}
	if is && len(b) > len(find) {
		p.text(i, 0, len(b), to, scoreWhole)
	}
	return is
}

// part puts what is at the same place of the other operand in the place of field i, which is a part
// of an operand.
func (p *patcher) part(i int, b, find, to []byte) (is bool) {
	at := bytes.Index(find, b)
	if at < 0 || len(b) == 0 || len(b) >= len(find) {
		return false
	}
	before, after := find[:at], find[at+len(b):]
	fits := len(before)+len(after) <= len(to)
	if fits && bytes.HasPrefix(to, before) && bytes.HasSuffix(to, after) {
		p.text(i, 0, len(b), to[at:len(to)-len(after)], scorePart)
	}
	p.text(i, 0, len(b), to, scoreWhole)
	return true
}

// anywhere makes patches that put a text into another one, or write it over a part.
func (p *patcher) anywhere(i int, find, to []byte, found bool) {
	b := p.base[i].bytes
	if found {
		if at := bytes.Index(b, find); at >= 0 && min(len(to), len(b)-at) != len(find) {
			p.text(i, at, min(len(to), len(b)-at), to, scoreWhole)
		}
		return
	}
	p.text(i, 0, len(b), to, scoreBold)
	p.text(i, len(b), 0, to, scoreBold)
	p.text(i, 0, 0, to, scoreBold)
	at := p.r.n(len(b) + 1)
	p.text(i, at, 0, to, scoreBold)
	p.text(i, at, min(len(to), len(b)-at), to, scoreBold)
}

// folded replaces text that has another case in the input.
func (p *patcher) folded(i int, find, to []byte) (found bool) {
	b := p.base[i].bytes
	if len(b) > 1<<12 {
		return false
	}
	places := maxPlaces
	for at := 0; at+len(find) <= len(b) && places > 0; at++ {
		if b[at]|0x20 == find[0]|0x20 && bytes.EqualFold(b[at:at+len(find)], find) {
			p.text(i, at, len(find), to, scoreExact)
			found = true
			places--
		}
	}
	return found
}

// lengths makes patches that give a text or a sequence another length.
func (p *patcher) lengths(find, with uint64) {
	p.each(kind.long, func(i int, f *Field) bool {
		if !f.kind.text() {
			return f.num == find && p.counts(i, with)
		}
		n := uint64(len(f.bytes))
		if n < find || n > 4*find || n != find && uint64(utf8.RuneCount(f.bytes)) != find {
			return false
		}
		for _, s := range steps {
			if to := with + s.by; to != find && to <= find+maxLength {
				p.resized(i, f.bytes, int(find), int(to), scoreLength+s.cost)
			}
		}
		return true
	})
}

// counts makes patches of the number of elements of a sequence, field i.
func (p *patcher) counts(i int, with uint64) bool {
	for _, s := range steps {
		if with+s.by <= maxLength {
			p.number(i, scoreLength+s.cost, with+s.by)
		}
	}
	return true
}

// resized makes a patch of a text with as many bytes or runes as from, so that it has as many as
// to.
func (p *patcher) resized(i int, b []byte, from, to, score int) {
	switch {
	case to > from:
		p.add(Patch{Field: i, at: len(b), pad: to - from}, score)
	case len(b) == from:
		p.text(i, to, len(b)-to, nil, score)
	default:
		at := 0
		for range to {
			_, size := utf8.DecodeRune(b[at:])
			at += size
		}
		p.text(i, at, len(b)-at, nil, score)
	}
}

// words makes patches that give a word in a text another length.
func (p *patcher) words(find, with uint64) {
	if find == 0 || find > uint64(len(p.joined)) || with > find+maxLength || !p.scan() {
		return
	}
	left := 4
	for _, s := range p.spans {
		b := p.joined[s.from:s.to]
		for k := 0; k < len(b) && left > 0; k++ {
			begin := k
			for k < len(b) && wordy(b[k]) {
				k++
			}
			if k-begin != int(find) || k-begin == len(b) {
				continue
			}
			left--
			p.resizedWord(s.field, k, int(with)-int(find))
		}
	}
}

// resizedWord makes a patch that adds n bytes to a word that ends at a place, or cuts them.
func (p *patcher) resizedWord(field, end, n int) {
	if n > 0 {
		p.add(Patch{Field: field, at: end, pad: n}, scoreWhole)
	} else {
		p.text(field, end+n, -n, nil, scoreWhole)
	}
}
