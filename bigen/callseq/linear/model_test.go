package linear_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/linear"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
)

type (
	calls = linear.Calls
	name  = callseq.Name
)

// counter describes a counter. In the planted bug, it reads, lets others run, and writes.
func counter(planted bool) func(c *callseq.C) {
	return func(c *callseq.C) {
		n, model := new(atomic.Int64), 0
		c.Code("n := new(atomic.Int64)")
		c.Op("n.Add", func() {
			d := callseq.Arg(c, "d", bigen.IntRange(1, 9))
			model += d
			c.Want(model)
			c.Do(func() {
				if !planted {
					c.Got(int(n.Add(int64(d))))
					return
				}
				sum := n.Load() + int64(d)
				runtime.Gosched()
				n.Store(sum)
				c.Got(int(sum))
			})
		})
		c.Op("n.Load", func() {
			c.Want(model)
			c.Do(func() { c.Got(int(n.Load())) })
		})
	}
}

// queue describes a queue with cursors. Its calls have preconditions: without an element, Take
// panics.
func queue(c *callseq.C) {
	type cursor struct{ at, model int }
	var mu sync.Mutex
	var real, model []int
	cursors := callseq.NewPool[*cursor](c, "cursor")
	c.Op("queue.Put", func() {
		x := callseq.Arg(c, "x", bigen.IntRange(0, 9))
		model = append(model, x)
		c.Do(func() {
			for range 20 {
				runtime.Gosched()
			}
			mu.Lock()
			defer mu.Unlock()
			real = append(real, x)
		})
	})
	c.Op("queue.Take", func() {
		c.Want(model[0])
		model = model[1:]
		c.Do(func() {
			mu.Lock()
			defer mu.Unlock()
			x := real[0]
			real = real[1:]
			c.Got(x)
		})
	}).When(func() bool { return len(model) > 0 })
	c.Op("queue.Cursor", func() {
		cur := cursors.Add(&cursor{})
		cur.model = len(model)
		c.Do(func() {
			mu.Lock()
			defer mu.Unlock()
			cur.at = len(real)
		})
	})
	c.Op("cursor.At", func() {
		cur := cursors.Draw("cursor")
		c.Want(cur.model)
		c.Do(func() { c.Got(cur.at) })
	}).When(cursors.Any)
}

// pool describes a set of numbers: Take removes any of them.
func pool(c *callseq.C) {
	var mu sync.Mutex
	real := map[int]bool{}
	pools := callseq.NewStates(c, "")
	c.Op("pool.Put", func() {
		x := callseq.Arg(c, "x", bigen.IntRange(0, 3))
		pools.Step(func(pool string, next func(string, ...any)) {
			next(strings.ReplaceAll(pool, fmt.Sprint(x), "") + fmt.Sprint(x))
		})
		c.Do(func() {
			mu.Lock()
			defer mu.Unlock()
			real[x] = true
		})
	})
	c.Op("pool.Take", func() {
		pools.Step(func(pool string, next func(string, ...any)) {
			for i, x := range pool {
				next(pool[:i]+pool[i+1:], int(x-'0'))
			}
			if pool == "" {
				next(pool, -1)
			}
		})
		c.Do(func() {
			mu.Lock()
			defer mu.Unlock()
			for x := range real {
				delete(real, x)
				c.Got(x)
				return
			}
			c.Got(-1)
		})
	})
}

// A test that keeps what it is told.
type recorder struct {
	testing.TB
	log             bytes.Buffer
	failed, skipped bool
}

func (*recorder) Helper()             {}
func (r *recorder) Output() io.Writer { return &r.log }
func (r *recorder) Fail()             { r.failed = true }
func (r *recorder) SkipNow() {
	r.skipped = true
	runtime.Goexit()
}

func run(m *linear.Model, v calls) *recorder {
	r := &recorder{}
	done := make(chan bool)
	go func() {
		defer close(done)
		m.Run(r, v)
	}()
	<-done
	return r
}

func variedSource(seed uint64, i int) choices.Source {
	return varied.Source(rand.New(rand.NewPCG(seed, 0)), i)
}

func TestLaws(t *testing.T) {
	t.Parallel()
	for name, define := range map[string]func(c *callseq.C){
		"counter": counter(false),
		"queue":   queue,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bigentest.Laws(t, linear.New(define).Gen(), bigentest.Runs(long.Count(3, 100)))
		})
	}
}

// Only the thread that makes an instance uses it, and no call runs alone afterwards.
func TestInstancesStayInTheirThread(t *testing.T) {
	t.Parallel()
	g := linear.New(queue).Gen()
	uses := 0
	for i := range 300 {
		v, err := bigen.Value(g, variedSource(1, i))
		require.NoError(t, err)
		made := map[any]int{}
		inThread := false
		for _, call := range v {
			thread := call[0].(int)
			require.True(t, thread > 0 || !inThread, "%v", v)
			switch call[1] {
			case "queue.Cursor":
				made[call[2]] = thread
				inThread = inThread || thread > 0
			case "cursor.At":
				if of := made[call[2]]; of > 0 {
					require.Equal(t, of, thread, "%v", v)
					uses++
				}
			}
		}
	}
	require.Positive(t, uses)
}

func TestFinds(t *testing.T) {
	t.Parallel()
	m := linear.New(counter(true), linear.Threads(2))
	for i := 0; ; i++ {
		require.Less(t, i, 1000)
		v, tree, err := bigen.Run(m.Gen(), variedSource(2, i))
		require.NoError(t, err)
		if !run(m, v).failed {
			continue
		}
		remake := func(t choices.Tree) (calls, choices.Tree, error) {
			return bigen.Run(m.Gen(), choices.Replay(t, nil))
		}
		tree, _, _ = mutate.Minimize(tree, remake, func(v calls) bool { return run(m, v).failed }, 500)
		v, _, err = remake(tree)
		require.NoError(t, err)
		require.Equal(t, calls{{1, "n.Add", 1}, {2, "n.Add", 1}}, v)
		log := run(m, v).log.String()
		require.Regexp(t, `^no order of the calls explains what they have returned
[ab] returns 1, which no order explains: in the order (a, b|b, a), which explains all results before, want 2
of 20 more runs of these calls, \d+ fail
time, from left to right:
    thread 1  .*
    thread 2  .*
calls:
    n := new\(atomic.Int64\)
    var threads sync.WaitGroup
    threads.Go\(func\(\) \{
    	n.Add\(1\) // a: 1
    \}\)
    threads.Go\(func\(\) \{
    	n.Add\(1\) // b: 1
    \}\)
    threads.Wait\(\)
$`, log)
		return
	}
}

// Calls that must panic pass if they do, in any thread.
func TestWantPanic(t *testing.T) {
	t.Parallel()
	for _, planted := range []bool{false, true} {
		m := linear.New(func(c *callseq.C) {
			c.Op("op", func() {
				c.WantPanic()
				c.Do(func() {
					if !planted {
						panic("as it must")
					}
				})
			})
			c.Op("nothing", func() { c.Do(func() {}) })
		})
		r := run(m, calls{{0, "nothing"}, {1, "nothing"}, {2, "op"}, {1, "nothing"}})
		require.Equal(t, planted, r.failed, &r.log)
		require.Equal(t, planted,
			strings.Contains(r.log.String(), "b returns no panic, which no order explains"), &r.log)
	}
}

// What is right passes, whatever the schedule, even if preconditions do not hold.
func TestPasses(t *testing.T) {
	t.Parallel()
	for _, define := range []func(c *callseq.C){counter(false), queue, pool} {
		m := linear.New(define)
		for i := range long.Count(10, 400) {
			v, err := bigen.Value(m.Gen(), variedSource(3, i))
			require.NoError(t, err)
			r := run(m, v)
			require.False(t, r.failed, "%v\n%s", v, &r.log)
		}
		require.Empty(t, m.NeverCalled())
	}
}

// A run in which a call may have been faster than what makes it possible is not judged.
func TestPreconditions(t *testing.T) {
	t.Parallel()
	m := linear.New(queue, linear.Runs(10))
	for range 20 {
		r := run(m, calls{{1, "queue.Put", 3}, {2, "queue.Take"}})
		require.False(t, r.failed, &r.log)
	}
	require.Len(t, m.Notes(), 1)
	require.Regexp(t,
		`^\d+ of 200 runs are not judged: a call may have run where its precondition, or an argument, does not hold$`, m.Notes()[0])

	// Where the model allows all calls, a panic is a failure.
	r := run(m,
		calls{{0, "queue.Put", 3}, {1, "queue.Take"}, {2, "queue.Cursor", name("cursor1")},
			{2, "cursor.At", name("cursor1")}})
	require.False(t, r.failed, &r.log)
}

// A call that panics, or fails, fails its run. One that skips the test skips it.
func TestCallsThatEnd(t *testing.T) {
	t.Parallel()
	ways := map[string]func(c *callseq.C){
		"panic: boom":      func(*callseq.C) { panic("boom") },
		"Errorf 3":         func(c *callseq.C) { c.Errorf("Errorf %d", 3) },
		"Fatal":            func(c *callseq.C) { c.Fatal("Fatal") },
		"FailNow":          func(c *callseq.C) { c.FailNow() },
		"":                 func(c *callseq.C) { c.Skip("skip") },
		"runtime.Goexit()": func(*callseq.C) { runtime.Goexit() },
	}
	for want, way := range ways {
		m := linear.New(func(c *callseq.C) {
			c.Op(want+"x", func() { c.Do(func() { way(c) }) })
			c.Op("nothing", func() { c.Do(func() {}) })
		})
		for _, v := range []calls{
			{{0, want + "x"}, {1, "nothing"}, {2, "nothing"}},
			{{1, "nothing"}, {2, want + "x"}, {2, "nothing"}, {1, "nothing"}},
			{{1, "nothing"}, {2, "nothing"}, {0, want + "x"}},
		} {
			r := run(m, v)
			require.Equal(t, want != "", r.failed, "%s: %v", want, v)
			require.Equal(t, want == "", r.skipped, "%s: %v", want, v)
			require.Contains(t, r.log.String(), want)
		}
	}
}

func TestDeadlock(t *testing.T) {
	t.Parallel()
	m := linear.New(func(c *callseq.C) {
		var locks [2]sync.Mutex
		c.Op("lock", func() {
			i := callseq.Arg(c, "i", bigen.IntRange(0, 1))
			c.Do(func() {
				locks[i].Lock()
				defer locks[i].Unlock()
				for range 1000 {
					runtime.Gosched()
				}
				locks[1-i].Lock()
				defer locks[1-i].Unlock()
			})
		})
	}, linear.Runs(100))
	end := make(chan struct{})
	defer close(end)
	for range 6000 { // whose stacks have more than a MiB
		go func() { <-end }()
	}
	r := run(m, calls{{1, "lock", 0}, {2, "lock", 1}})
	require.True(t, r.failed)
	require.Regexp(t,
		`(?s)^calls never return\n.*sync\.\(\*Mutex\)\.Lock.*thread 1  +\[a.*lock\(0\) // a: has not returned.*lock\(1\) // b: has not returned`, r.log.String())
}

// Results belong to the call whose Do has started the goroutine.
func TestGotInAnotherGoroutine(t *testing.T) {
	t.Parallel()
	m := linear.New(func(c *callseq.C) {
		c.Op("id", func() {
			x := callseq.Arg(c, "x", bigen.IntRange(0, 99))
			c.Want(x)
			c.Do(func() {
				done := make(chan bool)
				go func() {
					c.Got(x)
					close(done)
				}()
				<-done
			})
		})
	})
	r := run(m,
		calls{{1, "id", 1}, {2, "id", 2}, {1, "id", 3}, {3, "id", 4}, {0, "id", 5}, {2, "id", 6},
			{3, "id", 7}})
	require.False(t, r.failed, &r.log)
}

func TestJSON(t *testing.T) {
	t.Parallel()
	v := calls{{0, "queue.Put", 3}, {2, "queue.Cursor", name("cursor1")},
		{2, "cursor.At", name("cursor1")}, {1, "queue.Take"}}
	b, err := json.Marshal(v)
	require.NoError(t, err)
	var back calls
	require.NoError(t, json.Unmarshal(b, &back))
	g := linear.New(queue).Gen()
	a, err := bigen.Encode(g, v)
	require.NoError(t, err)
	again, err := bigen.Encode(g, back)
	require.NoError(t, err)
	require.Equal(t, a, again)
	for text, want := range map[string]string{
		`[[]]`:        "linear: a call has no thread",
		`[[-1, "x"]]`: "linear: a call has no thread",
		`[["x"]]`:     "linear: a call does not begin with the number of a thread",
		`[3]`:         "linear: a call is not an array",
		`[[1]]`:       "callseq: a call is an empty array",
	} {
		require.ErrorContains(t, json.Unmarshal([]byte(text), new(calls)), want)
	}
}

func TestMisuse(t *testing.T) {
	t.Parallel()
	twice := linear.New(func(c *callseq.C) {
		c.Op("op", func() { c.Do(func() { c.Got(1); c.Got(1) }) })
	})
	require.Regexp(t,
		`^calls:\n    op\(\) // 1\npanic: callseq: the operation "op" calls Got twice: .* \(model_test.go:\d+\)\n$`, run(twice, calls{{0, "op"}}).log.String())
	require.PanicsWithValue(t, "linear.Threads: 1 threads: want 2 to 16", func() { linear.Threads(1) })
	require.PanicsWithValue(t, "linear.Length: a mean of 3 of up to 2 calls",
		func() { linear.Length(3, 2) })
	require.PanicsWithValue(t, "linear.Runs: 0 runs of a sequence", func() { linear.Runs(0) })
	for text, v := range map[string]calls{
		"there is no such operation":                         {{1, "nothing"}, {2, "n.Add", 1}},
		"the argument d is of type string, not int":          {{1, "n.Load"}, {2, "n.Add", "1"}},
		"the argument d is not one that the operation draws": {{0, "n.Add", 0}},
		"callseq: call 1, : there is no such operation":      {{"n.Load"}},
	} {
		r := run(linear.New(counter(false)), v)
		require.True(t, r.failed, "%v", v)
		require.Contains(t, r.log.String(), text, fmt.Sprint(v))
	}
	for _, v := range []calls{{{4, "n.Load"}}, {{-1, "n.Load"}}, {{"n.Load"}}, {{1}}, {{}}} {
		require.Error(t, bigen.Check(linear.New(counter(false)).Gen(), v), "%v", v)
	}
}

// A scenario runs to its end, however short sequences are.
func TestScenario(t *testing.T) {
	t.Parallel()
	const size = 20
	m := linear.New(func(c *callseq.C) {
		n := 0
		push := c.Op("push", func() { n++ }).When(func() bool { return n < size })
		c.Op("flush", func() { n = 0 })
		c.Scenario(1, func() *callseq.Op { return push })
	}, linear.Length(2, 100))
	for seed := range uint64(50) {
		v := bigen.Sample(m.Gen(), rand.New(rand.NewPCG(seed, 0)))
		require.GreaterOrEqual(t, len(v), size)
		for _, call := range v[:size] {
			require.Equal(t, "push", call[1])
		}
	}
}
