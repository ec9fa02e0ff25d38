package workqueue

import (
	"sync"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// A queue that drains is shut down at once, while an item is in work.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		q := New()
		q.Add("item")
		item, _ := q.Get()
		var wg sync.WaitGroup
		wg.Go(q.ShutDownWithDrain)
		if _, shutdown := q.Get(); !shutdown {
			t.Error("another item")
		}
		q.ShutDown()
		wg.Wait()
		q.Done(item)
	})
}
