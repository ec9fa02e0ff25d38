package puddle

import (
	"context"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// Statistics are read while a resource is made.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		pool, err := NewPool(&Config[int]{
			Constructor: func(context.Context) (int, error) { return 1, nil },
			Destructor:  func(int) {},
			MaxSize:     2,
		})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			res, err := pool.Acquire(context.Background())
			if err != nil {
				t.Error(err)
				return
			}
			res.Release()
		})
		if total := pool.Stat().TotalResources(); total > 1 {
			t.Errorf("%d resources", total)
		}
		wg.Wait()
		pool.Close()
	})
}
