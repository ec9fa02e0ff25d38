package engine

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/require"
)

// arguments are one of each kind, and the ends of their ranges.
var arguments = []any{
	[]byte{}, "", []byte{0, 1, 0xff}, "\xff\xfe\x00, invalid", "\u00e9\U0001f600", strings.Repeat("\x00\xff", 1<<13),
	true, false, math.MinInt, math.MaxInt, -1, 0,
	int8(math.MinInt8), int8(math.MaxInt8), int16(math.MinInt16), int16(math.MaxInt16),
	int32(math.MinInt32), int32(math.MaxInt32), '\ufffd', rune(-1), int64(math.MinInt64), int64(math.MaxInt64),
	uint(math.MaxUint), uint8(math.MaxUint8), uint16(math.MaxUint16), uint32(math.MaxUint32), uint64(math.MaxUint64),
	float32(math.Copysign(0, -1)), math.Float32frombits(0x7fc01234), math.Float32frombits(0xffc00001),
	float32(math.Inf(-1)), float32(math.SmallestNonzeroFloat32),
	math.Copysign(0, -1), math.Float64frombits(0x7ff8dead_beef0001), math.Float64frombits(0xfff0000000000001),
	math.Inf(1), math.SmallestNonzeroFloat64,
}

// exact tells any two arguments apart.
func exact(v any) string {
	switch v := v.(type) {
	case float32:
		return fmt.Sprintf("float32 %#x", math.Float32bits(v))
	case float64:
		return fmt.Sprintf("float64 %#x", math.Float64bits(v))
	}
	return fmt.Sprintf("%T %q", v, fmt.Sprint(v))
}

// zeros returns other arguments of the same types.
func zeros(vals []any) (out []any) {
	for _, v := range vals {
		out = append(out, reflect.Zero(reflect.TypeOf(v)).Interface())
	}
	return out
}

// What is read is what was written, bit for bit, and a copy.
func TestArguments(t *testing.T) {
	for _, vals := range append([][]any{arguments, nil}, []any{[]byte("abc")}) {
		b := AppendArguments(nil, vals)
		got := zeros(vals)
		require.True(t, ReadArguments(b, got))
		clear(b)
		for i := range vals {
			require.Equal(t, exact(vals[i]), exact(got[i]))
		}
	}
	require.PanicsWithValue(t, "unsupported type: []int", func() { AppendArguments(nil, []any{[]int{1}}) })
}

// Bytes that were not written to the end change nothing.
func TestTornArguments(t *testing.T) {
	b := AppendArguments(nil, []any{7, "abc", uint8(1)})
	vals := []any{1, "given", uint8(2)}
	for n := range b {
		require.False(t, ReadArguments(b[:n], vals), n)
		require.Equal(t, []any{1, "given", uint8(2)}, vals)
	}
	require.True(t, ReadArguments(b, vals))
}
