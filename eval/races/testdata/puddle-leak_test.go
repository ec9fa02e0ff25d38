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
		pool, err := NewPool(&Config[int]{
			Constructor: func(context.Context) (int, error) { return 0, errors.New("unreachable") },
			Destructor:  func(int) {},
			MaxSize:     1,
		})
		if err != nil {
			t.Fatal(err)
		}
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
