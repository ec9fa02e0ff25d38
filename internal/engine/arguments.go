package engine

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
)

// AppendArguments appends to b the bytes that stand for the arguments of a fuzz target. Fuzzers
// such as libFuzzer know only bytes; Go's fuzz targets take several arguments of various types. A
// worker hands its input to the coordinator in the same form.
//
// The format has no version, no lengths, and no checksum, so a fuzzer's edit of some bytes is
// an edit of one argument:
//
//  1. The numbers come first, in the order of the arguments. Each has a fixed width and is
//     little-endian, as in memory, where libFuzzer looks for operands of comparisons: 1 byte for
//     bool, int8 and uint8; 2 for int16 and uint16; 4 for int32, uint32 and float32; 8 for int,
//     uint, int64, uint64 and float64. Bytes inserted into a text do not move a number. A bool is
//     the lowest bit of its byte.
//  2. The texts follow, string and []byte alike, in the order of the arguments. A backslash in a
//     text is doubled. A backslash before any other byte ends the text, and both bytes are
//     skipped; AppendArguments writes a zero byte. With a length in front of the text, an
//     insertion would cut off, or join, whatever follows.
//  3. The last text is neither escaped nor ended: it is the rest. So for a target that takes a
//     single text, the bytes are the text, and the corpora of other tools can be used unchanged.
//
// AppendArguments panics if testing.F does not support the type of an argument.
func AppendArguments(b []byte, args []any) []byte {
	last := -1 // index of the last text
	for i, arg := range args {
		switch arg.(type) {
		case string, []byte:
			last = i
			continue
		}
		f := load(arg)
		if f.kind == kindOther {
			panic(unsupported(reflect.TypeOf(arg)))
		}
		var number [8]byte
		binary.LittleEndian.PutUint64(number[:], f.num)
		b = append(b, number[:f.kind.size()]...)
	}
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			b = appendText(b, arg, i == last)
		case []byte:
			b = appendText(b, arg, i == last)
		}
	}
	return b
}

func appendText[T string | []byte](b []byte, text T, last bool) []byte {
	start := len(b)
	if b = append(b, text...); last {
		return b
	}
	if written := b[start:]; bytes.IndexByte(written, '\\') >= 0 {
		b = append(b[:start], bytes.ReplaceAll(written, []byte(`\`), []byte(`\\`))...)
	}
	return append(b, '\\', 0)
}

// ReadArguments returns the arguments of the given types that bytes stand for. The arguments
// have memory of their own. ReadArguments panics if testing.F does not support a type.
//
// Any bytes stand for arguments. If they end early, the remaining numbers are 0 and the remaining
// texts are empty. Bytes after the last number are ignored if there is no text. ReadArguments
// returns what AppendArguments was given, including NaNs, bit for bit. Two strings of bytes can
// stand for the same arguments if they differ in the bits of a bool, in the byte after a
// backslash that ends a text, or in ignored bytes.
func ReadArguments(b []byte, types []reflect.Type) []any {
	args := make([]any, len(types))
	last := -1
	for i, typ := range types {
		f := load(reflect.Zero(typ).Interface())
		switch {
		case f.kind.text():
			last = i
			continue
		case f.kind == kindOther:
			panic(unsupported(typ))
		}
		var number [8]byte
		n := copy(number[:f.kind.size()], b)
		b = b[n:]
		f.set(binary.LittleEndian.Uint64(number[:]))
		args[i], _ = f.value(nil)
	}
	for i, typ := range types {
		if args[i] != nil {
			continue
		}
		text := b
		if i != last {
			text, b = unescape(b)
		}
		if typ.Kind() == reflect.String {
			args[i] = string(text)
		} else {
			args[i] = append([]byte{}, text...)
		}
	}
	return args
}

// ArgumentTypes returns the types of arguments.
func ArgumentTypes(args []any) []reflect.Type {
	types := make([]reflect.Type, len(args))
	for i, arg := range args {
		types[i] = reflect.TypeOf(arg)
	}
	return types
}

func unsupported(typ reflect.Type) string {
	return fmt.Sprintf("testing.F does not support arguments of type %v", typ)
}

// unescape returns the text at the beginning of b, and what follows it.
func unescape(b []byte) (text, rest []byte) {
	for {
		i := bytes.IndexByte(b, '\\')
		if i < 0 {
			return append(text, b...), nil
		}
		text = append(text, b[:i]...)
		if b = b[i+1:]; len(b) == 0 || b[0] != '\\' {
			return text, b[min(1, len(b)):]
		}
		text, b = append(text, '\\'), b[1:]
	}
}
