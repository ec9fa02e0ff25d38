package clockwork

import (
	"testing"
	"time"

	"github.com/espalier-go/espalier/fuzzext"
)

// The clock advances directly after a ticker is made.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		clock := NewFakeClock()
		ticker := clock.NewTicker(time.Second)
		clock.Advance(time.Second)
		<-ticker.Chan()
		ticker.Stop()
	})
}
