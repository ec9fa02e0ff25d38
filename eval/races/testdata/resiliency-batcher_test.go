package batcher

import (
	"sync"
	"testing"
	"time"

	"github.com/espalier-go/espalier/fuzzext"
)

// Work is given to a batcher that shuts down.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		var done []interface{}
		b := New(time.Second, func(params []interface{}) error {
			done = append(done, params...)
			return nil
		})
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := b.Run(1); err != nil {
				t.Error(err)
			}
		})
		b.Shutdown(true)
		wg.Wait()
		fuzzext.Equal(t, len(done), 1)
		time.Sleep(2 * time.Second) // until the timer of the batch has ended
	})
}
