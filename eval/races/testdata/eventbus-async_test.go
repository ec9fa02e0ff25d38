package EventBus

import (
	"sync/atomic"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// A transactional handler publishes, while the next event for it comes.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		bus := New()
		var logged atomic.Int32
		if err := bus.Subscribe("log", func() { logged.Add(1) }); err != nil {
			t.Fatal(err)
		}
		if err := bus.SubscribeAsync("order", func() { bus.Publish("log") }, true); err != nil {
			t.Fatal(err)
		}
		bus.Publish("order")
		bus.Publish("order")
		bus.WaitAsync()
		fuzzext.Equal(t, logged.Load(), 2)
	})
}
