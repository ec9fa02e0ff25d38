package pond

import (
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// More tasks than there is room for are submitted.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		pool := NewPool(1, WithQueueSize(1))
		for range 4 {
			pool.Submit(func() {})
		}
		pool.StopAndWait()
		if n := pool.CompletedTasks(); n != 4 {
			t.Errorf("%d tasks were run", n)
		}
	})
}
