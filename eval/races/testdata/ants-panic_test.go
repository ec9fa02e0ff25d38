package ants

import (
	"sync"
	"testing"
	"time"

	"github.com/espalier-go/espalier/fuzzext"
)

// Tasks of several callers panic. Each caller gets a worker all the same.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		pool, err := NewPool(1, WithPanicHandler(func(interface{}) {}))
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				if err := pool.Submit(func() { panic("a task fails") }); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		pool.Release()
		time.Sleep(2 * DefaultCleanIntervalTime) // until the goroutine that purges has ended
	})
}
