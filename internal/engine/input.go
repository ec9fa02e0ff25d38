package engine

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
)

// An input is the list of a target's arguments.
type input []Field

// A Field is one argument, or a leaf of a tree of choices: a text, a number or a length.
type Field struct {
	kind  kind
	bytes []byte // of a text
	num   uint64 // of a number: integers are extended to 64 bits by their sign if they have one
	val   any    // the argument as it was given, if it cannot change and has not changed
}

// A kind is the kind of the argument's type, or one that no argument has.
type kind reflect.Kind

const (
	kindOther   = kind(reflect.Invalid) // is left as it is
	kindBool    = kind(reflect.Bool)
	kindInt     = kind(reflect.Int)
	kindInt64   = kind(reflect.Int64)
	kindUint    = kind(reflect.Uint)
	kindUint64  = kind(reflect.Uint64)
	kindLength  = kind(reflect.Uintptr) // of a sequence, whose elements are not here
	kindFloat32 = kind(reflect.Float32)
	kindFloat64 = kind(reflect.Float64)
	kindBytes   = kind(reflect.Slice)
	kindString  = kind(reflect.String)
)

func (k kind) text() bool    { return k == kindBytes || k == kindString }
func (k kind) float() bool   { return k == kindFloat32 || k == kindFloat64 }
func (k kind) integer() bool { return kindBool <= k && k < kindLength }
func (k kind) signed() bool  { return kindInt <= k && k <= kindInt64 }
func (k kind) long() bool    { return k.text() || k == kindLength }

// width returns the number of bits of a number; bools have one.
func (k kind) width() int {
	switch {
	case k == kindBool:
		return 1
	case k.integer() || k == kindFloat32:
		return numberTypes[k].Bits()
	}
	return 64
}

// size returns how many bytes a number takes on any platform.
func (k kind) size() int {
	if k == kindInt || k == kindUint {
		return 8
	}
	return (k.width() + 7) / 8
}

// numberTypes are the types of numbers, by kind.
var numberTypes = [...]reflect.Type{
	reflect.Bool: reflect.TypeFor[bool](), reflect.Int: reflect.TypeFor[int](),
	reflect.Int8:  reflect.TypeFor[int8](),
	reflect.Int16: reflect.TypeFor[int16](), reflect.Int32: reflect.TypeFor[int32](),
	reflect.Int64: reflect.TypeFor[int64](),
	reflect.Uint:  reflect.TypeFor[uint](), reflect.Uint8: reflect.TypeFor[uint8](),
	reflect.Uint16: reflect.TypeFor[uint16](),
	reflect.Uint32: reflect.TypeFor[uint32](), reflect.Uint64: reflect.TypeFor[uint64](),
	reflect.Float32: reflect.TypeFor[float32](),
}

// load returns the field of v, with texts that are not shared.
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
	case float32:
		return Field{kind: kindFloat32, num: uint64(math.Float32bits(v)), val: v}
	case float64:
		return Field{kind: kindFloat64, num: math.Float64bits(v), val: v}
	}
	switch r := reflect.ValueOf(v); {
	case r.CanInt():
		return Field{kind: kind(r.Kind()), num: uint64(r.Int()), val: v}
	case r.CanUint() && r.Kind() != reflect.Uintptr:
		return Field{kind: kind(r.Kind()), num: r.Uint(), val: v}
	}
	return Field{kind: kindOther, val: v}
}

func loadAll(vals []any) input {
	in := make(input, len(vals))
	for i, v := range vals {
		in[i] = load(v)
	}
	return in
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

// value returns the argument. A []byte is in buf, which value returns, too.
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
	case kindFloat32:
		return math.Float32frombits(uint32(f.num)), buf
	case kindFloat64:
		return math.Float64frombits(f.num), buf
	}
	v := reflect.New(numberTypes[f.kind]).Elem()
	if f.kind.signed() {
		v.SetInt(int64(f.num))
	} else {
		v.SetUint(f.num)
	}
	return v.Interface(), buf
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

// hash returns a number that most likely differs for different inputs.
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
