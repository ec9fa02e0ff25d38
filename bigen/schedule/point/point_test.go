//lint:file-ignore SA2001 what locks do alone is tested

package point_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/internal/bubble"
	"github.com/stretchr/testify/require"
)

// goes is a go statement as corpusgen test rewrites it.
func goes(f func()) {
	child := point.Spawn()
	go child.Run(f)
}

// closes closes a channel as corpusgen test rewrites it.
func closes[T any](c chan T) {
	point.Here()
	close(c)
}

// run runs f with delays, each a goroutine and a point.
func run(f func(), delays ...[2]int) (r point.Result) {
	bubble.Run(func() {
		r = point.Run(func(goroutine int) (points []int) {
			for _, d := range delays {
				if d[0] == goroutine {
					points = append(points, d[1])
				}
			}
			return points
		}, true, true, bubble.Wait, f, func(any) {})
	})
	return r
}

// endings counts how the runs of f end without a delay, and with each delay of one of three
// goroutines.
func endings(f func()) map[point.Ending]int {
	found := map[point.Ending]int{run(f).Ending: 1}
	for g := range 3 {
		for p := range 12 {
			found[run(f, [2]int{g, p}).Ending]++
		}
	}
	return found
}

func TestEndings(t *testing.T) {
	for name, c := range map[string]struct {
		want point.Ending // of some runs; the others have ended
		f    func()
	}{
		"": {"", func() {
			var wg sync.WaitGroup
			c := make(chan int)
			(*point.WaitGroup)(&wg).Go(func() { point.Send(c)(1) })
			(*point.WaitGroup)(&wg).Go(func() { point.Recv(c) })
			(*point.WaitGroup)(&wg).Wait()
		}},
		"locks": {point.Deadlock, func() {
			var a, b sync.Mutex
			done := make(chan bool)
			goes(func() { both(&a, &b); closes(done) })
			both(&b, &a)
			point.Recv(done)
		}},
		"readers": {point.Deadlock, func() {
			var mu sync.RWMutex
			var wg sync.WaitGroup
			(*point.WaitGroup)(&wg).Go(func() {
				(*point.RWMutex)(&mu).RLock()
				(*point.RWMutex)(&mu).RLock()
				(*point.RWMutex)(&mu).RUnlock()
				(*point.RWMutex)(&mu).RUnlock()
			})
			(*point.WaitGroup)(&wg).Go(func() {
				(*point.RWMutex)(&mu).Lock()
				(*point.RWMutex)(&mu).Unlock()
			})
			(*point.WaitGroup)(&wg).Wait()
		}},
		"a reader that has waited comes before the next writer": {"", func() {
			var mu sync.RWMutex
			read := make(chan bool)
			(*point.RWMutex)(&mu).Lock()
			goes(func() {
				point.Sleep(2 * time.Second)
				(*point.RWMutex)(&mu).Lock()
				point.Recv(read)
				(*point.RWMutex)(&mu).Unlock()
			})
			goes(func() {
				point.Sleep(time.Second)
				(*point.RWMutex)(&mu).RLock()
				(*point.RWMutex)(&mu).RUnlock()
				closes(read)
			})
			point.Sleep(3 * time.Second) // the reader waits, and then the writer
			(*point.RWMutex)(&mu).Unlock()
			point.Recv(read)
		}},
		"a condition": {point.Deadlock, func() {
			var mu sync.Mutex
			cond := sync.NewCond(&mu)
			done := make(chan bool)
			goes(func() {
				(*point.Mutex)(&mu).Lock()
				(*point.Cond)(cond).Wait()
				(*point.Mutex)(&mu).Unlock()
				closes(done)
			})
			point.Gosched()
			(*point.Cond)(cond).Signal()
			point.Recv(done)
		}},
		"a goroutine that is left": {point.Leak, func() {
			c := make(chan int)
			goes(func() { point.Send(c)(1) })
			switch point.TrySelect(point.Receive(c)) {
			}
		}},
		"a panic": {point.Panic, func() {
			var closing atomic.Bool
			var wg sync.WaitGroup
			c := make(chan int)
			for range 2 {
				(*point.WaitGroup)(&wg).Go(func() {
					if !(*point.Bool)(&closing).Load() {
						(*point.Bool)(&closing).Store(true)
						closes(c)
					}
				})
			}
			(*point.WaitGroup)(&wg).Wait()
		}},
		"a function of a sync.Once that needs it": {point.Deadlock, func() {
			var once sync.Once
			(*point.Once)(&once).Do(func() { (*point.Once)(&once).Do(func() {}) })
		}},
		"a loop that waits for a variable": {"", func() {
			var ready atomic.Bool
			goes(func() { (*point.Bool)(&ready).Store(true) })
			for !(*point.Bool)(&ready).Load() {
			}
		}},
		"a loop that waits forever": {point.Livelock, func() {
			var ready atomic.Bool
			for !(*point.Bool)(&ready).Load() {
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			found := endings(c.f)
			require.Positive(t, found[c.want], "%v", found)
			delete(found, c.want)
			delete(found, "")
			require.Empty(t, found)
		})
	}
}

func both(first, second *sync.Mutex) {
	(*point.Mutex)(first).Lock()
	(*point.Mutex)(second).Lock()
	(*point.Mutex)(second).Unlock()
	(*point.Mutex)(first).Unlock()
}

// A report of a deadlock says who has the locks.
func TestHolders(t *testing.T) {
	r := run(func() {
		var mu sync.Mutex
		var rw sync.RWMutex
		(*point.RWMutex)(&rw).RLock()
		goes(func() {
			(*point.Mutex)(&mu).Lock()
			(*point.RWMutex)(&rw).Lock()
		})
		point.Gosched()
		(*point.Mutex)(&mu).Lock()
	})
	text, where, _ := r.Stuck()
	require.Regexp(t, `goroutine 0: Lock, held by goroutine 1\n`, text)
	require.Regexp(t, `goroutine 1: Lock, held by goroutine 0\n    point_test.go:`, text)
	require.Regexp(t, `^deadlock at point_test.go:`, where)
}

// If code without points starts a goroutine, that is reported, whatever else goes wrong. A function
// that iter.Pull runs in a goroutine of its own is a part of the goroutine that calls it.
func TestForeign(t *testing.T) {
	var mu, free sync.Mutex
	for name, locks := range map[string]func(){
		"waits":      func() { (*point.Mutex)(&mu).Lock() },
		"only reads": func() { point.Here() },
	} {
		t.Run(name, func(t *testing.T) {
			mu = sync.Mutex{}
			r := run(func() {
				var wg sync.WaitGroup
				(*point.Mutex)(&mu).Lock()
				wg.Go(locks)
				wg.Wait()
				(*point.Mutex)(&mu).Lock()
			})
			require.Equal(t, point.Foreign, r.Ending)
			require.Regexp(t,
				`^a goroutine that sync.\(\*WaitGroup\).Go has started runs point_test.TestForeign.func\d, at point_test.go:\d+, .* the standard library`, r.Foreign)
		})
	}
	for range 100 {
		r := run(func() {
			next, stop := iter.Pull(func(yield func(bool) bool) {
				(*point.Mutex)(&free).Lock()
				defer (*point.Mutex)(&free).Unlock()
				point.Sleep(time.Second)
				yield(true)
			})
			goes(func() { both(&free, new(sync.Mutex)) })
			next()
			point.Gosched()
			stop()
		}, [2]int{0, 2})
		require.Equal(t, "", r.Foreign)
		require.Equal(t, point.Ending(""), r.Ending)
	}
}

// A reader may wait for a writer that is also waiting.
func TestReaderWaits(t *testing.T) {
	r := run(func() {
		var rw sync.RWMutex
		(*point.RWMutex)(&rw).RLock()
		goes(func() { (*point.RWMutex)(&rw).Lock() })
		point.Gosched()
		(*point.RWMutex)(&rw).RLock()
	})
	text, _, _ := r.Stuck()
	require.Regexp(t, `goroutine 0: RLock, a writer waits: goroutine 1\n`, text)
	require.Regexp(t, `goroutine 1: Lock, held by goroutine 0\n`, text)
}

// A run records where goroutines use the same things.
func TestShared(t *testing.T) {
	r := run(func() {
		var own, common sync.Mutex
		goes(func() {
			(*point.Mutex)(&common).Lock()
			(*point.Mutex)(&common).Unlock()
		})
		(*point.Mutex)(&own).Lock()      // points 2 and 3
		(*point.Mutex)(&own).Unlock()    // after the go statement
		(*point.Mutex)(&common).Lock()   // 4
		(*point.Mutex)(&common).Unlock() // 5
	})
	require.Equal(t, [][]int{{1, 4, 5}, {1, 2}}, r.Shared)
}

// A goroutine may wait in code without points. When it returns from there, it waits for its turn.
func TestOutside(t *testing.T) {
	exchange := func(log *[]string) {
		var mu sync.Mutex
		reader, writer := io.Pipe()
		var wg sync.WaitGroup
		(*point.WaitGroup)(&wg).Go(func() {
			b := make([]byte, 1)
			for range 3 {
				_, _ = reader.Read(b)
				(*point.Mutex)(&mu).Lock()
				*log = append(*log, "read")
				(*point.Mutex)(&mu).Unlock()
			}
			time.Sleep(time.Second)
		})
		(*point.WaitGroup)(&wg).Go(func() {
			for range 3 {
				_, _ = writer.Write([]byte{1})
				(*point.Mutex)(&mu).Lock()
				*log = append(*log, "written")
				(*point.Mutex)(&mu).Unlock()
			}
		})
		(*point.WaitGroup)(&wg).Wait()
	}
	for p := range 12 {
		var before []string
		for range 5 {
			var log []string
			r := run(func() { exchange(&log) }, [2]int{2, p})
			require.Equal(t, point.Ending(""), r.Ending, "%v", r)
			require.Len(t, log, 6)
			if log = append(log, r.String()); before != nil {
				require.Equal(t, before, log)
			}
			before = log
		}
	}
}

// If several cases can proceed, a select statement takes the first, and a delay passes over it.
func TestSelect(t *testing.T) {
	for point0, want := range []int{0, 0, 1, 0, 0} {
		got := -1
		run(func() {
			a, b := make(chan int, 1), make(chan int, 1)
			point.Send(a)(1) // not alone: a delay counts only if there are others
			b <- 1
			got = point.Select(point.Receive(a), point.Receive(b))
		}, [2]int{0, point0 + 1})
		require.Equal(t, want, got, "%d", point0)
	}
}

// A timeout and an event at the same time have no order: with a delay, the event comes first.
func TestSelectTimeout(t *testing.T) {
	found := map[int]int{}
	for p := range 6 {
		r := run(func() {
			done := make(chan int, 1)
			goes(func() {
				point.Sleep(time.Second)
				point.Send(done)(1)
			})
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			found[point.Select(point.Receive(ctx.Done()), point.Receive(done))]++
		}, [2]int{0, p})
		require.Equal(t, point.Ending(""), r.Ending)
	}
	require.Len(t, found, 2)
	require.Equal(t, 1, found[1])
}

// A goroutine without end differs from a test without end: the schedule until the end of the
// test is enough.
func TestLingering(t *testing.T) {
	for _, wait := range []func(){func() { point.Sleep(time.Second) }, point.Here} {
		r := run(func() {
			goes(func() {
				for {
					wait()
				}
			})
			point.Here()
		})
		text, where, _ := r.Stuck()
		require.Equal(t, point.Lingering, r.Ending)
		require.Regexp(t,
			`end it before the property returns, or in a cleanup\n\ngoroutine 1: .*\n    point_test.go:`, text)
		require.Regexp(t, `^leak at point_test.go:`, where)
		require.Equal(t, "goroutine 0\nends\n", r.String())
	}
}

// The table says how goroutines begin and end.
func TestTable(t *testing.T) {
	r := run(func() {
		goes(func() { panic("at once") })
		point.Sleep(time.Second)
	}, [2]int{1, 0})
	require.Regexp(t, `(?s) delayed before it begins\n.* panics point_test.go:\d+\n`, r.String())

	var mu sync.RWMutex // the point of an Unlock is after it
	r = run(func() {
		goes(func() { point.Gosched() })
		(*point.RWMutex)(&mu).RLock()
		(*point.RWMutex)(&mu).RUnlock()
	}, [2]int{0, 2}, [2]int{0, 3})
	require.Regexp(t, `\ndelayed point_test.go:\d+\n.*\ndelayed after RUnlock point_test.go:\d+\n`,
		r.String())
}

// The table shows once what a livelock repeats.
func TestTableOfLivelock(t *testing.T) {
	r := run(func() {
		var ready atomic.Bool
		wait := func() {
			for !(*point.Bool)(&ready).Load() {
			}
		}
		goes(wait)
		wait()
	})
	require.Equal(t, point.Livelock, r.Ending)
	require.Regexp(t,
		`^goroutine 0 +goroutine 1\ninterrupted point_test.go:\d+\n +interrupted point_test.go:\d+\n\.\.\. and again, 99 times\n$`, r.String())
}

// Callbacks of timers and contexts have turns.
func TestCallback(t *testing.T) {
	order := ""
	r := run(func() {
		var mu sync.Mutex
		timer := point.AfterFunc(time.Second, func() {
			(*point.Mutex)(&mu).Lock()
			order += "b"
			(*point.Mutex)(&mu).Unlock()
		})
		(*point.Mutex)(&mu).Lock()
		point.Sleep(2 * time.Second)
		order += "a"
		(*point.Mutex)(&mu).Unlock()
		timer.Reset(time.Second)
		point.Sleep(2 * time.Second)
	})
	require.Equal(t, "abb", order)
	require.Equal(t, point.Ending(""), r.Ending)
}

// The same delays make the same run.
func TestReplay(t *testing.T) {
	f := func() {
		var wg sync.WaitGroup
		c := make(chan int, 1)
		for i := range 3 {
			(*point.WaitGroup)(&wg).Go(func() {
				point.Send(c)(i)
				point.Sleep(time.Second)
				point.Recv(c)
			})
		}
		(*point.WaitGroup)(&wg).Wait()
	}
	for i := range 20 {
		delays := [][2]int{{1 + i%3, i / 3}, {1 + i%2, i / 2}}
		want := fmt.Sprint(run(f, delays...))
		for range 5 {
			require.Equal(t, want, fmt.Sprint(run(f, delays...)))
		}
	}
}

// A goroutine that is delayed twice at the same point is late: time passes, so what sleeps for less
// comes before it. A delay alone lets no time pass.
func TestLate(t *testing.T) {
	for _, c := range []struct {
		sleeps time.Duration
		delays [][2]int
		want   string
	}{
		{time.Millisecond, nil, "ab"},
		{time.Millisecond, [][2]int{{1, 2}}, "ab"},
		{time.Millisecond, [][2]int{{1, 2}, {1, 2}}, "ba"},
		{point.Late + 1, [][2]int{{1, 2}, {1, 2}}, "ab"},
		{point.Late + 1, [][2]int{{1, 2}, {1, 2}, {1, 2}}, "ba"},
		{time.Millisecond, [][2]int{{1, 0}, {1, 0}}, "ba"},
		{4*point.Late - 1, [][2]int{{1, 0}, {1, 0}, {1, 1}, {1, 1}, {1, 2}, {1, 2}, {1, 2}}, "ba"},
		{4*point.Late + 1, [][2]int{{1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 2}, {1, 2}}, "ab"},
	} {
		order := ""
		var mu sync.Mutex // for the race detector
		add := func(s string) {
			mu.Lock()
			defer mu.Unlock()
			order += s
		}
		r := run(func() {
			var wg sync.WaitGroup
			(*point.WaitGroup)(&wg).Go(func() {
				point.Here()
				point.Here()
				add("a")
			})
			(*point.WaitGroup)(&wg).Go(func() {
				point.Sleep(c.sleeps)
				add("b")
			})
			(*point.WaitGroup)(&wg).Wait()
		}, c.delays...)
		require.Empty(t, r.Ending)
		require.Equal(t, c.want, order, "%v", c)
		require.True(t, r.Timed)
	}
	require.False(t, run(func() { goes(point.Gosched) }).Timed)
}

// No time passes while others spin, but they do not wait for a goroutine that is late forever.
func TestLateSpin(t *testing.T) {
	r := run(func() {
		var done atomic.Bool
		var wg sync.WaitGroup
		(*point.WaitGroup)(&wg).Go(func() { done.Store(true) })
		(*point.WaitGroup)(&wg).Go(func() {
			for !done.Load() {
				point.Gosched()
			}
		})
		(*point.WaitGroup)(&wg).Wait()
	}, [2]int{1, 0}, [2]int{1, 0})
	require.Empty(t, r.Ending)
}

// A goroutine that spins while others are late is not in a livelock, however often they are.
func TestLateBusy(t *testing.T) {
	const others = 6
	var often [][2]int
	for g := range others {
		for range 30 {
			often = append(often, [2]int{1 + g, 0})
		}
	}
	r := run(func() {
		for range others {
			var done atomic.Bool
			var wg sync.WaitGroup
			(*point.WaitGroup)(&wg).Go(func() { done.Store(true) })
			for !done.Load() {
				point.Here()
			}
			(*point.WaitGroup)(&wg).Wait()
		}
	}, often...)
	require.Empty(t, r.Ending)
}

// What only takes long ends.
func TestLong(t *testing.T) {
	passed := 0
	r := run(func() {
		goes(func() {
			for range 200_000 {
				point.Here()
				passed++
			}
		})
		for range 200_000 {
			point.Here()
		}
	})
	require.Empty(t, r.Ending)
	require.Equal(t, 200_000, passed)
}

// So is one that sleeps.
func TestLateSleep(t *testing.T) {
	order := ""
	var mu sync.Mutex // for the race detector
	r := run(func() {
		var wg sync.WaitGroup
		for i := range 2 {
			(*point.WaitGroup)(&wg).Go(func() {
				point.Sleep(time.Duration(i+1) * time.Millisecond)
				point.Here()
				mu.Lock()
				defer mu.Unlock()
				order += fmt.Sprint(i)
			})
		}
		(*point.WaitGroup)(&wg).Wait()
	}, [2]int{1, 2}, [2]int{1, 2})
	require.Empty(t, r.Ending)
	require.Equal(t, "10", order)
	require.Contains(t, r.String(), "late point_test.go:")
}
