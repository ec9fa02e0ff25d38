package puddle

import (
	"context"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// A resource is made while the pool closes. Afterward, the pool can be asked for its statistics.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		construct := func(context.Context) (interface{}, error) { return 1, nil }
		pool := NewPool(construct, func(interface{}) {}, 2)
		var wg sync.WaitGroup
		wg.Go(func() { _ = pool.CreateResource(context.Background()) })
		wg.Go(pool.Close)
		wg.Wait()
		if n := pool.Stat().AcquiredResources(); n != 0 {
			t.Errorf("%d resources are acquired", n)
		}
	})
}
