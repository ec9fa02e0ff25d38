package linear

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen/callseq/internal/live"
	"github.com/espalier-go/espalier/bigen/schedule/point"
	"golang.org/x/exp/slices"
)

// A trial is all runs of one sequence.
type trial struct {
	m      *Model
	first  []any // what was drawn before the calls
	calls  []threaded
	prefix int     // how many calls run alone before the others
	groups [][]int // the others: calls that run at once, or one that runs alone
	// by worker and group, the calls of a thread; the first also has those that run alone
	workers [][][]int
	ids     []atomic.Uint64 // of the goroutines of workers

	root  *state  // before the calls
	seen  [][]any // of a live.Serial, the calls that have begun, in the order in which they did
	turns bool    // the run is one of package point
}

// threaded is a call with its thread.
type threaded struct {
	thread int
	call   []any
}

func newTrial(m *Model, calls Calls) *trial {
	first, rest := split(calls)
	x := &trial{m: m, first: first}
	for i, c := range rest {
		n := c.thread()
		call := threaded{max(0, n), nil}
		if n >= 0 {
			call.call = c[1:]
		}
		x.calls = append(x.calls, call)
		switch last := len(x.groups) - 1; {
		case n <= 0 && len(x.groups) == 0:
			x.prefix++
		case n > 0 && i > x.prefix && x.calls[i-1].thread > 0:
			x.groups[last] = append(x.groups[last], i)
		default:
			x.groups = append(x.groups, []int{i})
		}
	}
	x.assign()
	if m.serial != nil {
		x.calls = append(x.calls, threaded{0, []any{live.End}})
	}
	return x
}

// drawn returns the index after the calls of the sequence.
func (x *trial) drawn() int {
	if x.m.serial != nil {
		return len(x.calls) - 1
	}
	return len(x.calls)
}

// assign gives the calls to workers, in the order of their threads.
func (x *trial) assign() {
	var threads []int
	for _, c := range x.calls {
		if c.thread > 0 && !slices.Contains(threads, c.thread) {
			threads = append(threads, c.thread)
		}
	}
	slices.Sort(threads)
	if len(x.groups) > 0 {
		x.workers = make([][][]int, max(1, len(threads)))
	}
	for w := range x.workers {
		x.workers[w] = make([][]int, len(x.groups))
	}
	for g, calls := range x.groups {
		for _, i := range calls {
			w := max(0, slices.Index(threads, x.calls[i].thread))
			x.workers[w][g] = append(x.workers[w][g], i)
		}
	}
}

// run runs the sequence, and fails t if a run fails.
func (x *trial) run(t testing.TB) {
	t.Helper()
	n := x.m.runs
	if x.m.failed.Load() {
		n *= 10
	}
	if len(x.workers) < 2 || point.Running() {
		n = 1
	}
	var failed *attempt
	x.attempt(t, 0, n, func(a *attempt) bool {
		if a.tb.Skipped() && a.verdict == passed {
			t.SkipNow()
		}
		if a.verdict.fails() {
			failed = a
		}
		return failed == nil
	})
	if failed != nil {
		x.m.failed.Store(true)
		x.report(t, failed)
	}
}

// attempt runs the sequence n times, and calls f for each as long as that returns true.
func (x *trial) attempt(t testing.TB, from, n int, f func(a *attempt) bool) {
	for i := 0; i < n; i += batchSize {
		b := newBatch(x, t, from+i, min(n-i, batchSize))
		for _, a := range b.attempts {
			if b.stuck == nil || a != b.stuck {
				a.conclude()
			}
			if x.m.count(a.verdict); !f(a) || a == b.stuck {
				return
			}
		}
	}
}

// batchSize is how many attempts a batch has at most.
const batchSize = 10

// coarse is whether the clock of the system cannot tell calls apart.
const coarse = runtime.GOOS == "windows"

var clock atomic.Int64

var began = time.Now()

// ticks returns a time. Times of the system are used where they are fine: they do not
// make goroutines wait for each other, which would hide data races.
func ticks(coarse bool) (now int64) {
	if coarse {
		point.Hidden(func() { now = clock.Add(1) })
		return now
	}
	return int64(time.Since(began))
}
