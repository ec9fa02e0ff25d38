package collections

import (
	"context"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// One goroutine takes what another puts.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		ctx := context.Background()
		q := NewDeque(1)
		var wg sync.WaitGroup
		wg.Go(func() {
			if v, err := q.TakeFirst(ctx); v != 1 || err != nil {
				t.Error(v, err)
			}
		})
		q.PutFirst(ctx, 1)
		wg.Wait()
	})
}
