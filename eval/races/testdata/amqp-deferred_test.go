package amqp091

import (
	"context"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// A confirmation comes while the context of its message ends.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		ctx, cancel := context.WithCancel(context.Background())
		all := newDeferredConfirmations()
		one := all.Add(ctx, 1)
		var wg sync.WaitGroup
		wg.Go(func() { one.Wait() })
		wg.Go(func() { all.Confirm(Confirmation{1, true}) })
		cancel()
		wg.Wait()
	})
}
