package fuzzext

import (
	"bytes"
	"io"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
)

// worker stands for the engine of corpusgen fuzz in a worker process.
type worker[V any] struct {
	*exploration
	link    engine.Link
	known   []byte
	offered []byte
	kept    [][]byte // inputs that the engine has taken into its corpus
}

const testCounters = 256

func newWorker[V any](gen bigen.Gen[V], prop func(w *worker[V], t *T, v V)) *worker[V] {
	w := &worker[V]{known: make([]byte, testCounters)}
	places := map[string]int64{}
	w.link = engine.Link{
		Counters:    make([]byte, testCounters),
		Trace:       new(engine.Trace),
		Offer:       func(b []byte) { w.offered = append(w.offered[:0], b...) },
		KnownPlaces: func() map[string]int64 { return places },
	}
	x := &execution[V]{gen: gen, options: newOptions(nil), target: target{"example.com/p", "FuzzX"}}
	x.prop = func(t *T, v V) { prop(w, t, v) }
	w.exploration = newExploration(&w.link, x)
	return w
}

// execute is what the engine does: it runs an input, or has inputs explored, and keeps
// what has new coverage.
func (w *worker[V]) execute(tb testing.TB, b []byte, exploring bool, left int64) (fresh bool) {
	w.link.Exploring, w.link.Left, w.link.Until = exploring, left, time.Now().Add(time.Minute)
	w.link.Known = w.known
	clear(w.link.Counters)
	w.exploration.execute(tb, b)
	for i, n := range w.link.Counters {
		if bit := engine.Round(n); bit&^w.known[i] != 0 {
			w.known[i] |= bit
			fresh = true
		}
	}
	if fresh && exploring {
		w.kept = append(w.kept, bytes.Clone(w.offered))
	}
	return fresh
}

// explore has inputs explored until so many have run, and returns how many.
func (w *worker[V]) explore(tb testing.TB, most int) (ran int) {
	for ran < most && !tb.Failed() {
		w.execute(tb, nil, true, int64(most-ran))
		ran += int(w.link.Ran)
	}
	return ran
}

// failing is a test that may fail.
type failing struct {
	testing.TB
	out    bytes.Buffer
	failed bool
}

func (f *failing) Fail()             { f.failed = true }
func (f *failing) Failed() bool      { return f.failed }
func (f *failing) Output() io.Writer { return &f.out }
func (f *failing) Name() string      { return "FuzzX" }

// What is kept has, when it runs alone, the coverage for which it was kept; and there is
// nothing new in running it again.
func TestExploredInputs(t *testing.T) {
	gen := bsttest.Gen(0, 1000)
	w := newWorker(gen, func(w *worker[*bsttest.Tree], t *T, v *bsttest.Tree) {
		for v != nil {
			w.link.Counters[v.X%200]++
			w.link.Counters[200]++
			if v.X%2 == 0 {
				v = v.L
			} else {
				v = v.R
			}
		}
	})
	w.explore(t, 20_000)
	require.Greater(t, len(w.kept), 50)
	all := bytes.Clone(w.known)
	clear(w.known)
	for _, b := range w.kept {
		assert.True(t, w.execute(t, b, false, 1), "%x", b)
		assert.False(t, w.execute(t, b, false, 1), "%x", b)
		canonical, err := bigen.Decode(gen, b)
		require.NoError(t, err)
		encoded, err := bigen.Encode(gen, canonical)
		require.NoError(t, err)
		assert.Equal(t, encoded, b)
	}
	assert.Equal(t, all, w.known)
}

// However it goes, no more inputs run than may, and all are counted.
func TestExplorationEnds(t *testing.T) {
	ran := int64(0)
	w := newWorker(bsttest.Gen(0, 1000), func(w *worker[*bsttest.Tree], t *T, v *bsttest.Tree) {
		ran++
		w.link.Counters[ran%100]++
		t.Assume(ran%3 != 0)
	})
	for _, left := range []int64{1, 2, 7, 100} {
		before := ran
		w.execute(t, nil, true, left)
		assert.Equal(t, w.link.Ran, ran-before)
		// An input that is kept may be made smaller, and run again twice, first.
		assert.LessOrEqual(t, w.link.Ran, left+42)
	}
	assert.Equal(t, ran, w.link.Report().Executions)
}

// A number and a text that the code compares with something are found, and a condition
// that must be met more and more nearly.
func TestExplorerFinds(t *testing.T) {
	type input struct {
		N    int
		S    string
		List []int
	}
	gen := bigen.Struct(func(c *bigen.C, v *input) {
		bigen.At(c, &v.N, bigen.IntRange(math.MinInt32, math.MaxInt32))
		bigen.At(c, &v.S, bigen.String(20))
		bigen.At(c, &v.List, bigen.SliceOf(bigen.IntRange(0, 9), 0, 100))
	})
	bugs := map[string]func(trace *engine.Trace, v input) bool{
		"number": func(trace *engine.Trace, v input) bool {
			trace.Number(1, 0x1337c0de, uint64(uint32(v.N)), 4, true)
			return v.N == 0x1337c0de
		},
		"text": func(trace *engine.Trace, v input) bool {
			trace.Text(1, v.S, "open sesame")
			return v.S == "open sesame"
		},
		"nearer": func(trace *engine.Trace, v input) bool {
			rising := 0
			for i, n := range v.List {
				if i > 0 && n == v.List[i-1]+1 {
					rising++
				}
			}
			trace.Number(1, 9, uint64(rising), 8, true)
			return rising >= 9
		},
	}
	for name, fails := range bugs {
		t.Run(name, func(t *testing.T) {
			w := newWorker(gen, func(w *worker[input], t *T, v input) {
				w.link.Counters[0] = 1
				if fails(w.link.Trace, v) {
					t.Error("found")
				}
			})
			tb := &failing{TB: t}
			ran := w.explore(tb, 50_000)
			require.True(t, tb.failed, "%d values", ran)
			t.Logf("%d values", ran)
			assert.Contains(t, tb.out.String(), "minimal failing value")
			v, err := bigen.Decode(gen, w.offered)
			require.NoError(t, err)
			assert.True(t, fails(new(engine.Trace), v), "the engine has been told %v", v)
		})
	}
}

// A failure in a place that is known is passed over, and counted.
func TestExplorerPassesOver(t *testing.T) {
	w := newWorker(bigen.IntRange(0, 99), func(w *worker[int], t *T, v int) {
		w.link.Counters[0] = 1
		if v == 50 {
			t.Error("known")
		}
	})
	tb := &failing{TB: t}
	w.explore(tb, 10_000)
	require.True(t, tb.failed)

	first := &failing{TB: t}
	x := w.subject.(*execution[int])
	s := newTrial(first)
	x.each(s, func(int) choices.Source { return choices.FromBytes(w.offered) }, func(_ int, r *T) bool {
		_, where := r.logged()
		w.link.KnownPlaces()[where] = 0
		return false
	})
	s.end()
	tb = &failing{TB: t}
	w.explore(tb, 10_000)
	assert.False(t, tb.failed)
	for _, n := range w.link.KnownPlaces() {
		assert.Positive(t, n)
	}
}

// Coverage that is not there again keeps no input.
func TestExplorerFlaky(t *testing.T) {
	n := 0
	w := newWorker(bigen.IntRange(0, 99), func(w *worker[int], t *T, v int) {
		n++
		w.link.Counters[0] = 1
		if n%97 == 0 {
			w.link.Counters[1+n/97%200]++
		}
	})
	w.explore(t, 5000)
	assert.Positive(t, w.link.Report().Flaky)
	assert.Len(t, w.kept, 1)
}

// Invalid inputs are nothing for the corpus.
func TestExplorerInvalid(t *testing.T) {
	w := newWorker(bigen.IntRange(0, 99), func(w *worker[int], t *T, v int) {
		w.link.Counters[v]++
		w.link.Counters[100+v/2]++ // also reached by an invalid value
		t.Assume(v%2 == 0)
	})
	w.explore(t, 5000)
	assert.Len(t, w.kept, 50)
	for i := range 50 {
		assert.Equal(t, byte(1), w.known[100+i])
	}
	for _, b := range w.kept {
		v, err := bigen.Decode(bigen.IntRange(0, 99), b)
		require.NoError(t, err)
		assert.Zero(t, v%2)
	}
	assert.Positive(t, w.link.Report().Executions-w.link.Report().Valid)
}

// If the generator panics, the engine is told an input with which it does.
func TestExplorerGeneratorPanics(t *testing.T) {
	gen := bigen.Struct(func(c *bigen.C, v *struct{ A, B int }) {
		bigen.At(c, &v.A, bigen.IntRange(0, 9))
		if v.A == 7 {
			panic("seven")
		}
		bigen.At(c, &v.B, bigen.IntRange(0, 9))
	})
	w := newWorker(gen, func(*worker[struct{ A, B int }], *T, struct{ A, B int }) {})
	tb := &failing{TB: t}
	w.explore(tb, 10_000)
	require.True(t, tb.failed)
	assert.Contains(t, tb.out.String(), "seven")
	assert.PanicsWithValue(t, "seven", func() { _, _ = bigen.Decode(gen, w.offered) })
}

// Inputs that another worker has found are taken into the pool: their coverage is known to
// the engine, but nothing of it can be built upon here otherwise.
func TestExplorerLearnsFromOthers(t *testing.T) {
	prop := func(w *worker[int], t *T, v int) { w.link.Counters[v]++ }
	gen := bigen.IntRange(0, 99)
	first, second := newWorker(gen, prop), newWorker(gen, prop)
	first.explore(t, 5000)
	require.Len(t, first.kept, 100)
	copy(second.known, first.known)
	for i, b := range first.kept {
		if i%2 == 0 {
			assert.False(t, second.execute(t, b, false, 1))
		} else {
			assert.False(t, second.execute(t, b, true, 1))
		}
	}
	assert.Equal(t, 100, second.link.Report().Entries)
}

// A run that fails while an input is made smaller, or looked at more closely, fails the
// test, unless its place is known.
func TestExplorerFailsOnTheWay(t *testing.T) {
	for _, known := range []bool{false, true} {
		runs := map[int]int{}
		where := ""
		w := newWorker(bigen.IntRange(0, 999), func(w *worker[int], t *T, v int) {
			w.link.Counters[v%200]++
			if runs[v]++; runs[v] > 1 { // a value runs again only where it is looked at
				t.Error("failed")
				_, where = t.logged()
			}
		})
		tb := &failing{TB: t}
		if !known {
			w.explore(tb, 1000)
			require.True(t, tb.failed)
			continue
		}
		w.explore(tb, 1000)
		w.link.KnownPlaces()[where] = 0
		tb = &failing{TB: t}
		w.explore(tb, 1000)
		assert.False(t, tb.failed)
		assert.Positive(t, w.link.KnownPlaces()[where])
	}
}
