package engine

import (
	"encoding/binary"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// A reader takes what a fuzz test needs from bytes, and returns zeros after their end.
type reader struct{ b []byte }

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *reader) number() uint64 {
	var buf [8]byte
	n := copy(buf[:1+r.byte()%8], r.b)
	r.b = r.b[n:]
	return binary.LittleEndian.Uint64(buf[:])
}

func (r *reader) text() []byte {
	n := min(int(r.byte()), len(r.b))
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) argument() any {
	switch r.byte() % 18 {
	case 0, 1:
		return append([]byte(nil), r.text()...)
	case 2, 3:
		return string(r.text())
	case 4:
		return r.byte()%2 == 0
	case 5:
		return int(r.number())
	case 6:
		return int8(r.number())
	case 7:
		return int16(r.number())
	case 8:
		return int32(r.number())
	case 9:
		return int64(r.number())
	case 10:
		return uint(r.number())
	case 11:
		return uint8(r.number())
	case 12:
		return uint16(r.number())
	case 13:
		return uint32(r.number())
	case 14:
		return r.number()
	case 15:
		return math.Float32frombits(uint32(r.number()))
	case 16:
		return math.Float64frombits(r.number())
	}
	return struct{}{} // not supported
}

// FuzzProber: whatever the arguments and the comparisons are, the types stay, and texts
// are not longer than is allowed.
func FuzzProber(f *testing.F) {
	f.Add([]byte{})
	f.Add(
		[]byte("\x03\x02\x05hello\x00\x03abc\x0e\x07\x01\x02\x03\x04\x05\x06\x07\x08some more " +
			"that is read as comparisons and counters"))
	trace := recording()
	f.Fuzz(func(t *testing.T, b []byte) {
		r := &reader{b}
		x := NewProber(r.number())
		arguments := make([]any, r.byte()%5)
		for i := range arguments {
			arguments[i] = r.argument()
		}
		most := int(r.byte())
		x.Base(arguments)
		if r.byte()%4 == 0 { // another shape
			x.Base([]any{r.argument()})
		}
		vals := append([]any(nil), arguments...)
		for range 300 {
			x.Next(vals, most)
			size := 0
			for _, v := range vals {
				if len(x.work) == len(arguments) {
					switch v := v.(type) {
					case []byte:
						size += len(v)
					case string:
						size += len(v)
					}
				}
			}
			require.LessOrEqual(t, size, most)
			var tr *Trace
			if x.WantTrace() || r.byte()%8 == 0 {
				tr = trace
				tr.Reset()
				for range r.byte() % 16 {
					site := uint(r.byte() % 8)
					switch k := r.byte(); k % 3 {
					case 0:
						tr.Text(site, string(r.text()), string(r.text()))
					default:
						a := r.number()
						if len(arguments) > 0 && k%2 == 0 {
							if b, ok := vals[0].([]byte); ok {
								a = uint64(len(b))
							}
						}
						tr.Number(site, a, r.number(), 1<<(k%4), k%5 == 0)
					}
				}
			}
			counters := r.text()
			x.Done(counters, tr, nil, r.byte()%16 == 1, time.Duration(r.byte()))
		}
	})
}

// TestProberTypes: arguments keep their types, and each can be mutated.
func TestProberTypes(t *testing.T) {
	arguments := []any{
		[]byte("bytes"), "string", true, int(-1), int8(-1), int16(-1), int32(-1), int64(-1),
		uint(1), uint8(1), uint16(1), uint32(1), uint64(1), float32(1), float64(1),
	}
	x := NewProber(1)
	x.Base(arguments)
	vals := make([]any, len(arguments))
	differ := make([]int, len(arguments))
	for range long.Count(5000, 50_000) {
		x.Next(vals, 1000)
		for i, v := range vals {
			require.Equal(t, reflect.TypeOf(arguments[i]), reflect.TypeOf(v))
			if !reflect.DeepEqual(arguments[i], v) {
				differ[i]++
			}
		}
		x.Done([]byte{1}, nil, nil, false, 1)
	}
	for i, n := range differ {
		require.Greater(t, n, 20, "%T", arguments[i])
	}
}

// TestLoad: an argument survives.
func TestLoad(t *testing.T) {
	for _, v := range []any{
		[]byte{0, 1, 255}, "x\xffy", true, false, math.MinInt, int8(-128), int16(-32768),
		int32(math.MinInt32),
		int64(math.MinInt64), uint(math.MaxUint), uint8(255), uint16(65535), uint32(math.MaxUint32),
		uint64(math.MaxUint64),
		float32(-0.1), math.Inf(-1), math.Copysign(0, -1),
	} {
		f := load(v)
		got, _ := f.value(nil)
		require.Equal(t, v, got)
		if f.kind != kindBytes {
			f.val = nil // what has been changed
			got, _ = f.value(nil)
			require.Equal(t, v, got)
		}
		if f.kind != kindBytes && f.kind != kindString {
			f.set(f.num)
			got, _ = f.value(nil)
			require.Equal(t, v, got)
		}
	}
}
