package fuzzext

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/stretchr/testify/require"
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
	known := map[string]*engine.KnownClass{}
	w.link = engine.Link{
		Counters:     make([]byte, testCounters),
		Trace:        new(engine.Trace),
		Offer:        func(b []byte) { w.offered = append(w.offered[:0], b...) },
		KnownClasses: func() map[string]*engine.KnownClass { return known },
	}
	x := newFuzzTarget(&spec{
		subject: subjectOf(gen, func(t *T, v V) { prop(w, t, v) }),
		target:  func() target { return target{"example.com/p", "FuzzX"} },
		options: newOptions(nil),
		call:    noCall,
	})
	w.exploration = newExploration(&w.link, x.spec, x.home)
	return w
}

// execute is what the engine does: it runs an input, or explores, and keeps what has new
// coverage.
func (w *worker[V]) execute(tb testing.TB, b []byte, exploring bool, left int64) (fresh bool) {
	w.link.Exploring, w.link.Left, w.link.Until = exploring, left, time.Now().Add(time.Hour)
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

// A failure is reported with its minimal value, and the engine is told.
func TestExplorerReports(t *testing.T) {
	gen := bigen.SliceOf(bigen.IntRange(0, 1000), 0, 20)
	w := newWorker(gen, func(w *worker[[]int], t *T, v []int) {
		w.link.Counters[min(len(v), 9)] = 1
		if t.Log("values:\n", v); len(v) > 3 && v[3] > 100 {
			t.Error("found")
		}
	})
	t.Setenv(engine.RunDir, t.TempDir())
	tb := &failing{TB: t}
	ran := w.explore(tb, 50_000)
	require.True(t, tb.failed, "%d values", ran)
	require.Contains(t, tb.out.String(), "minimal failing value")
	require.Contains(t, tb.out.String(), "[]int{0, 0, 0, 101}")
	v, err := bigen.Decode(gen, w.offered)
	require.NoError(t, err)
	require.Equal(t, []int{0, 0, 0, 101}, v)
	require.Regexp(t, `(?s)values:.*found`, tb.out.String())
	told, err := filepath.Glob(filepath.Join(os.Getenv(engine.RunDir), "failure-*.json"))
	require.NoError(t, err)
	require.Len(t, told, 1)
	data, err := os.ReadFile(told[0])
	require.NoError(t, err)
	require.Regexp(t, `"Log":"\?: found\\n"`, string(data)) // not what was logged before
}

// A run that does not return is reported, also if the explorer runs a value again.
func TestExplorerReportsHangs(t *testing.T) {
	runs := map[int]int{}
	release := make(chan struct{})
	defer close(release)
	w := newWorker(bigen.IntRange(0, 999), func(w *worker[int], t *T, v int) {
		w.link.Counters[v%200]++
		if runs[v]++; runs[v] > 1 { // it is looked at
			t.Log("hangs") // synchronizes with the report
			<-release
		}
	})
	tb := &failing{TB: t}
	w.explore(hanging{tb, time.Now().Add(time.Second)}, 1000)
	require.True(t, tb.failed)
	require.Contains(t, tb.out.String(), "the property has not returned after")
}

// hanging is a failing test with a deadline.
type hanging struct {
	*failing
	deadline time.Time
}

func (h hanging) Deadline() (time.Time, bool) { return h.deadline, true }

// A worker process finds each bug of one oracle once, whatever else its value shows: it passes
// over failures of variants that other processes have told of, and counts them.
func TestExplorerPassesOver(t *testing.T) {
	gen := bigen.SliceOf(bigen.IntRange(-1000, 1000), 0, 20)
	bugs := []func(v []int) bool{
		func(v []int) bool { return slices.ContainsFunc(v, func(n int) bool { return n < 0 }) },
		func(v []int) bool { return slices.ContainsFunc(v, func(n int) bool { return n > 99 }) },
		func(v []int) bool { return len(v) > 3 },
	}
	known := map[string]*engine.KnownClass{}
	var found []string
	for range 2 * len(bugs) {
		w := newWorker(gen, func(w *worker[[]int], t *T, v []int) {
			w.link.Counters[min(len(v), 9)] = 1
			for _, bug := range bugs {
				if bug(v) {
					t.Error("wrong")
				}
			}
		})
		w.link.KnownClasses = func() map[string]*engine.KnownClass { return known }
		tb := &failing{TB: t}
		w.explore(tb, 5_000)
		if !tb.failed {
			break
		}
		v, err := bigen.Decode(gen, w.offered)
		require.NoError(t, err)
		found = append(found, fmt.Sprint(v))
		for _, v := range w.exploration.known.List[0].Variants {
			if known[v.Name] == nil {
				known[v.Name] = &engine.KnownClass{Name: v.Name, Data: v.Data()}
			}
		}
	}
	slices.Sort(found)
	require.Equal(t, []string{"[-1]", "[0 0 0 0]", "[100]"}, found)
	times := int64(0)
	for _, v := range known {
		times += v.Times
	}
	require.Positive(t, times)
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
	require.Contains(t, tb.out.String(), "seven")
	require.PanicsWithValue(t, "seven", func() { _, _ = bigen.Decode(gen, w.offered) })
}
