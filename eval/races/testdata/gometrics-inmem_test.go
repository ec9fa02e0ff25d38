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
			for name := range interval.Counters {
				fuzzext.Equal(t, name, "metric")
			}
		}
		wg.Wait()
	})
}
