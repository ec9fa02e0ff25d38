package apigen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Which types several goroutines may use at once, and which operations must not run so.
func TestConcurrent(t *testing.T) {
	p := packageOf(t, `import "sync"`, `
		// A Pool has resources.
		type Pool struct{ mu sync.Mutex; n int }
		func (p *Pool) Acquire() *Resource { return &Resource{pool: p} }
		// A Resource is a handle that refers to its pool.
		type Resource struct{ pool *Pool }
		func (r *Resource) Release() {}
		// A Wrapper does more.
		type Wrapper struct{ pool *Pool }
		func Wrap(p *Pool) *Wrapper { return &Wrapper{p} }
		func (w *Wrapper) Acquire() {}
		// A Set has locks, or not.
		type Set[T comparable] interface{ Add(v T); Clone() Set[T]; hidden() }
		type safeSet[T comparable] struct{ mu sync.RWMutex; m map[T]bool }
		func (s *safeSet[T]) Add(v T) {}
		func (s *safeSet[T]) Clone() Set[T] { return s }
		func (s *safeSet[T]) hidden() {}
		type plainSet[T comparable] map[T]bool
		func (s plainSet[T]) Add(v T) {}
		func (s plainSet[T]) Clone() Set[T] { return s }
		func (s plainSet[T]) hidden() {}
		func NewSet[T comparable]() Set[T] { return &safeSet[T]{} }
		// NewPlainSet returns a set that is not thread-safe.
		func NewPlainSet[T comparable]() Set[T] { return plainSet[T]{} }
		// A List has none.
		type List interface{ Len() int }
		type list struct{}
		func (l list) Len() int { return 0 }
		func NewList() List { return list{} }`)
	e := newEnum(p, Options{})
	is := map[string]bool{}
	for _, k := range e.kinds {
		if k.name != "" {
			is[k.name] = e.concurrent(k.typ)
		}
	}
	for name, want := range map[string]bool{"pool": true, "resource": false, "wrapper": true, "set": true, "list": false} {
		got, known := is[name]
		require.True(t, known, name)
		require.Equal(t, want, got, name)
	}
	var alone []string
	for _, o := range e.ops {
		if e.alone(o) {
			alone = append(alone, o.name)
		}
	}
	require.Equal(t, "p.NewPlainSet[int]", strings.Join(alone, " "))
}

// Values for several goroutines come from what returns usable ones.
func TestThreads(t *testing.T) {
	for declarations, want := range map[string][2]bool{
		`type T struct{ mu sync.Mutex }
			func New() *T { return nil }
			func (t *T) Do() {}`: {true, true},
		`type T struct{ mu sync.Mutex }
			func (t *T) Do() {}`: {true, true},
		`type T struct{ mu sync.Mutex; N int }
			func (t *T) Do() {}`: {true, false},
		`type T struct{ mu sync.Mutex }
			// New returns what is not safe for concurrent use.
			func New() *T { return nil }
			func (t *T) Do() {}`: {true, false},
		`type T struct{ n int }
			func New() *T { return nil }
			func (t *T) Do() {}`: {false, false},
	} {
		methods, values := newEnum(packageOf(t, `import "sync"; var _ sync.Mutex`, declarations), Options{}).threads()
		require.Equal(t, want, [2]bool{methods, values}, declarations)
	}
}

// What one call has locked, another one may have to unlock.
func TestUnlocks(t *testing.T) {
	for code, want := range map[string]bool{
		`func (a *A) Get() int { a.mu.Lock(); defer a.mu.Unlock(); return a.n }`:                                      false,
		`func (a *A) Get() int { a.mu.Lock(); return a.n }`:                                                           false,
		`func (a *A) Begin() { a.mu.Lock() }; func (a *A) End() { a.mu.Unlock() }`:                                    true,
		`func (a *A) Begin() { a.mu.RLock() }; func (a *A) End() { a.mu.RUnlock() }`:                                  true,
		`func (a *A) Get() { a.enter(); a.mu.Unlock() }; func (a *A) enter() { a.mu.Lock() }`:                         false,
		`func (a *A) Get() { a.mu.Lock(); a.leave() }; func (a *A) leave() { a.mu.Unlock() }`:                         false,
		`func (a *A) Begin() { a.mu.Lock() }; func (a *A) End() { a.leave() }; func (a *A) leave() { a.mu.Unlock() }`: true,
	} {
		p := packageOf(t, `import "sync"`, `type A struct{ mu sync.RWMutex; n int }; `+code)
		require.Equal(t, want, p.Unlocks(), code)
	}
}
