package point_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/stretchr/testify/require"
)

// A deadlock is told as a cycle, without the goroutines that only wait for it.
func TestCycle(t *testing.T) {
	point.NoteLocks()
	for name, c := range map[string]struct {
		f    func()
		want string
	}{
		"three locks": {func() {
			var locks [3]sync.Mutex
			for i := range locks {
				goes(func() {
					(*point.Mutex)(&locks[i]).Lock()
					point.Gosched()
					(*point.Mutex)(&locks[(i+1)%3]).Lock()
				})
			}
			point.Gosched()
			(*point.Mutex)(&locks[0]).Lock()
		}, `the cycle:
    goroutine 1 has locked at FILE:23, and waits at FILE:25 for goroutine 2
    goroutine 2 has locked at FILE:23, and waits at FILE:25 for goroutine 3
    goroutine 3 has locked at FILE:23, and waits at FILE:25 for goroutine 1
`},
		"a lock taken twice": {func() {
			var mu sync.Mutex
			(*point.Mutex)(&mu).Lock()
			(*point.Mutex)(&mu).Lock()
		}, `the cycle:
    goroutine 0 has locked at FILE:37, and waits at FILE:38 for itself
`},
		"a reader within a reader": {func() {
			var rw sync.RWMutex
			(*point.RWMutex)(&rw).RLock()
			goes(func() { (*point.RWMutex)(&rw).Lock() })
			point.Gosched()
			(*point.RWMutex)(&rw).RLock()
		}, `the cycle:
    goroutine 0 has locked at FILE:44, and waits at FILE:47 until goroutine 1, which waits to write, has done so
    goroutine 1 waits at FILE:45 for goroutine 0
`},
		"no locks": {func() { <-make(chan int) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(c.f)
			text, _, _ := r.Stuck()
			text = strings.ReplaceAll(text, "cycle_test.go", "FILE")
			if c.want == "" {
				require.NotContains(t, text, "cycle")
				return
			}
			require.Contains(t, text, "deadlock: all goroutines wait\n\n"+c.want)
		})
	}
}
