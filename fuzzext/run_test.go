package fuzzext

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/stretchr/testify/require"
)

// left is what is left of a run.
type left struct {
	failed, invalid bool
	where, log      string
	labels          []string
}

// runs runs prop on the numbers from 0 to n-1.
func runs(t *testing.T, n int, prop func(t *T, v int)) (got []left) {
	tr := trialOf(t, bigen.IntRange(0, n-1), prop)
	defer tr.end()
	source := func(i int) choices.Source {
		return choices.Replay(
			choices.Tree{{Kind: choices.Int, N: int64(i), Hi: int64(n - 1), Size: 1}}, nil)
	}
	require.Equal(t, ending{},
		tr.each(tr.spec.makerOf(new(choices.Tree), source), func(i int, r *T) bool {
			require.Equal(t, len(got), i)
			o := left{failed: r.Failed(), invalid: r.Skipped(), labels: r.labels()}
			a := r.account()
			o.log, o.where = a.log, a.where
			got = append(got, o)
			tr.recycle(r)
			return i+1 < n
		}))
	return got
}

// One goroutine carries on where another has ended, and nothing is left of a run for
// the next.
func TestEach(t *testing.T) {
	ends := []struct {
		name string
		do   func(t *T)
		want left
	}{
		{"returns", func(t *T) {}, left{}},
		{"logs", func(t *T) { fmt.Fprint(t.Output(), "some\ntext") }, left{log: "some\ntext"}},
		{"label", func(t *T) { t.Label("a"); t.Label("b"); t.Label("a") },
			left{labels: []string{"a", "b"}}},
		{"Fail", func(t *T) { t.Fail() }, left{failed: true, where: "run.go:1"}},
		{"FailNow", func(t *T) { t.FailNow() }, left{failed: true, where: "run.go:1"}},
		{"Errorf", func(t *T) { t.Errorf("%d\n%d", 1, 2) },
			left{failed: true, where: "run.go:1", log: "run.go:1: 1\n    2\n"}},
		{"Assume", func(t *T) { t.Assume(false) }, left{invalid: true}},
		{"fails and skips", func(t *T) { t.Fail(); t.SkipNow() },
			left{failed: true, invalid: true, where: "run.go:1"}},
		{"Goexit", func(t *T) { runtime.Goexit() },
			left{failed: true, where: "runtime.Goexit", log: "the property called runtime.Goexit\n"}},
		{"cleanup fails", func(t *T) { t.Cleanup(func() { t.FailNow() }) },
			left{failed: true, where: "run.go:1"}},
		{"cleanups all run", func(t *T) {
			t.Cleanup(func() { t.Label("last") })
			t.Cleanup(func() { runtime.Goexit() })
			t.Cleanup(func() { t.Label("first") })
			t.Assume(false)
		}, left{invalid: true, labels: []string{"first", "last"}}},
	}
	const rounds = 3
	got := runs(t, rounds*len(ends), func(t *T, v int) { ends[v%len(ends)].do(t) })
	for i, o := range got {
		want := ends[i%len(ends)]
		if want.want.where == "run.go:1" { // these functions are of this package
			want.want.where, want.want.log = o.where, o.log
			require.NotEmpty(t, o.where, want.name)
		}
		if len(o.labels) == 0 {
			o.labels = nil
		}
		require.Equal(t, want.want, o, want.name)
	}
}

func TestEachPanic(t *testing.T) {
	got := runs(t, 2, func(t *T, v int) {
		if v == 0 {
			panic(v)
		}
	})
	require.True(t, got[0].failed)
	require.Contains(t, got[0].log, "panic: 0\n\ngoroutine ")
	require.Regexp(t, "^panic at ", got[0].where)
	require.Equal(t, left{}, got[1])
}

// Runs that have ended their goroutine do not show in the stack of a later panic.
func TestEachPanicAfterAssume(t *testing.T) {
	const invalid = 100
	got := runs(t, invalid+1, func(t *T, v int) {
		t.Assume(v == invalid)
		panic(v)
	})
	require.NotContains(t, got[invalid].log, "run_loop.go")
	require.Equal(t, 1, strings.Count(got[invalid].log, "run_test.go"), got[invalid].log)
	require.Regexp(t, "^panic at ", got[invalid].where)
}

func TestTConcurrent(t *testing.T) {
	got := runs(t, 50, func(t *T, v int) {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				t.Helper()
				t.Log("something")
				t.Label("some")
				t.Cleanup(func() {})
				if v == 7 {
					t.Error("wrong")
				}
			})
		}
		wg.Wait()
	})
	for i, o := range got {
		require.Equal(t, i == 7, o.failed)
		require.Equal(t, []string{"some"}, o.labels)
	}
}

func TestContext(t *testing.T) {
	var last *T
	runs(t, 2, func(t *T, v int) {
		ctx := t.Context()
		require.NoError(t, ctx.Err())
		t.Cleanup(func() { require.Error(t, ctx.Err()) })
		last = t
	})
	require.Error(t, last.Context().Err())
}

// A run that leaves nothing allocates no memory of its own.
func TestEachAllocates(t *testing.T) {
	const n = 1000
	src := choices.FromBytes(nil)
	least := func(f func()) float64 { // other goroutines allocate, too
		allocs := math.Inf(1)
		for range 5 {
			allocs = min(allocs, testing.AllocsPerRun(1, f))
		}
		return allocs
	}
	for name, prop := range map[string]func(*T, bool){
		"nothing": func(t *T, v bool) {},
		"labels":  func(t *T, v bool) { t.Label("a") },
		"helpers": func(t *T, v bool) { t.Helper() },
		"cleanup": func(t *T, v bool) { t.Cleanup(func() {}) },
	} {
		x := specOf(bigen.Just(true), prop)
		plain := least(func() {
			for range n {
				_, _, _ = bigen.Run(x.gen, src)
			}
		})
		all := least(func() {
			tr := newTrial(x, home{}, t)
			tr.each(tr.spec.makerOf(new(choices.Tree), func(int) choices.Source { return src }),
				func(i int, r *T) bool {
					tr.recycle(r)
					return i+1 < n
				})
			tr.end()
		})
		require.Less(t, all-plain, 0.2*n, name)
	}
}

// The values of a Check are a function of the seed, on every platform.
func TestStream(t *testing.T) {
	gen := bigen.SliceOf(bigen.IntRange(0, 99), 0, 9)
	values := func(seed uint64) (vs [][]int) {
		x := checkOf(t, gen, nil, seed, 0).values
		for i := range 40 {
			v, _, err := bigen.Run(gen, x.Nth(i))
			require.NoError(t, err)
			again, _, _ := bigen.Run(gen, x.Nth(i))
			require.Equal(t, v, again)
			vs = append(vs, v)
		}
		return vs
	}
	require.Equal(t, values(1), values(1))
	require.NotEqual(t, values(1), values(2))
}

// A stack overflow ends soon enough for the engine to see it.
func TestLimitStack(t *testing.T) {
	old := debug.SetMaxStack(1 << 30)
	defer debug.SetMaxStack(old)
	limitStack()
	require.LessOrEqual(t, debug.SetMaxStack(old), 32<<20)
	debug.SetMaxStack(1 << 20)
	limitStack()
	require.Equal(t, 1<<20, debug.SetMaxStack(old), "a lower limit stays")
}

// A run that could run hangs if it has had CPU time, one that waits if nothing happens.
func TestStarved(t *testing.T) {
	for _, test := range []struct {
		state string
		cpu   time.Duration
		want  bool
	}{
		{"running", 9 * time.Second, false},
		{"runnable", time.Second, true},
		{"chan receive, 2 minutes", 0, false},
		{"chan receive", 3 * time.Second, true}, // of what it waits for
		{"chan receive", 9 * time.Second, false},
	} {
		require.Equal(t, test.want,
			stack.Starved("goroutine 7 ["+test.state+"]:\nmain.f()\n", 10*time.Second, test.cpu),
			"%+v", test)
	}
	require.False(t, stack.Starved("", time.Minute, 10*time.Second))
	busy := "goroutine 7 [running]:\nmain.f()\n" // for hours, which no busy machine explains
	require.True(t, stack.Starved(busy, 10*time.Minute, 59*time.Second))
	require.False(t, stack.Starved(busy, 10*time.Minute, 4*time.Minute))
}

// A goroutine may ask for the context after the property has returned in its bubble. It is canceled
// already: from outside, nothing of the bubble could be.
func TestContextAfterReturn(t *testing.T) {
	late, early := &T{testingTB: t, shared: &shared{}}, &T{testingTB: t, shared: &shared{}}
	ctx := early.Context()
	require.NoError(t, ctx.Err())
	for _, run := range []*T{late, early} {
		require.True(t, run.tidy(false))
		require.Error(t, run.Context().Err())
		require.True(t, run.tidy(true))
	}
	require.Error(t, ctx.Err())
}
