package engine

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// supported are the types of arguments that testing.F supports.
var supported = []reflect.Type{
	reflect.TypeFor[[]byte](), reflect.TypeFor[string](), reflect.TypeFor[bool](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](),
	reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](),
	reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
}

// The format is fixed, because corpora have it.
func TestArgumentFormat(t *testing.T) {
	tests := []struct {
		name string
		args []any
		data string
	}{
		{"bytes", []any{[]byte("a\\b\x00")}, "a\\b\x00"},
		{"string", []any{"a\\b\xff"}, "a\\b\xff"},
		{"no bytes", []any{[]byte{}}, ""},
		{"int", []any{-2}, "\xfe\xff\xff\xff\xff\xff\xff\xff"},
		{"uint", []any{uint(1)}, "\x01\x00\x00\x00\x00\x00\x00\x00"},
		{"bools", []any{true, false}, "\x01\x00"},
		{"narrow",
			[]any{int8(-1), uint8(2), int16(-2), uint16(0x102), int32(3), uint32(0x01020304)},
			"\xff\x02\xfe\xff\x02\x01\x03\x00\x00\x00\x04\x03\x02\x01"},
		{"wide", []any{int64(-1), uint64(0x0102030405060708)},
			"\xff\xff\xff\xff\xff\xff\xff\xff\x08\x07\x06\x05\x04\x03\x02\x01"},
		{"floats", []any{float32(1), float64(-2)}, "\x00\x00\x80\x3f\x00\x00\x00\x00\x00\x00\x00\xc0"},
		{"signaling NaNs",
			[]any{math.Float32frombits(0x7f800001), math.Float64frombits(0x7ff0000000000001)},
			"\x01\x00\x80\x7f\x01\x00\x00\x00\x00\x00\xf0\x7f"},
		{"number after text", []any{"text", int8(7)}, "\x07text"},
		{"two texts", []any{"a\\b", "c\\d"}, "a\\\\b\\\x00c\\d"},
		{"empty texts", []any{"", []byte{}, ""}, "\\\x00\\\x00"},
		{"all", []any{"s", true, []byte("\\"), uint8(9), "end"}, "\x01\x09s\\\x00\\\\\\\x00end"},
		{"none", []any{}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.data, string(AppendArguments(nil, test.args)))
			assertSame(t, test.args, ReadArguments([]byte(test.data), ArgumentTypes(test.args)))
		})
	}
}

// Any bytes stand for arguments.
func TestArgumentsAreTotal(t *testing.T) {
	texts := []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[int16](),
		reflect.TypeFor[[]byte]()}
	tests := []struct {
		data  string
		types []reflect.Type
		want  []any
	}{
		{"", texts, []any{"", int16(0), []byte{}}},
		{"\x05", texts, []any{"", int16(5), []byte{}}},
		{"\x05\x00abc", texts, []any{"abc", int16(5), []byte{}}},
		{"\x05\x00abc\\", texts, []any{"abc", int16(5), []byte{}}},
		{"\x05\x00abc\\\\", texts, []any{"abc\\", int16(5), []byte{}}},
		{"\x05\x00abc\\xdef", texts, []any{"abc", int16(5), []byte("def")}},
		{"\x03more", []reflect.Type{reflect.TypeFor[bool]()}, []any{true}},
		{"\x02", []reflect.Type{reflect.TypeFor[bool]()}, []any{false}},
		{"more", nil, []any{}},
	}
	for _, test := range tests {
		assertSame(t, test.want, ReadArguments([]byte(test.data), test.types))
	}
}

// Encoded arguments are decoded, for random arguments of random types.
func TestArgumentsReturn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range long.Count(2000, 1000000) {
		types := make([]reflect.Type, r.IntN(6))
		for i := range types {
			types[i] = supported[r.IntN(len(supported))]
		}
		args := randomArgs(r, types)
		assertSame(t, args, ReadArguments(AppendArguments(nil, args), types))
	}
}

// randomArgs returns arguments. ReadArguments makes all numbers; texts have backslashes and zeros.
func randomArgs(r *rand.Rand, types []reflect.Type) []any {
	args := make([]any, len(types))
	for i, typ := range types {
		b := make([]byte, 8+r.IntN(8))
		for i := range b {
			b[i] = [...]byte{'\\', 0, 'a', byte(r.Uint32())}[r.IntN(4)]
		}
		if load(reflect.Zero(typ).Interface()).kind.text() {
			b = b[:r.IntN(len(b))]
		}
		args[i] = ReadArguments(b, []reflect.Type{typ})[0]
	}
	return args
}

// A fuzzer that inserts or removes bytes in one text does not change another argument.
func TestEditsAreLocal(t *testing.T) {
	types := []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[int16](),
		reflect.TypeFor[[]byte]()}
	data := AppendArguments(nil, []any{"first", int16(5), []byte("last")})
	inserted := bytes.Replace(data, []byte("first"), []byte("fi--rst"), 1)
	assertSame(t, []any{"fi--rst", int16(5), []byte("last")}, ReadArguments(inserted, types))
	removed := bytes.Replace(data, []byte("first"), []byte("f"), 1)
	assertSame(t, []any{"f", int16(5), []byte("last")}, ReadArguments(removed, types))
}

func TestArgumentsShareNoMemory(t *testing.T) {
	data := []byte("abc")
	args := ReadArguments(data, []reflect.Type{reflect.TypeFor[[]byte]()})
	again := AppendArguments(nil, args)
	data[0] = 'x'
	require.Equal(t, "abc", string(args[0].([]byte)))
	args[0].([]byte)[0] = 'y'
	require.Equal(t, "abc", string(again))
}

func TestUnsupportedArguments(t *testing.T) {
	type named string
	for _, arg := range []any{named("x"), struct{}{}, []string{}, complex(1, 2), uintptr(1)} {
		require.PanicsWithValue(t, "testing.F does not support arguments of type "+
			reflect.TypeOf(arg).String(),
			func() { AppendArguments(nil, []any{1, arg}) })
		require.Panics(t, func() { ReadArguments(nil, []reflect.Type{reflect.TypeOf(arg)}) })
	}
}

func FuzzArguments(f *testing.F) {
	f.Add([]byte("\x00\x01\x08"), []byte("\x05a\\\\b\\\x00c"))
	f.Add([]byte("\x03\x04"), []byte("\x01\x00\x80\x7f\x01\x00\x00\x00\x00\x00\xf0\x7f"))
	f.Fuzz(func(t *testing.T, choice, data []byte) {
		types := make([]reflect.Type, min(len(choice), 9))
		for i := range types {
			types[i] = supported[int(choice[i])%len(supported)]
		}
		args := ReadArguments(data, types)
		require.Equal(t, types, ArgumentTypes(args))
		again := AppendArguments(nil, args)
		assertSame(t, args, ReadArguments(again, types))
		require.True(t, bytes.Equal(again, AppendArguments(nil, ReadArguments(again, types))))
	})
}

// assertSame compares arguments; floats bit for bit.
func assertSame(t *testing.T, want, got []any) {
	t.Helper()
	bits := func(args []any) []any {
		out := make([]any, len(args))
		for i, arg := range args {
			switch arg := arg.(type) {
			case float32:
				out[i] = [2]uint32{32, math.Float32bits(arg)}
			case float64:
				out[i] = [2]uint64{64, math.Float64bits(arg)}
			default:
				out[i] = arg
			}
		}
		return out
	}
	require.Equal(t, bits(want), bits(got))
}
