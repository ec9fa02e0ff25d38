package fuzz

// The tests of package overlay have the go command compile this file as a test of
// internal/fuzz with the overlay.

import (
	"bytes"
	"crypto/sha256"
	"fmt"
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
		{[]byte{}}, {""}, {[]byte{0, 1, 0xff}}, {"\xff\xfe\x00, invalid"}, {large}, {[]byte(large)}, {true}, {-1},
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
		"does not support":              {[]int{1}},
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

// TestBaseline: a turn has the coverage that the last one has left, unless the corpus has an
// entry that the last one had not, or the binary is another one.
func TestBaseline(t *testing.T) {
	t.Setenv(RunDir, t.TempDir())
	corpus := map[[sha256.Size]byte]bool{{1}: true, {2}: true}
	left := func(size int, corpus map[[sha256.Size]byte]bool) (left int, mask []byte, said string) {
		var log bytes.Buffer
		mask = make([]byte, size)
		left = espalierBaseline(&log, mask, corpus, len(corpus), 3)
		return left, mask, log.String()
	}
	none := func(what string, size int, corpus map[[sha256.Size]byte]bool) {
		if left, mask, said := left(size, corpus); left != len(corpus) || !bytes.Equal(mask, make([]byte, size)) || said != "" {
			t.Errorf("%s: %d left, coverage %v, said %q", what, left, mask, said)
		}
	}
	none("no turn before", 3, corpus)
	espalierKeepBaseline([]byte{1, 0, 4}, corpus, true)
	none("it was gathering", 3, corpus)
	espalierKeepBaseline([]byte{1, 0, 4}, corpus, false)
	l, mask, said := left(3, corpus)
	if l != 0 || !bytes.Equal(mask, []byte{1, 0, 4}) || said != "fuzz: elapsed: 0s, baseline coverage of the last turn: 2/2 completed, now fuzzing with 3 workers\n" {
		t.Errorf("%d left, coverage %v, said %q", l, mask, said)
	}
	if l, _, _ := left(3, map[[sha256.Size]byte]bool{{2}: true}); l != 0 {
		t.Errorf("%d left of fewer entries", l)
	}
	none("another binary", 4, corpus)
	none("a new entry", 3, map[[sha256.Size]byte]bool{{1}: true, {3}: true})
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
	espalierReport()
	if seeds := espalierSeeds([]CorpusEntry{{Path: "a"}, {Path: "b"}}); len(seeds) != 2 {
		t.Errorf("%d seeds are left of 2", len(seeds))
	}
	failed := fmt.Errorf("    x_test.go:1: no")
	if err := espalierFilter(failed, CorpusEntry{}); err != failed {
		t.Errorf("a failure is passed over: %v", err)
	}
}
