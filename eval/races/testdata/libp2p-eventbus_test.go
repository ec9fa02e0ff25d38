package eventbus

import (
	"sync"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

type happened struct{}

// A subscription is closed while an event is emitted.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		bus := NewBus()
		sub, err := bus.Subscribe(new(happened))
		if err != nil {
			t.Fatal(err)
		}
		em, err := bus.Emitter(new(happened))
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() { em.Emit(happened{}) })
		if err := sub.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
		if err := em.Close(); err != nil {
			t.Error(err)
		}
	})
}
