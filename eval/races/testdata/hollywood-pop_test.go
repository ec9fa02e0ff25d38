package ringbuffer

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// Two goroutines pop from a buffer that has one item.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		rb := New[int](4)
		rb.Push(1)
		var popped atomic.Int32
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if _, ok := rb.Pop(); ok {
					popped.Add(1)
				}
			})
		}
		wg.Wait()
		fuzzext.Equal(t, popped.Load(), 1)
		fuzzext.Equal(t, rb.Len(), 0)
	})
}
