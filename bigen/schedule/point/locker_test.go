//lint:file-ignore SA2001 what locks do alone is tested

package point_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/internal/bubble"
	"github.com/stretchr/testify/require"
)

type embeds struct {
	n int
	inner
}

type inner struct{ sync.Mutex }

type overrides struct{ inner }

func (o *overrides) Lock() { (*point.Mutex)(&o.Mutex).Lock() }

type deep struct{ overrides }

type waiter interface{ Wait() }

type viaPointer struct{ *sync.RWMutex }

type cyclic struct{ *cyclic }

func (*cyclic) Lock()   {}
func (*cyclic) Unlock() {}

// Locks are found in what a sync.Locker holds, however they are embedded. So two goroutines that
// take two of them in different orders end in a deadlock, and keep nobody waiting.
func TestLocker(t *testing.T) {
	for name, lock := range map[string]func(*embeds) (lock, unlock func()){
		"itself":   func(e *embeds) (func(), func()) { return methods(point.Locker(&e.Mutex)) },
		"embedded": func(e *embeds) (func(), func()) { return methods(point.Locker(e)) },
		"by its part": func(e *embeds) (func(), func()) {
			m := (*point.Mutex)(point.Part(e, 1, 0))
			return m.Lock, m.Unlock
		},
		"by an expression": func(e *embeds) (func(), func()) {
			lock := point.Method((*embeds).Lock, "Mutex.Lock", 1, 0)
			unlock := point.Method((*embeds).Unlock, "Mutex.Unlock", 1, 0)
			return func() { lock(e) }, func() { unlock(e) }
		},
		"by an expression of the interface": func(e *embeds) (func(), func()) {
			lock := point.MethodOf(sync.Locker.Lock, "Lock")
			unlock := point.MethodOf(sync.Locker.Unlock, "Unlock")
			return func() { lock(e) }, func() { unlock(e) }
		},
		"by interfaces of one method": func(e *embeds) (func(), func()) {
			return point.AsLocker(e).Lock, point.AsUnlocker(e).Unlock
		},
	} {
		t.Run(name, func(t *testing.T) {
			found := endings(func() {
				var a, b embeds
				var wg sync.WaitGroup
				take := func(first, second *embeds) {
					lockFirst, unlockFirst := lock(first)
					lockSecond, unlockSecond := lock(second)
					lockFirst()
					lockSecond()
					first.n++
					unlockSecond()
					unlockFirst()
				}
				(*point.WaitGroup)(&wg).Go(func() { take(&a, &b) })
				(*point.WaitGroup)(&wg).Go(func() { take(&b, &a) })
				(*point.WaitGroup)(&wg).Wait()
			})
			require.Positive(t, found[point.Deadlock])
			require.Positive(t, found[""])
			require.Len(t, found, 2)
		})
	}
}

func methods(l sync.Locker) (lock, unlock func()) { return l.Lock, l.Unlock }

type holder struct{ sync.Locker }

type holderOf struct{ *holder }

// A lock in an interface that is embedded is the same lock, however its methods are called.
func TestEmbeddedInterface(t *testing.T) {
	lock := point.MethodOf((*holder).Lock, "Lock", 0)
	unlock := point.MethodOf((*holder).Unlock, "Unlock", 0)
	ways := map[string]func(h *holder) (lock, unlock func()){
		"the interface": func(h *holder) (func(), func()) { return methods(point.Locker(h.Locker)) },
		"what embeds it": func(h *holder) (func(), func()) {
			return point.AsLocker(h).Lock, point.AsUnlocker(h).Unlock
		},
		"its value": func(h *holder) (func(), func()) {
			return point.AsLocker(*h).Lock, point.AsUnlocker(*h).Unlock
		},
		"what embeds that": func(h *holder) (func(), func()) { return methods(point.Locker(holderOf{h})) },
		"expressions":      func(h *holder) (func(), func()) { return func() { lock(h) }, func() { unlock(h) } },
	}
	for name, way := range ways {
		for other, otherWay := range ways {
			found := endings(func() {
				h, n := holder{new(sync.Mutex)}, 0
				var wg sync.WaitGroup
				for _, way := range []func(*holder) (lock, unlock func()){way, otherWay} {
					(*point.WaitGroup)(&wg).Go(func() {
						lock, unlock := way(&h)
						lock()
						point.Here()
						n++
						unlock()
					})
				}
				(*point.WaitGroup)(&wg).Wait()
				require.Equal(t, 2, n)
			})
			require.Positive(t, found[""])
			require.Len(t, found, 1, "%s and %s: %v", name, other, found)
		}
	}
	run(func() {
		var none *holder
		require.Panics(t, func() { point.AsLocker(none).Lock() })
		require.Panics(t, func() { point.AsLocker(&holder{}).Lock() })
	})
}

// Lockers with methods of their own keep them.
func TestOwnLocker(t *testing.T) {
	r := run(func() {
		for _, l := range []sync.Locker{&overrides{}, &deep{}, &cyclic{}} {
			require.Equal(t, l, point.Locker(l))
		}
		require.NotEqual(t, viaPointer{}, point.Locker(viaPointer{&sync.RWMutex{}}))
	})
	require.Empty(t, r.Ending)
	require.Nil(t, point.Locker(nil))
}

// What waits by an interface, or by the expression of a method, keeps nobody waiting.
func TestDynamic(t *testing.T) {
	for name, f := range map[string]func(start func(func())){
		"readers": func(start func(func())) {
			var mu sync.RWMutex
			for range 2 {
				start(func() {
					(*point.RWMutex)(&mu).Lock()
					point.Gosched()
					(*point.RWMutex)(&mu).Unlock()
				})
				start(func() {
					point.AsRLocker(&mu).RLock()
					point.Gosched()
					point.AsRUnlocker(&mu).RUnlock()
				})
				start(func() {
					l := mu.RLocker()
					point.AsLocker(l).Lock()
					point.Gosched()
					point.AsUnlocker(l).Unlock()
				})
			}
		},
		"once": func(start func(func())) {
			var once sync.Once
			do := point.Method1((*sync.Once).Do, "Once.Do")
			start(func() { point.AsDoer(&once).Do(point.Gosched) })
			start(func() { do(&once, point.Gosched) })
		},
		"group": func(start func(func())) {
			var wg sync.WaitGroup
			run := point.Method1((*sync.WaitGroup).Go, "WaitGroup.Go")
			point.AsGoer(&wg).Go(point.Gosched)
			run(&wg, point.Gosched)
			point.AsWaiter(&wg).Wait()
			wait := point.MethodOf(waiter.Wait, "Wait")
			start(func() { wait(&wg) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, map[point.Ending]int{"": 37}, endings(func() {
				var all sync.WaitGroup
				f((*point.WaitGroup)(&all).Go)
				(*point.WaitGroup)(&all).Wait()
			}))
		})
	}
}

// A go statement evaluates the arguments of its function itself, whatever their types. If that
// panics, there is no goroutine.
func TestRuns(t *testing.T) {
	got := make([]any, 0, 4)
	r := run(func() {
		done := make(chan bool)
		f := func(n uint8, more ...string) error {
			got = append(got, n, len(more))
			closes(done)
			return nil
		}
		n := 3
		child := point.Spawning()
		go point.Runs(child, f)(1<<n, "a", "b")
		child.Spawned()
		point.Recv(done)

		defer func() { recover() }()
		child = point.Spawning()
		go point.Runs(child, f)([]uint8{}[n])
		child.Spawned()
	})
	require.Empty(t, r.Ending)
	require.Equal(t, []any{uint8(8), 2}, got)
}

// A statement that stays may wait, and has its turns.
func TestWaits(t *testing.T) {
	require.Equal(t, map[point.Ending]int{"": 37}, endings(func() {
		c, order := make(chan int), []int{}
		goes(func() {
			point.Waits("send")
			c <- 1
			point.Resumed()
			order = append(order, 1)
			point.Send(c)(2)
		})
		point.Gosched()
		order = append(order, point.Recv(c), point.Recv(c))
		require.Len(t, order, 3)
	}))
	r := run(func() {
		c := make(chan int)
		point.Waits("send")
		c <- 1
		point.Resumed()
	})
	text, _, _ := r.Stuck()
	require.Regexp(t, `deadlock: all goroutines wait\n\ngoroutine 0: send\n    locker_test.go:`, text)
}

// A cleanup of the runtime calls points, and has no turns.
func TestCleanup(t *testing.T) {
	r := run(func() {
		var mu sync.Mutex
		called := make(chan bool, 1)
		func() {
			v := new([64]int)
			runtime.AddCleanup(v, func(c chan bool) {
				(*point.Mutex)(&mu).Lock()
				(*point.Mutex)(&mu).Unlock()
			}, called)
		}()
		for range 3 {
			runtime.GC()
			point.Gosched()
		}
	})
	require.Empty(t, r.Foreign)
}

// Nor has it one of those of the goroutine that runs. A goroutine that waits for a lock that a
// cleanup has gets it.
func TestCleanups(t *testing.T) {
	for name, add := range map[string]func(v *[64]int, f func()){
		"cleanup": func(v *[64]int, f func()) { point.AddCleanup(v, func(int) { f() }, 1) },
		"finalizer": func(v *[64]int, f func()) {
			point.SetFinalizer(v, func(*[64]int) error { f(); return nil })
		},
	} {
		t.Run(name, func(t *testing.T) {
			has, begins := make(chan bool), make(chan bool)
			var r point.Result
			main := func() {
				var mu sync.Mutex
				func() {
					add(new([64]int), func() {
						(*point.Mutex)(&mu).Lock()
						close(has)
						<-begins
						for range 1000 {
							runtime.Gosched()
						}
						(*point.Mutex)(&mu).Unlock()
					})
				}()
				runtime.GC()
				<-has
				close(begins)
				(*point.Mutex)(&mu).Lock()
				(*point.Mutex)(&mu).Unlock()
			}
			bubble.Run(func() {
				none := func(int) []int { return nil }
				r = point.Run(none, false, false, bubble.Wait, main, func(any) {})
			})
			require.Empty(t, r.Ending)
			require.Empty(t, r.Foreign)
		})
	}
	v := new(int)
	point.SetFinalizer(v, func(*int) {})
	point.SetFinalizer(v, nil)
}
