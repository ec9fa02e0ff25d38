package engine

import "sync/atomic"

const (
	maxNumbers = 1 << 12
	maxTexts   = 1 << 8
	maxText    = 64 // bytes that are kept of a text
)

// A Trace sees the comparisons that instrumented code makes, in any number of goroutines.
type Trace struct {
	// Profiling makes the trace pass comparisons on to Nearest.
	Profiling atomic.Bool
	Nearest   Nearest
	// Recording makes the trace record the first 4096 comparisons of integers and the
	// first 256 of texts.
	Recording atomic.Bool

	numbers [maxNumbers]NumberComparison
	texts   [maxTexts]textComparison
	n, m    atomic.Uint32
}

// A NumberComparison is a comparison of integers, by any operator.
type NumberComparison struct {
	Site  uint64 // where in the code
	A, B  uint64 // the operands, extended by zeros
	Size  uint8  // of the operands, in bytes: 1, 2, 4, 8
	Const bool   // A is a constant of the program
}

// A TextComparison is a comparison of strings, for equality. It has at most 64 bytes of each.
type TextComparison struct {
	Site uint64
	A, B []byte
}

type textComparison struct {
	site uint64
	a, b [maxText]byte
	n, m uint8
}

// Number is called for each comparison of integers. The stack must not move meanwhile: see package
// overlay of corpusgen.
//
//go:nosplit
func (t *Trace) Number(site uint, a, b uint64, size uint8, constant bool) {
	if t.Profiling.Load() {
		t.Nearest.Number(site, a, b, size, constant)
	}
	if t.Recording.Load() {
		t.record(site, a, b, size, constant)
	}
}

//go:nosplit
func (t *Trace) record(site uint, a, b uint64, size uint8, constant bool) {
	if i := t.n.Add(1) - 1; i < maxNumbers {
		t.numbers[i] = NumberComparison{uint64(site), a, b, size, constant}
	}
}

// Text is called for each comparison of strings.
func (t *Trace) Text(site uint, a, b string) {
	if t.Profiling.Load() {
		t.Nearest.Text(site, a, b)
	}
	if !t.Recording.Load() {
		return
	}
	if i := t.m.Add(1) - 1; i < maxTexts {
		c := &t.texts[i]
		c.site = uint64(site)
		c.n, c.m = uint8(copy(c.a[:], a)), uint8(copy(c.b[:], b))
	}
}

// Reset drops the record.
func (t *Trace) Reset() {
	t.n.Store(0)
	t.m.Store(0)
}

// Numbers returns the comparisons of integers in the order made, until Reset.
func (t *Trace) Numbers() []NumberComparison { return t.numbers[:min(t.n.Load(), maxNumbers)] }

// Texts appends the comparisons of texts to dst; the bytes are valid until Reset.
func (t *Trace) Texts(dst []TextComparison) []TextComparison {
	for i := range t.texts[:min(t.m.Load(), maxTexts)] {
		c := &t.texts[i]
		dst = append(dst, TextComparison{c.site, c.a[:min(c.n, maxText)], c.b[:min(c.m, maxText)]})
	}
	return dst
}
