package clock

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/espalier-go/espalier/fuzzext"
)

// A timer is reset while it fires. Then it fires again.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		mock := NewMock()
		var fired atomic.Int32
		timer := mock.AfterFunc(time.Second, func() { fired.Add(1) })
		var wg sync.WaitGroup
		wg.Go(func() { mock.Add(time.Second) })
		timer.Reset(5 * time.Second)
		wg.Wait()
		before := fired.Load()
		mock.Add(10 * time.Second)
		fuzzext.Equal(t, fired.Load(), before+1)
	})
}
