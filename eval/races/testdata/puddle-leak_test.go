package puddle

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// A resource cannot be made, while the caller that wants it is canceled.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		pool := newPool(t)
		ctx, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := pool.Acquire(ctx); err == nil {
				t.Error("a resource was made")
			}
		})
		cancel()
		wg.Wait()
		pool.Close()
	})
}

func newPool(t *fuzzext.T) *Pool[int] {
	return NewPool(func(context.Context) (int, error) { return 0, errors.New("unreachable") },
		func(int) {}, 1)
}
