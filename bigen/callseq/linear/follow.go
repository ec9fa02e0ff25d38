package linear

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/espalier-go/espalier/bigen/schedule/point"
)

// follow returns an attempt whose threads follow the schedule of a run of package point.
func (x *trial) follow(t testing.TB) *attempt {
	a := newAttempt(x, t, 0)
	var wg sync.WaitGroup
	begin := func(f func()) {
		point.WaitGroup(&wg).Go(func() {
			returned := false
			defer func() {
				if !returned {
					a.end(recover())
				}
			}()
			f()
			returned = true
		})
	}
	begin(a.prepare)
	point.WaitGroup(&wg).Wait()
	x.ids = make([]atomic.Uint64, len(x.workers))
	for g := range x.groups {
		for w, calls := range x.workers {
			if len(calls[g]) == 0 || !a.ready || a.broken.Load() {
				continue
			}
			begin(func() {
				x.ids[w].Store(goroutine())
				marked(w, func() {
					for _, i := range calls[g] {
						a.call(w, i)
					}
				})
			})
		}
		point.WaitGroup(&wg).Wait()
	}
	return a
}
