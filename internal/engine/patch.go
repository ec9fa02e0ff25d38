package engine

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strconv"
)

// A patch changes one field of an input so that a comparison comes out in another way:
// it puts what the program compared something with in the place where that seems to
// come from.
type patch struct {
	base    input
	parent  int // the entry that base is, or was made from
	field   int
	at, cut int    // of a text: which bytes are replaced
	with    []byte // of a text
	num     uint64 // of a number
	pad     int    // of a text: bytes to add after with
}

// patches are those of one input.
//
// A patch may make operands unequal that have been equal, as with a checksum. So the
// explorer looks at what the first patches do, and mends it by further patches.
type patches struct {
	list  []patch
	size  int // of the input, in bytes
	tried int
	equal []uint64 // the sites where operands were equal, in order
	mends bool     // they mend others
}

const (
	maxPatches     = 768     // of one input
	maxWaiting     = 1 << 13 // in all
	maxPlaces      = 24      // where one operand is looked for in one text
	maxComparisons = 512     // that patches of one input are made from
	maxGrowth      = 1 << 12 // bytes that a patch may add
	maxWaitingSize = 1 << 26 // bytes of all inputs that have patches waiting
	maxScan        = 1 << 22 // bytes that are searched for one input
)

// comparer finds the patches of an input.
type comparer struct {
	r       *random
	base    input
	parent  int
	exact   []patch // that make operands equal
	others  []patch // that make them differ by one, or are less likely to meet
	compact []byte  // what with refers to
	scanned int     // bytes
}

func (c *comparer) bytes(b ...byte) []byte {
	n := len(c.compact)
	c.compact = append(c.compact, b...)
	return c.compact[n:len(c.compact):len(c.compact)]
}

func (c *comparer) full() bool { return len(c.exact)+len(c.others) >= maxPatches }

func (c *comparer) number(list *[]patch, field int, u uint64) {
	if f := &c.base[field]; extend(u, f.kind.width(), f.kind.signed()) != f.num && !c.full() {
		*list = append(*list, patch{base: c.base, parent: c.parent, field: field, num: u})
	}
}

func (c *comparer) text(list *[]patch, field, at, cut int, with []byte, pad int) {
	if !c.full() {
		*list = append(*list, patch{base: c.base, parent: c.parent, field: field, at: at, cut: cut, with: with, pad: pad})
	}
}

// numbers makes patches that put with where find is, which was compared with it.
func (c *comparer) numbers(find, with uint64, size int) {
	for i := range c.base {
		switch f := &c.base[i]; {
		case f.kind.text():
			c.binary(&c.exact, i, find, with, size, maxPlaces)
			c.binary(&c.others, i, find, with+1, size, 4)
			c.binary(&c.others, i, find, with-1, size, 4)
			c.binary(&c.others, i, find+1, with+1, size, 2)
			c.binary(&c.others, i, find-1, with-1, size, 2)
			c.digits(i, find, with, size)
			c.lengths(i, find, with)
		case f.kind != kindOther && !f.kind.float():
			c.numeric(i, find, with, 8*size)
		}
	}
}

// numeric makes patches of a number, which may be find, or is at a constant distance.
func (c *comparer) numeric(i int, find, with uint64, width int) {
	f := &c.base[i]
	delta := extend(with-find, width, true)
	if same := extend(f.num, width, false) == find; same {
		c.number(&c.exact, i, f.num+delta)
		c.number(&c.others, i, f.num+delta+1)
		c.number(&c.others, i, f.num+delta-1)
		return
	}
	c.number(&c.others, i, f.num+delta)
	c.number(&c.others, i, f.num-delta)
	c.number(&c.others, i, f.num^find^with)
}

// binary makes patches of numbers in bytes, of any width and byte order, at some of the
// places where they may be.
func (c *comparer) binary(list *[]patch, i int, find, with uint64, size, places int) {
	b := c.base[i].bytes
	for width := 1; width <= size; width *= 2 {
		if !fits(find, width, size) || !fits(with, width, size) {
			continue
		}
		for _, order := range [...]byteOrder{false, true} {
			if width == 1 && order {
				continue
			}
			var buf, put [8]byte
			order.put(buf[:width], find)
			order.put(put[:width], with)
			if bytes.Equal(buf[:width], put[:width]) {
				continue
			}
			var bytes []byte
			c.places(b, buf[:width], places, func(at int) {
				if bytes == nil {
					bytes = c.bytes(put[:width]...)
				}
				c.text(list, i, at, width, bytes, 0)
			})
		}
	}
}

// fits reports whether the number of size bytes fits into width bytes, with a sign or without.
func fits(u uint64, width, size int) bool {
	u = extend(u, 8*size, false)
	return extend(u, 8*width, false) == u || extend(extend(u, 8*width, true), 8*size, false) == u
}

// scan reports whether so many more bytes may be searched.
func (c *comparer) scan(n int) bool {
	if c.scanned > maxScan {
		return false
	}
	c.scanned += n
	return true
}

// places calls at with where b has pattern, up to n times, beginning anywhere if there
// are more.
func (c *comparer) places(b, pattern []byte, n int, at func(int)) {
	if len(pattern) == 0 || len(pattern) > len(b) || !c.scan(len(b)) {
		return
	}
	start := 0
	if len(b) > 4*n && bytes.Count(b, pattern) > n {
		start = c.r.n(len(b))
	}
	for i := start; n > 0; n-- {
		k := bytes.Index(b[i:], pattern)
		if k < 0 {
			return
		}
		at(i + k)
		i += k + 1
	}
}

// digits makes patches of numbers that are written out.
func (c *comparer) digits(i int, find, with uint64, size int) {
	b := c.base[i].bytes
	var buf [20]byte
	places := maxPlaces
	for _, base := range [...]int{10, 16} {
		pattern := strconv.AppendUint(buf[:0], find, base)
		if base == 16 && find < 10 {
			break // the same
		}
		signed := extend(with, 8*size, true)
		c.places(b, pattern, places, func(at int) {
			end := at + len(pattern)
			if at > 0 && digit(b[at-1]) || end < len(b) && digit(b[end]) {
				return
			}
			for k, by := range [...]uint64{0, 1, ^uint64(0)} {
				list := &c.others
				if k == 0 {
					list = &c.exact
				}
				c.text(list, i, at, len(pattern), c.bytes(strconv.AppendUint(nil, with+by, base)...), 0)
				if int64(signed) < 0 {
					c.text(list, i, at, len(pattern), c.bytes(strconv.AppendInt(nil, int64(signed+by), base)...), 0)
				}
			}
		})
	}
	if signed := int64(extend(find, 8*size, true)); signed < 0 {
		pattern := strconv.AppendInt(buf[:0], signed, 10)
		c.places(b, pattern, places, func(at int) {
			to := int64(extend(with, 8*size, true))
			c.text(&c.exact, i, at, len(pattern), c.bytes(strconv.AppendInt(nil, to, 10)...), 0)
		})
	}
}

// lengths makes patches by which a text, or a word in it, gets another length.
func (c *comparer) lengths(i int, find, with uint64) {
	b := c.base[i].bytes
	if find > uint64(len(b)) || with > uint64(len(b)+maxGrowth) {
		return
	}
	if int(find) == len(b) {
		for by := -1; by <= 1; by++ {
			n := int(with) + by
			switch list := &c.others; {
			case by == 0:
				list = &c.exact
				fallthrough
			default:
				if n > len(b) {
					c.text(list, i, len(b), 0, nil, n-len(b))
				} else if n >= 0 && n < len(b) {
					c.text(list, i, n, len(b)-n, nil, 0)
				}
			}
		}
		return
	}
	if !c.scan(len(b)) {
		return
	}
	words := 0
	for k := 0; k < len(b) && words < 4; k++ {
		if !wordy(b[k]) {
			continue
		}
		begin := k
		for k < len(b) && wordy(b[k]) {
			k++
		}
		if k-begin != int(find) {
			continue
		}
		words++
		if n := int(with) - int(find); n > 0 {
			c.text(&c.others, i, k, 0, nil, n)
		} else if n < 0 {
			c.text(&c.others, i, k+n, -n, nil, 0)
		}
	}
}

// encodings are those in which a text may stand in the input.
var encodings = [...]func([]byte) []byte{
	func(b []byte) []byte { return b },
	func(b []byte) []byte { return hex.AppendEncode(nil, b) },
	func(b []byte) []byte { return bytes.ToUpper(hex.AppendEncode(nil, b)) },
	func(b []byte) []byte { return base64.StdEncoding.AppendEncode(nil, b) },
	func(b []byte) []byte { return base64.RawURLEncoding.AppendEncode(nil, b) },
}

// texts makes patches that put with where find is, which was compared with it.
func (c *comparer) texts(find, with []byte) {
	for i := range c.base {
		f := &c.base[i]
		if !f.kind.text() {
			continue
		}
		n := len(c.exact)
		for k, encode := range encodings {
			if k > 0 && len(find) < 3 {
				break
			}
			from := encode(find)
			to := c.bytes(encode(with)...)
			c.places(f.bytes, from, maxPlaces, func(at int) {
				c.text(&c.exact, i, at, len(from), to, 0)
				if over := min(len(to), len(f.bytes)-at); over != len(from) {
					c.text(&c.others, i, at, over, to, 0)
				}
			})
		}
		if n == len(c.exact) {
			c.folded(i, find, with)
		}
		if n == len(c.exact) {
			to := c.bytes(with...)
			c.text(&c.others, i, 0, len(f.bytes), to, 0)
			c.text(&c.others, i, len(f.bytes), 0, to, 0)
			c.text(&c.others, i, 0, 0, to, 0)
			at := c.r.n(len(f.bytes) + 1)
			c.text(&c.others, i, at, 0, to, 0)
			c.text(&c.others, i, at, min(len(to), len(f.bytes)-at), to, 0)
		}
	}
}

// folded finds what has another case in the input.
func (c *comparer) folded(i int, find, with []byte) {
	b := c.base[i].bytes
	if len(find) == 0 || len(b) > 1<<12 {
		return
	}
	places := maxPlaces
	for at := 0; at+len(find) <= len(b) && places > 0; at++ {
		if b[at]|0x20 == find[0]|0x20 && bytes.EqualFold(b[at:at+len(find)], find) {
			c.text(&c.exact, i, at, len(find), c.bytes(with...), 0)
			places--
		}
	}
}
