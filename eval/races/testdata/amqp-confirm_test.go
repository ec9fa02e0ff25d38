package amqp091

import (
	"sync"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// A caller publishes, and reads the confirmation, twice.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		c := newConfirms()
		confirmed := make(chan Confirmation)
		c.Listen(confirmed)
		var wg sync.WaitGroup
		wg.Go(func() {
			c.One(Confirmation{1, true})
			c.One(Confirmation{2, true})
		})
		for tag := uint64(1); tag <= 2; tag++ {
			c.Publish()
			fuzzext.Equal(t, (<-confirmed).DeliveryTag, tag)
		}
		wg.Wait()
	})
}
