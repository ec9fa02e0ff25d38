package timingwheel

import (
	"testing"
	"time"

	"github.com/espalier-go/espalier/fuzzext"
)

// A timer of a wheel that has just started fires.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		tw := NewTimingWheel(time.Millisecond, 4)
		tw.Start()
		fired := make(chan struct{})
		tw.AfterFunc(2*time.Millisecond, func() { close(fired) })
		<-fired
		tw.Stop()
	})
}
