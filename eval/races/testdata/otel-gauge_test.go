package metric

import (
	"context"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/espalier-go/espalier/fuzzext"
)

// A gauge is collected while its first value is recorded.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		ctx := context.Background()
		reader := NewManualReader()
		provider := NewMeterProvider(WithReader(reader))
		gauge, err := provider.Meter("test").Int64Gauge("gauge")
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() { gauge.Record(ctx, 7) })
		var got metricdata.ResourceMetrics
		if err := reader.Collect(ctx, &got); err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		for _, scope := range got.ScopeMetrics {
			for _, m := range scope.Metrics {
				for _, point := range m.Data.(metricdata.Gauge[int64]).DataPoints {
					fuzzext.Equal(t, point.Value, 7)
				}
			}
		}
	})
}
