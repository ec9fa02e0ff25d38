package engine

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf8"
)

const (
	maxPatches     = 1 << 10 // of one input
	maxPlaces      = 24      // where one operand is looked for
	maxComparisons = 512     // that patches of one input are made from
	maxLength      = 1 << 12 // elements of a sequence; bytes that a patch may add to a text
	maxScan        = 1 << 22 // bytes that are searched for one input
)

// Penalties and bonuses of scores.
const (
	scoreExact    = 2 // up to here, operands become equal
	scoreStep     = 3 // they differ by one
	scorePart     = 6
	scoreLength   = 8
	scoreWhole    = 12
	scoreBold     = 24
	scoreConstant = 8  // code asks for constants
	scoreLongest  = 64 // of a text
)

// steps lead to the results of a comparison: equal, less, and more.
var steps = [...]struct {
	by   uint64
	cost int
}{{0, 0}, {^uint64(0), scoreStep}, {1, scoreStep}}

// A patcher makes the patches of an input.
type patcher struct {
	*Comparer
	base    input
	joined  []byte // all texts
	spans   []span // of these
	found   []Patch
	compact []byte // what they refer to
	scanned int    // bytes

	site  uint64 // of the comparison at hand
	bonus int
	score int // of its operands
}

// A span is where a field's text is among all texts.
type span struct{ field, from, to int }

func (p *patcher) start(in input, c *Comparer) {
	*p = patcher{Comparer: c, base: in, spans: p.spans[:0]}
	joined := c.memory[:0]
	for i := range in {
		if f := &in[i]; f.kind.text() {
			p.spans = append(p.spans, span{i, len(joined), len(joined) + len(f.bytes)})
			joined = append(joined, f.bytes...)
		}
	}
	c.memory, p.joined = joined, joined
}

// begin begins with a comparison. It reports false if there are enough patches.
func (p *patcher) begin(site uint64, bonus int) bool {
	p.site, p.bonus = site, bonus
	return !p.full()
}

// done returns the patches, the likeliest first.
func (p *patcher) done(exact bool) []Patch {
	if exact {
		p.found = slices.DeleteFunc(p.found, func(p Patch) bool { return !p.exact })
	}
	slices.SortStableFunc(p.found, func(a, b Patch) int { return cmp.Compare(b.score, a.score) })
	return p.found
}

func (p *patcher) full() bool { return len(p.found) >= maxPatches }

func (p *patcher) add(q Patch, cost int) {
	if !p.full() {
		q.Site, q.score, q.exact = p.site, p.score-cost, cost <= scoreExact
		p.found = append(p.found, q)
	}
}

func (p *patcher) text(field, at, cut int, with []byte, cost int) {
	p.add(Patch{Field: field, at: at, cut: cut, with: with}, cost)
}

// number makes patches that set a field to some numbers, each once.
func (p *patcher) number(field, cost int, to ...uint64) {
	f := &p.base[field]
	last := f.num
	for _, u := range to {
		if u = extend(u, f.kind.width(), f.kind.signed()); u != f.num && u != last {
			p.add(Patch{Field: field, num: u}, cost)
		}
		last = u
	}
}

func (p *patcher) bytes(b ...byte) []byte {
	n := len(p.compact)
	p.compact = append(p.compact, b...)
	return p.compact[n:len(p.compact):len(p.compact)]
}

// numbers makes patches that put with in the place of find, which was compared with it.
func (p *patcher) numbers(find, with uint64, size int) {
	p.score = significance(find, size) + significance(with, size) + p.bonus
	p.binary(find, with, size, maxPlaces, 0)
	p.binary(find, with+1, size, 4, scoreStep)
	p.binary(find, with-1, size, 4, scoreStep)
	if p.bold {
		p.binary(find+1, with+1, size, 2, scoreStep)
		p.binary(find-1, with-1, size, 2, scoreStep)
	}
	p.character(find, with)
	p.digits(find, with, size)
	p.lengths(find, with)
	p.words(find, with)
	p.integers(find, with, size)
}

// significance returns how many bits the magnitude of an integer has.
func significance(n uint64, size int) int {
	n = extend(n, 8*size, true)
	return min(bits.Len64(n), bits.Len64(-n))
}

// disguises are what code may have done to an integer before it was compared, and the
// inverse.
var disguises = [...]struct {
	to, from func(n uint64, size int) uint64
	cost     int
}{
	{same, same, 0},
	{plusOne, minusOne, 6},
	{minusOne, plusOne, 6},
	{negated, negated, 4},
	{swapped, swapped, 4},
}

func same(n uint64, _ int) uint64       { return n }
func plusOne(n uint64, _ int) uint64    { return n + 1 }
func minusOne(n uint64, _ int) uint64   { return n - 1 }
func negated(n uint64, _ int) uint64    { return -n }
func swapped(n uint64, size int) uint64 { return bits.ReverseBytes64(n) >> (64 - 8*size) }

// each calls f for the fields of a kind, from a random one on if there are many, until f
// has reported true for some.
func (p *patcher) each(is func(kind) bool, f func(i int, f *Field) bool) {
	first, places := 0, maxPlaces
	if len(p.base) > 4*maxPlaces {
		first = p.r.n(len(p.base))
	}
	for k := 0; k < len(p.base) && places > 0; k++ {
		i := (first + k) % len(p.base)
		if is(p.base[i].kind) && f(i, &p.base[i]) {
			places--
		}
	}
}

// integers makes patches of numbers.
func (p *patcher) integers(find, with uint64, size int) {
	width := 8 * size
	p.each(kind.integer, func(i int, f *Field) (found bool) {
		for _, d := range disguises {
			if extend(d.to(f.num, size), width, false) != find {
				continue
			}
			for _, s := range steps {
				low := extend(d.from(with+s.by, size), width, false)
				high := f.num &^ extend(^uint64(0), width, false)
				p.number(i, d.cost+s.cost, extend(low, width, true), low, high|low)
			}
			found = true
		}
		if !found && p.bold { // it may be at a constant distance
			delta := extend(with-find, width, true)
			p.number(i, scoreBold, f.num+delta)
			p.number(i, scoreBold, f.num-delta)
			p.number(i, scoreBold, f.num^find^with)
		}
		return found
	})
}

// binary makes patches of numbers in bytes, of any width and byte order, at some of the
// places where they may be.
func (p *patcher) binary(find, with uint64, size, places, cost int) {
	for width := 1; width <= size; width *= 2 {
		if !fits(find, width, size) || !fits(with, width, size) {
			continue
		}
		for _, order := range [...]byteOrder{false, true} {
			if width == 1 && order {
				continue
			}
			var from, to [8]byte
			order.put(from[:width], find)
			order.put(to[:width], with)
			p.replace(from[:width], to[:width], places, cost)
		}
	}
}

// fits reports whether a number of size bytes fits into width bytes, with or without a sign.
func fits(u uint64, width, size int) bool {
	u = extend(u, 8*size, false)
	return extend(u, 8*width, false) == u || extend(extend(u, 8*width, true), 8*size, false) == u
}

// character makes patches of characters whose binary form is different.
func (p *patcher) character(find, with uint64) {
	if max(find, with) >= 0x80 && max(find, with) <= utf8.MaxRune && utf8.ValidRune(rune(find)) &&
		utf8.ValidRune(rune(with)) {
		p.replace(utf8.AppendRune(nil, rune(find)), utf8.AppendRune(nil, rune(with)), maxPlaces,
			scoreExact)
	}
}

// replace makes patches that replace a text by another one. It reports whether it has found
// any place for that.
func (p *patcher) replace(from, to []byte, places, cost int) (found bool) {
	if bytes.Equal(from, to) {
		return false
	}
	var with []byte
	p.places(from, places, func(i, at int) {
		if !found {
			found, with = true, p.bytes(to...)
		}
		p.text(i, at, len(from), with, cost)
	})
	return found
}

// places calls f with the fields, and the places in them, that have a pattern, up to n times,
// beginning anywhere if there are more.
func (p *patcher) places(pattern []byte, n int, f func(i, at int)) {
	b := p.joined
	if len(pattern) == 0 || len(pattern) > len(b) || !p.scan() {
		return
	}
	at := 0
	if len(b) > 4*n && bytes.Count(b, pattern) > n {
		at = p.r.n(len(b))
	}
	for ; n > 0; n-- {
		k := bytes.Index(b[at:], pattern)
		if k < 0 {
			return
		}
		at += k
		s, _ := slices.BinarySearchFunc(p.spans, at, func(s span, at int) int {
			if s.to <= at {
				return -1
			}
			return 1
		})
		if s := p.spans[s]; at+len(pattern) <= s.to {
			f(s.field, at-s.from)
		}
		at++
	}
}

// scan reports whether all texts may be searched once more.
func (p *patcher) scan() bool {
	p.scanned += len(p.joined)
	return p.scanned <= maxScan
}

// digits makes patches of numbers that are written out.
func (p *patcher) digits(find, with uint64, size int) {
	signed, to := int64(extend(find, 8*size, true)), extend(with, 8*size, true)
	for _, base := range [...]int{10, 16} {
		if base == 16 && find < 10 {
			break // the same
		}
		pattern := strconv.AppendUint(nil, find, base)
		p.places(pattern, maxPlaces, func(i, at int) {
			b, end := p.base[i].bytes, at+len(pattern)
			if at > 0 && digit(b[at-1]) || end < len(b) && digit(b[end]) {
				return
			}
			for _, s := range steps {
				p.text(i, at, len(pattern), p.bytes(strconv.AppendUint(nil, with+s.by, base)...),
					scoreExact+s.cost)
				if int64(to) < 0 {
					p.text(i, at, len(pattern),
						p.bytes(strconv.AppendInt(nil, int64(to+s.by), base)...), scoreExact+s.cost)
				}
			}
		})
	}
	if signed < 0 {
		p.replace(strconv.AppendInt(nil, signed, 10), strconv.AppendInt(nil, int64(to), 10),
			maxPlaces, scoreExact)
	}
}

// written makes patches of numbers whose digits are where two texts begin to differ.
func (p *patcher) written(find, with []byte) {
	at := 0
	for at < len(find) && at < len(with) && find[at] == with[at] {
		at++
	}
	for _, base := range [...]int{10, 16} {
		x, ok := numberAround(find, at, base)
		y, also := numberAround(with, at, base)
		if ok && also && x != y {
			p.score = significance(x, 8) + significance(y, 8) - scoreExact
			p.integers(x, y, 8)
		}
	}
}

// numberAround returns the number whose digits surround position i of b.
func numberAround(b []byte, i, base int) (uint64, bool) {
	is := func(c byte) bool { return digit(c) || base == 16 && ('a' <= c|0x20 && c|0x20 <= 'f') }
	from, end := i, i
	for from > 0 && is(b[from-1]) {
		from--
	}
	for end < len(b) && is(b[end]) {
		end++
	}
	n, err := strconv.ParseUint(string(b[from:end]), base, 64)
	return n, err == nil
}
