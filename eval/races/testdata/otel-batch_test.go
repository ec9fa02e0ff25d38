package trace

import (
	"context"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

type exporter struct{}

func (exporter) ExportSpans(context.Context, []ReadOnlySpan) error { return nil }
func (exporter) Shutdown(context.Context) error                    { return nil }

// A processor is flushed while it shuts down.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		ctx := context.Background()
		processor := NewBatchSpanProcessor(exporter{})
		tracer := NewTracerProvider(WithSpanProcessor(processor)).Tracer("test")
		_, span := tracer.Start(ctx, "span")
		span.End()
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := processor.ForceFlush(ctx); err != nil {
				t.Error(err)
			}
		})
		if err := processor.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		wg.Wait()
	})
}
