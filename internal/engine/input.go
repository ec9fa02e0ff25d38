package engine

import (
	"encoding/binary"
	"math"
	"slices"
)

// An input is the list of a target's arguments.
type input []Field

// A Field is one argument, or a leaf of a tree of choices: a text, a number or a length.
type Field struct {
	kind  kind
	bytes []byte // of a text
	num   uint64 // of a number: integers are extended to 64 bits by their sign if they have one
	val   any    // the argument as it was given, if it cannot change and has not been changed
}

type kind uint8

const (
	kindOther kind = iota // is left as it is
	kindBytes
	kindString
	kindBool
	kindInt
	kindInt8
	kindInt16
	kindInt32
	kindInt64
	kindUint
	kindUint8
	kindUint16
	kindUint32
	kindUint64
	kindLength // of a sequence, whose elements are not here
	kindFloat32
	kindFloat64
)

func (k kind) text() bool    { return k == kindBytes || k == kindString }
func (k kind) float() bool   { return k >= kindFloat32 }
func (k kind) integer() bool { return kindBool <= k && k < kindLength }
func (k kind) long() bool    { return k.text() || k == kindLength }

// width returns the number of bits of a number; bools have one.
func (k kind) width() int {
	switch k {
	case kindBool:
		return 1
	case kindInt8, kindUint8:
		return 8
	case kindInt16, kindUint16:
		return 16
	case kindInt32, kindUint32, kindFloat32:
		return 32
	case kindInt, kindUint:
		return intBits
	}
	return 64
}

const intBits = 32 << (^uint(0) >> 63)

func (k kind) signed() bool { return kindInt <= k && k <= kindInt64 }

// load returns v with texts that are not shared.
func load(v any) Field {
	switch v := v.(type) {
	case []byte:
		return Field{kind: kindBytes, bytes: slices.Clone(v)}
	case string:
		return Field{kind: kindString, bytes: []byte(v), val: v}
	case bool:
		f := Field{kind: kindBool, val: v}
		if v {
			f.num = 1
		}
		return f
	case int:
		return Field{kind: kindInt, num: uint64(v), val: v}
	case int8:
		return Field{kind: kindInt8, num: uint64(v), val: v}
	case int16:
		return Field{kind: kindInt16, num: uint64(v), val: v}
	case int32:
		return Field{kind: kindInt32, num: uint64(v), val: v}
	case int64:
		return Field{kind: kindInt64, num: uint64(v), val: v}
	case uint:
		return Field{kind: kindUint, num: uint64(v), val: v}
	case uint8:
		return Field{kind: kindUint8, num: uint64(v), val: v}
	case uint16:
		return Field{kind: kindUint16, num: uint64(v), val: v}
	case uint32:
		return Field{kind: kindUint32, num: uint64(v), val: v}
	case uint64:
		return Field{kind: kindUint64, num: v, val: v}
	case float32:
		return Field{kind: kindFloat32, num: uint64(math.Float32bits(v)), val: v}
	case float64:
		return Field{kind: kindFloat64, num: math.Float64bits(v), val: v}
	}
	return Field{kind: kindOther, val: v}
}

// NumberField returns the field of an integer.
func NumberField(n int64, signed bool) Field {
	if signed {
		return Field{kind: kindInt64, num: uint64(n)}
	}
	return Field{kind: kindUint64, num: uint64(n)}
}

// TextField returns the field of a text.
func TextField(s string) Field { return Field{kind: kindString, bytes: []byte(s)} }

// LengthField returns the field of a sequence of n elements.
func LengthField(n int) Field { return Field{kind: kindLength, num: uint64(n)} }

// Value returns the number, or else the text.
func (f *Field) Value() (n int64, text string) { return int64(f.num), string(f.bytes) }

// value returns the argument. That of a []byte is in buf, which it returns.
func (f *Field) value(buf []byte) (any, []byte) {
	switch {
	case f.kind == kindBytes:
		buf = append(buf[:0], f.bytes...)
		return buf[:len(buf):len(buf)], buf
	case f.val != nil || f.kind == kindOther:
		return f.val, buf
	}
	switch f.kind {
	case kindString:
		return string(f.bytes), buf
	case kindBool:
		return f.num&1 != 0, buf
	case kindInt:
		return int(f.num), buf
	case kindInt8:
		return int8(f.num), buf
	case kindInt16:
		return int16(f.num), buf
	case kindInt32:
		return int32(f.num), buf
	case kindInt64:
		return int64(f.num), buf
	case kindUint:
		return uint(f.num), buf
	case kindUint8:
		return uint8(f.num), buf
	case kindUint16:
		return uint16(f.num), buf
	case kindUint32:
		return uint32(f.num), buf
	case kindFloat32:
		return math.Float32frombits(uint32(f.num)), buf
	case kindFloat64:
		return math.Float64frombits(f.num), buf
	}
	return f.num, buf
}

// set sets the number, as far as it fits.
func (f *Field) set(num uint64) { f.num, f.val = extend(num, f.kind.width(), f.kind.signed()), nil }

// extend returns the lowest bits of u, extended.
func extend(u uint64, width int, signed bool) uint64 {
	shift := 64 - width
	if signed {
		return uint64(int64(u<<shift) >> shift)
	}
	return u << shift >> shift
}

// assign makes f equal to g, in its own memory.
func (f *Field) assign(g *Field) {
	buf := append(f.bytes[:0], g.bytes...)
	*f = *g
	f.bytes = buf
}

func (in *input) assign(from input) {
	for len(*in) < len(from) {
		*in = append(*in, Field{})
	}
	*in = (*in)[:len(from)]
	for i := range from {
		(*in)[i].assign(&from[i])
	}
}

func (in input) clone() input {
	var out input
	out.assign(in)
	return out
}

// size returns the number of bytes of all texts.
func (in input) size() (n int) {
	for i := range in {
		n += len(in[i].bytes)
	}
	return n
}

// fit cuts texts so that all together have at most that many bytes.
func (in input) fit(most int) {
	over := in.size() - max(most, 0)
	for i := len(in) - 1; i >= 0 && over > 0; i-- {
		if f := &in[i]; len(f.bytes) > 0 {
			cut := min(over, len(f.bytes))
			f.bytes, f.val = f.bytes[:len(f.bytes)-cut], nil
			over -= cut
		}
	}
}

// hash returns a number that differs for inputs that differ, most likely.
func (in input) hash() uint64 {
	h := uint64(len(in))
	for i := range in {
		f := &in[i]
		h = mix(h ^ uint64(f.kind)<<56 ^ uint64(len(f.bytes)))
		h = mix(h ^ f.num)
		b := f.bytes
		for ; len(b) >= 8; b = b[8:] {
			h = mix(h ^ binary.LittleEndian.Uint64(b))
		}
		for _, c := range b {
			h = mix(h ^ uint64(c))
		}
	}
	return h
}
