package metrics

import (
	"sync"
	"testing"
	"time"

	"github.com/espalier-go/espalier/fuzzext"
)

// Metrics are read while they are counted.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		sink := NewInmemSink(time.Second, time.Minute)
		sink.IncrCounter([]string{"metric"}, 1)
		var wg sync.WaitGroup
		wg.Go(func() { sink.IncrCounter([]string{"metric"}, 1) })
		for _, interval := range sink.Data() {
			if n := interval.Counters["metric"].Count; n < 1 || n > 2 {
				t.Errorf("counted %d times", n)
			}
		}
		wg.Wait()
	})
}
