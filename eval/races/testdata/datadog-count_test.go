package statsd

import (
	"sync"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// Two goroutines count, for the first time.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		a := newAggregator(nil)
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if err := a.count("metric", 1, nil); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		total := int64(0)
		for _, m := range a.flushMetrics() {
			total += m.ivalue
		}
		fuzzext.Equal(t, total, 2)
	})
}
