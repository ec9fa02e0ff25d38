package puddle

import (
	"context"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// One goroutine waits for the only resource and is canceled, while another releases it.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		construct := func(context.Context) (interface{}, error) { return 1, nil }
		pool := NewPool(construct, func(interface{}) {}, 1)
		held, err := pool.Acquire(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() {
			if res, err := pool.Acquire(ctx); err == nil {
				res.Release()
			}
		})
		wg.Go(held.Release)
		cancel()
		wg.Wait()
		pool.Close()
	})
}
