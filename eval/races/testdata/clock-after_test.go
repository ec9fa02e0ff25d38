package clock

import (
	"sync"
	"testing"
	"time"

	"github.com/espalier-go/espalier/fuzzext"
)

// A timer is made while the clock advances.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		mock := NewMock()
		var wg sync.WaitGroup
		wg.Go(func() { mock.After(time.Second) })
		mock.Add(time.Minute)
		wg.Wait()
	})
}
