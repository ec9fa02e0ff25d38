package engine

import (
	"math"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// recording returns a trace that records comparisons.
func recording() *Trace {
	t := new(Trace)
	t.Recording.Store(true)
	return t
}

// TestPatches: which inputs are made from an input because of a comparison.
func TestPatches(t *testing.T) {
	number := func(a, b uint64, size uint8) func(*Trace) {
		return func(t *Trace) { t.Number(1, a, b, size, false) }
	}
	texts := func(a, b string) func(*Trace) {
		return func(t *Trace) { t.Text(1, a, b) }
	}
	neg := func(n int64) uint64 { return uint64(n) }
	for _, c := range []struct {
		name string
		in   any
		cmp  func(*Trace)
		want any
	}{
		{"little-endian", "ab\x04\x03\x02\x01", number(0x01020304, 0x11121314, 4), "ab\x14\x13\x12\x11"},
		{"big-endian", "ab\x01\x02\x03\x04", number(0x11121314, 0x01020304, 4), "ab\x11\x12\x13\x14"},
		{"8 bytes", "\x08\x07\x06\x05\x04\x03\x02\x01", number(0x0102030405060708, 1, 8),
			"\x01\x00\x00\x00\x00\x00\x00\x00"},
		{"narrower in the input", "ab\x02\x01", number(0x0102, 0x0304, 8), "ab\x04\x03"},
		{"a byte", "ab", number('b', 'x', 8), "ax"},
		{"sign-extended", "ab\xfe", number(neg(-2), 5, 8), "ab\x05"},
		{"sign-extended, 4 bytes", "ab\xfe", number(0xfffffffe, neg(-3)&math.MaxUint32, 4), "ab\xfd"},
		{"one more", "ab\x04\x03\x02\x01", number(0x01020304, 0x11121314, 4), "ab\x15\x13\x12\x11"},
		{"off by one", "ab\x03\x03\x02\x01", number(0x01020304, 0x11121314, 4), "ab\x13\x13\x12\x11"},
		{"decimal", "n=12;", number(12, 3456, 8), "n=3456;"},
		{"decimal, less", "n=12;", number(12, 3456, 8), "n=3455;"},
		{"decimal, negative", "n=-12;", number(neg(-12), 7, 8), "n=7;"},
		{"decimal, to negative", "n=12;", number(12, neg(-7)&math.MaxUint32, 4), "n=-7;"},
		{"hexadecimal", "n=ff12;", number(0xff12, 0xabc, 8), "n=abc;"},
		{"longer", []byte("abc"), number(3, 6, 8), []byte("abcccc")},
		{"shorter", []byte("abcdef"), number(6, 2, 8), []byte("ab")},
		{"a longer word", "set abc x", number(3, 6, 8), "set abcccc x"},
		{"text", "key=old;", texts("old", "newer"), "key=newer;"},
		{"text, the other way", "key=old;", texts("newer", "old"), "key=newer;"},
		{"text, overwritten", "key=old....", texts("old", "newer"), "key=newer.."},
		{"text, folded", "key=OLD;", texts("old", "new"), "key=new;"},
		{"text, hexadecimal", "key=6f6c64;", texts("old", "new!"), "key=6e657721;"},
		{"text, base64", "key=b2xk;", texts("old", "new!"), "key=bmV3IQ==;"},
		{"text, empty", "", texts("", "new"), "new"},
		{"integer", 17, number(17, 4711, 8), 4711},
		{"integer, less", 17, number(17, 4711, 8), 4710},
		{"integer, at a distance", 17, number(27, 4711, 8), 4701},
		{"integer, negative", int8(-3), number(neg(-3), neg(-5), 8), int8(-5)},
		{"integer, narrowed", uint32(0x10003), number(3, 9, 2), uint32(0x10009)},
		{"integer, xor", uint32(0x0f), number(0x0f^0xff00, 0, 4), uint32(0xff00)},
		{"rune", 'a', number('a', 'é', 4), 'é'},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := NewProber(1)
			x.Base([]any{c.in})
			trace := recording()
			c.cmp(trace)
			vals := []any{c.in}
			x.Next(vals, 100)
			x.Done([]byte{1}, trace, nil, false, 1)
			require.Positive(t, x.patches)
			got := map[any]bool{}
			key := func(v any) any {
				if b, ok := v.([]byte); ok {
					return string(b)
				}
				return v
			}
			for x.patches > 0 {
				x.patch()
				v, _ := x.work[0].value(nil)
				got[key(v)] = true
			}
			require.Contains(t, got, key(c.want))
			require.Less(t, len(got), 100)
		})
	}
}

// TestPatchesBounded: neither long inputs nor many comparisons cost more than a certain amount.
func TestPatchesBounded(t *testing.T) {
	x := NewProber(1)
	trace := recording()
	vals := []any{make([]byte, 1<<20)}
	x.Base(vals)
	for n := range long.Count(3, 60) {
		x.Next(vals, 1<<20)
		trace.Reset()
		for i := range maxNumbers {
			trace.Number(uint(i), 0, uint64(n*i), 8, true)
		}
		x.Done([]byte{byte(n)}, trace, nil, false, 1)
		require.LessOrEqual(t, x.patches, maxWaiting)
		require.LessOrEqual(t, x.waitingSize, maxWaitingSize+1<<20)
		require.LessOrEqual(t, len(x.comparer.sites), maxSites)
	}
}

// TestProberFails: a target whose only entry fails is still explored.
func TestProberFails(t *testing.T) {
	x := NewProber(1)
	vals := []any{"seed"}
	differ := 0
	for range 100 {
		x.Next(vals, 100)
		if vals[0] != "seed" {
			differ++
		}
		x.Done([]byte{1}, nil, nil, true, 1)
	}
	require.Greater(t, differ, 80)
}
