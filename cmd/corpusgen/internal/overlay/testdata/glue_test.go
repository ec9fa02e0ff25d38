package fuzz

// The tests of package overlay have the go command compile this file as a test of
// internal/fuzz with the overlay.

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

func newMem(t *testing.T) *sharedMem {
	mem, err := sharedMemTempFile(1 << 16)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mem.Close() })
	return mem
}

// TestHandTake: what the coordinator takes is what the worker has handed over, bit for bit.
func TestHandTake(t *testing.T) {
	mem := newMem(t)
	mem.header().count = 1
	large := strings.Repeat("\x00\xff", 1<<13)
	inputs := [][]any{
		{[]byte(nil)}, {[]byte{}}, {""},
		{[]byte{0, 1, 0xff}}, {"\xff\xfe\x00, invalid"}, {"\u00e9\U0001f600"}, {large}, {[]byte(large)},
		{true}, {false},
		{math.MinInt}, {math.MaxInt}, {-1}, {0},
		{int8(math.MinInt8)}, {int8(math.MaxInt8)}, {int8(-1)},
		{int16(math.MinInt16)}, {int16(math.MaxInt16)},
		{int32(math.MinInt32)}, {int32(math.MaxInt32)}, {'\ufffd'}, {rune(-1)},
		{int64(math.MinInt64)}, {int64(math.MaxInt64)},
		{uint(math.MaxUint)}, {uint8(math.MaxUint8)}, {uint16(math.MaxUint16)},
		{uint32(math.MaxUint32)}, {uint64(math.MaxUint64)}, {byte(0)},
		{float32(math.Copysign(0, -1))}, {math.Float32frombits(0x7fc01234)}, {math.Float32frombits(0xffc00001)},
		{float32(math.Inf(-1))}, {float32(math.SmallestNonzeroFloat32)},
		{math.Copysign(0, -1)}, {math.Float64frombits(0x7ff8dead_beef0001)}, {math.Float64frombits(0xfff0000000000001)},
		{math.Inf(1)}, {math.SmallestNonzeroFloat64},
		{[]byte("a"), "b", []byte(nil), "", 3, true, 'x', float32(1.5), -2.5, uint8(7), int8(-7), uint16(1), int16(-1), uint32(1), int64(-1), uint64(1), uint(1)},
		{"shorter than before"},
	}
	for _, in := range inputs {
		espalierHand(mem, in)
		// The values that are replaced are other ones of the same types.
		vals := make([]any, len(in))
		for i, v := range in {
			vals[i] = zeroValue(reflect.TypeOf(v))
		}
		espalierTake(mem, vals)
		if want, got := marshalCorpusFile(in...), marshalCorpusFile(vals...); !bytes.Equal(want, got) {
			t.Errorf("%q is taken as\n%q", want, got)
		}
		for i, v := range in {
			if want, got := exact(v), exact(vals[i]); want != got {
				t.Errorf("%s is taken as %s", want, got)
			}
			// None of it is in the shared memory, which the next input overwrites.
			if b, ok := vals[i].([]byte); ok && len(b) > 0 {
				clear(espalierRegion(mem)[8:])
				if !bytes.Equal(b, v.([]byte)) {
					t.Errorf("%q is not copied", v)
				}
				espalierHand(mem, in)
			}
		}
	}
	for name, hand := range map[string][]any{
		"larger than the shared memory": {make([]byte, 1<<16)},
		"unsupported type":              {[]int{1}},
	} {
		func() {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, name) {
					t.Errorf("%s: panics with %s", name, r)
				}
			}()
			espalierHand(mem, hand)
		}()
	}
}

// exact tells any two values apart.
func exact(v any) string {
	switch v := v.(type) {
	case float32:
		return fmt.Sprintf("float32 %#x", math.Float32bits(v))
	case float64:
		return fmt.Sprintf("float64 %#x", math.Float64bits(v))
	}
	return fmt.Sprintf("%T %q", v, fmt.Sprint(v))
}

// TestTakeNothing: a worker that has not run anything leaves the input as it is, whatever
// it has run before.
func TestTakeNothing(t *testing.T) {
	mem := newMem(t)
	for _, handed := range []bool{false, true} {
		if handed {
			espalierHand(mem, []any{"before"})
		}
		vals := []any{"given"}
		espalierTake(mem, vals)
		if vals[0] != "given" {
			t.Errorf("takes %q", vals[0])
		}
	}
}

// TestAlone: without corpusgen, nothing is known and nothing is told.
func TestAlone(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv(RunDir, "")
	t.Setenv(Lifeline, "")
	espalierWatch()
	espalierReport()
	if seeds := espalierSeeds([]CorpusEntry{{Path: "a"}, {Path: "b"}}); len(seeds) != 2 {
		t.Errorf("%d seeds are left of 2", len(seeds))
	}
	failed := fmt.Errorf("    x_test.go:1: no")
	if err := espalierFilter(failed); err != failed {
		t.Errorf("a failure is passed over: %v", err)
	}
}
