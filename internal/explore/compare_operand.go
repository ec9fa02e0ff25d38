package explore

import (
	"cmp"
	"github.com/espalier-go/espalier/internal/engine"
	"math/bits"
	"strconv"

	"golang.org/x/exp/slices"
)

// operands are the operands of comparisons that a value may have determined.
type operands struct {
	numbers []operand // by size and value; of equal ones, those with the highest score first
	texts   []textOperand
}

// operand is an integer, together with that which it was compared with.
type operand struct {
	size         uint8 // in bytes
	value, other uint64
	site         uint64
	score        int // how likely a match of it is no accident, roughly in bits
}

// textOperand is a text, together with that which it was compared with.
type textOperand struct {
	value, other string
	lower        string // value with ASCII letters in lower case
	site         uint64
}

var sizes = [...]uint8{1, 2, 4, 8}

// steps lead to results of a comparison that is not for equality.
var steps = [...]struct {
	by   uint64
	cost int
}{{0, 0}, {1, 3}, {^uint64(0), 3}}

// mask has the bits of so many bytes.
func mask(size uint8) uint64 { return ^uint64(0) >> (64 - 8*size) }

// signed returns an integer of so many bytes, extended by its sign.
func signed(n uint64, size uint8) uint64 {
	shift := 64 - 8*size
	return uint64(int64(n<<shift) >> shift)
}

// significance returns how many bits the magnitude of an integer has.
func significance(n uint64, size uint8) int {
	n = signed(n, size)
	return min(bits.Len64(n), bits.Len64(-n))
}

func newOperands(numbers []engine.NumberComparison, texts []engine.TextComparison) (o operands) {
	const constant = 8 // constants are what is asked for
	o.numbers = make([]operand, 0, 2*len(numbers))
	for i := range numbers {
		c := &numbers[i]
		a, b, score := c.A, c.B, 0
		if c.Const {
			score = constant
		} else {
			o.number(b, a, c.Size, c.Site, 0)
		}
		o.number(a, b, c.Size, c.Site, score)
	}
	for i := range texts {
		c := &texts[i]
		a, b := string(c.A), string(c.B)
		if a == b {
			continue
		}
		o.texts = append(o.texts,
			textOperand{a, b, lower(a), c.Site},
			textOperand{b, a, lower(b), c.Site})
		o.written(a, b, c.Site)
	}
	slices.SortFunc(o.numbers, func(a, b operand) int {
		return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.value, b.value), cmp.Compare(b.score, a.score),
			cmp.Compare(a.other, b.other), cmp.Compare(a.site, b.site))
	})
	o.numbers = slices.CompactFunc(o.numbers, func(a, b operand) bool {
		return a.size == b.size && a.value == b.value && a.other == b.other
	})
	slices.SortFunc(o.texts, func(a, b textOperand) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.other, b.other), cmp.Compare(a.site, b.site))
	})
	o.texts = slices.CompactFunc(o.texts, func(a, b textOperand) bool { return a.value == b.value && a.other == b.other })
	return o
}

// number notes that other was compared with value.
func (o *operands) number(other, value uint64, size uint8, site uint64, score int) {
	if other == value || !slices.Contains(sizes[:], size) {
		return
	}
	value, other = value&mask(size), other&mask(size)
	o.numbers = append(o.numbers, operand{size, value, other, site, score + significance(value, size) + significance(other, size)})
}

// written notes numbers that are written where two texts begin to differ.
func (o *operands) written(a, b string, site uint64) {
	const cost = 2
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	for _, base := range [...]int{10, 16} {
		x, ok := numberAround(a, at, base)
		y, also := numberAround(b, at, base)
		if ok && also {
			o.number(x, y, 8, site, -cost)
			o.number(y, x, 8, site, -cost)
		}
	}
}

// numberAround returns the number whose digits stand on both sides of s[i:].
func numberAround(s string, i, base int) (uint64, bool) {
	from, end := i, i
	for from > 0 && isDigit(s[from-1], base) {
		from--
	}
	for end < len(s) && isDigit(s[end], base) {
		end++
	}
	n, err := strconv.ParseUint(s[from:end], base, 64)
	return n, err == nil
}

func isDigit(c byte, base int) bool {
	return '0' <= c && c <= '9' || base == 16 && ('a' <= c|0x20 && c|0x20 <= 'f')
}

// lower returns s with ASCII letters in lower case.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

func (o *operands) empty() bool { return len(o.numbers) == 0 && len(o.texts) == 0 }

// find returns the operands of a size and value that have the highest scores.
func (o *operands) find(size uint8, value uint64) []operand {
	const most = 32
	i, found := slices.BinarySearchFunc(o.numbers, operand{size: size, value: value}, func(a, b operand) int {
		return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.value, b.value))
	})
	if !found {
		return nil
	}
	list := o.numbers[i:min(i+most, len(o.numbers))]
	for n := range list {
		if list[n].size != size || list[n].value != value {
			return list[:n]
		}
	}
	return list
}
