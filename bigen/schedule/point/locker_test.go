//lint:file-ignore SA2001 what locks do alone is tested

package point_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/stretchr/testify/require"
)

type embeds struct {
	n int
	inner
}

type inner struct{ sync.Mutex }

type overrides struct{ inner }

func (o *overrides) Lock() { (*point.Mutex)(&o.Mutex).Lock() }

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
			lock := point.Method(sync.Locker.Lock, "Locker.Lock")
			unlock := point.Method(sync.Locker.Unlock, "Locker.Unlock")
			return func() { lock(e) }, func() { unlock(e) }
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

// Lockers with methods of their own keep them.
func TestOwnLocker(t *testing.T) {
	r := run(func() {
		for _, l := range []sync.Locker{&overrides{}, &cyclic{}} {
			require.Equal(t, l, point.Locker(l))
		}
		require.NotEqual(t, viaPointer{}, point.Locker(viaPointer{&sync.RWMutex{}}))
	})
	require.Empty(t, r.Ending)
	require.Nil(t, point.Locker(nil))
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
