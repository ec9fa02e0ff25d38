// Package argbytes makes one string of bytes of the arguments of a fuzz target, and arguments
// of any bytes. Fuzzers such as libFuzzer know only bytes; Go's fuzz targets take several
// arguments of various types.
//
//	data := argbytes.Encode([]any{int16(-2), "a\\b", []byte("c")})
//	args := argbytes.Decode(data, argbytes.Types(args)) // the same arguments
//
// The format has no version, no lengths, and no checksum, so that a fuzzer's edit of some bytes
// is an edit of one argument:
//
//  1. If the only argument is a []byte or a string, its bytes are the data. So the corpora of
//     other tools can be used as they are.
//  2. Otherwise the numbers come first, in the order of the arguments. Each has a fixed width
//     and is little-endian, as in memory, where libFuzzer looks for operands of comparisons:
//     1 byte for bool, int8 and uint8; 2 for int16 and uint16; 4 for int32, uint32 and
//     float32; 8 for int, uint, int64, uint64 and float64. Bytes that are inserted into a text
//     move no number. A bool is the lowest bit of its byte.
//  3. The texts follow, string and []byte alike, in the order of the arguments. A backslash
//     in a text is doubled. A backslash before any other byte ends the text, and both bytes
//     are skipped; Encode writes a zero byte. A length in front of the text would cut off, or
//     join, whatever follows an insertion.
//  4. The last text is neither escaped nor ended: it is the rest of the data.
//
// Decode is total. Where data ends early, the remaining numbers are 0 and the remaining texts
// are empty. Bytes behind the last number are ignored if there is no text. Decode returns what
// Encode was given, also NaNs, bit for bit. Two strings of bytes can stand for the same
// arguments: those that differ in bits of a bool, in the byte behind a backslash that ends a
// text, or in bytes that are ignored.
package argbytes

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
)

// Encode returns the bytes that stand for args. It panics if an argument has a type that
// testing.F does not support.
func Encode(args []any) []byte {
	if len(args) == 1 {
		if text, ok := textOf(args[0]); ok {
			return append([]byte{}, text...)
		}
	}
	var data []byte
	last := -1 // index of the last text
	for i, arg := range args {
		if _, ok := textOf(arg); ok {
			last = i
			continue
		}
		bits := bitsOf(arg)
		for range Width(reflect.TypeOf(arg)) {
			data = append(data, byte(bits))
			bits >>= 8
		}
	}
	for i, arg := range args {
		switch text, ok := textOf(arg); {
		case !ok:
		case i == last:
			data = append(data, text...)
		default:
			for _, b := range []byte(text) {
				if data = append(data, b); b == '\\' {
					data = append(data, b)
				}
			}
			data = append(data, '\\', 0)
		}
	}
	return data
}

// Decode returns arguments of the given types for which data stands. The arguments do not share
// memory with data. It panics if testing.F does not support a type.
func Decode(data []byte, types []reflect.Type) []any {
	args := make([]any, len(types))
	if len(types) == 1 && Width(types[0]) == 0 {
		args[0] = text(data, types[0])
		return args
	}
	last := -1
	for i, typ := range types {
		width := Width(typ)
		if width == 0 {
			last = i
			continue
		}
		var number [8]byte
		n := copy(number[:width], data)
		data = data[n:]
		args[i] = number64(binary.LittleEndian.Uint64(number[:]), typ)
	}
	for i, typ := range types {
		switch {
		case args[i] != nil:
		case i == last:
			args[i] = text(data, typ)
		default:
			var part []byte
			part, data = unescape(data)
			args[i] = text(part, typ)
		}
	}
	return args
}

// Types returns the types of arguments.
func Types(args []any) []reflect.Type {
	types := make([]reflect.Type, len(args))
	for i, arg := range args {
		types[i] = reflect.TypeOf(arg)
	}
	return types
}

// Width returns how many bytes a number of a type takes, and 0 for string and []byte. It panics
// if testing.F does not support the type.
func Width(typ reflect.Type) int {
	switch typ {
	case reflect.TypeFor[string](), reflect.TypeFor[[]byte]():
		return 0
	case reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[uint8]():
		return 1
	case reflect.TypeFor[int16](), reflect.TypeFor[uint16]():
		return 2
	case reflect.TypeFor[int32](), reflect.TypeFor[uint32](), reflect.TypeFor[float32]():
		return 4
	case reflect.TypeFor[int](), reflect.TypeFor[uint](), reflect.TypeFor[int64](), reflect.TypeFor[uint64](), reflect.TypeFor[float64]():
		return 8
	}
	panic(fmt.Sprintf("argbytes: testing.F does not support arguments of type %v", typ))
}

// textOf returns the bytes of a string or []byte.
func textOf(arg any) (text string, ok bool) {
	switch arg := arg.(type) {
	case string:
		return arg, true
	case []byte:
		return string(arg), true
	}
	return "", false
}

// text returns a string or []byte.
func text(b []byte, typ reflect.Type) any {
	if typ.Kind() == reflect.String {
		return string(b)
	}
	return append([]byte{}, b...)
}

// unescape returns the text at the beginning of data, and what is behind its end.
func unescape(data []byte) (text, rest []byte) {
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			text = append(text, data[i])
			continue
		}
		if i++; i == len(data) || data[i] != '\\' {
			return text, data[min(i+1, len(data)):]
		}
		text = append(text, '\\')
	}
	return text, nil
}

// bitsOf returns a number in its lowest bits.
func bitsOf(arg any) uint64 {
	switch arg := arg.(type) {
	case bool:
		if arg {
			return 1
		}
		return 0
	case float32:
		return uint64(math.Float32bits(arg)) // reflect would make quiet NaNs of signaling ones
	case float64:
		return math.Float64bits(arg)
	}
	if v := reflect.ValueOf(arg); v.CanInt() {
		return uint64(v.Int())
	} else if v.CanUint() {
		return v.Uint()
	}
	return 0 // Width panics
}

// number64 returns the number of a type that bitsOf makes bits of.
func number64(bits uint64, typ reflect.Type) any {
	switch typ.Kind() {
	case reflect.Bool:
		return bits&1 == 1
	case reflect.Float32:
		return math.Float32frombits(uint32(bits))
	case reflect.Float64:
		return math.Float64frombits(bits)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return reflect.ValueOf(int64(bits)).Convert(typ).Interface()
	}
	return reflect.ValueOf(bits).Convert(typ).Interface()
}
