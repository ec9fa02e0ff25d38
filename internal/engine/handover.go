package engine

import (
	"encoding/binary"
	"fmt"
)

// AppendArguments appends the arguments of a target to b, so that [ReadArguments] reads
// them bit for bit. It panics on a type that [testing.F] does not support.
func AppendArguments(b []byte, vals []any) []byte {
	for _, v := range vals {
		switch v := v.(type) {
		case []byte:
			b = append(binary.LittleEndian.AppendUint64(b, uint64(len(v))), v...)
		case string:
			b = append(binary.LittleEndian.AppendUint64(b, uint64(len(v))), v...)
		default:
			f := load(v)
			if f.kind == kindOther {
				panic(fmt.Sprintf("unsupported type: %T", v))
			}
			b = binary.LittleEndian.AppendUint64(b, f.num)
		}
	}
	return b
}

// ReadArguments replaces vals by arguments of the same types, read from b, with memory of
// their own. If b is too short for them, because the process that was writing it has ended,
// ReadArguments reports false and leaves vals alone.
func ReadArguments(b []byte, vals []any) bool {
	read := make([]any, 0, len(vals))
	for _, v := range vals {
		if len(b) < 8 {
			return false
		}
		word := binary.LittleEndian.Uint64(b)
		b = b[8:]
		f := Field{kind: load(v).kind}
		switch {
		case f.kind == kindOther:
			panic(fmt.Sprintf("unsupported type: %T", v))
		case !f.kind.text():
			f.set(word)
		case word > uint64(len(b)):
			return false
		default:
			f.bytes, b = b[:word], b[word:]
		}
		v, _ = f.value(nil)
		read = append(read, v)
	}
	copy(vals, read)
	return true
}
