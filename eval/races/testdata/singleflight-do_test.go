package singleflight

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// A call that begins after another has returned does not get its result.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		var g Group
		var calls atomic.Int32
		do := func() int32 {
			n, _, _ := g.Do("key", func() (interface{}, error) { return calls.Add(1), nil })
			return n.(int32)
		}
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if a, b := do(), do(); a >= b {
					t.Errorf("first %d, then %d", a, b)
				}
			})
		}
		wg.Wait()
	})
}
