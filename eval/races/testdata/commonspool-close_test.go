package pool

import (
	"context"
	"testing"
	"time"

	"github.com/espalier-go/espalier/fuzzext"
)

// A pool is closed when it is time to evict.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		ctx := context.Background()
		factory := NewPooledObjectFactorySimple(func(context.Context) (interface{}, error) {
			return new(int), nil
		})
		config := NewDefaultPoolConfig()
		config.MinIdle = 1
		config.TimeBetweenEvictionRuns = time.Second
		pool := NewObjectPool(ctx, factory, config)
		pool.PreparePool(ctx)
		time.Sleep(config.TimeBetweenEvictionRuns)
		pool.Close(ctx)
		if !pool.IsClosed() {
			t.Error("not closed")
		}
	})
}
