package haxmap

import (
	"sync"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// Two goroutines delete one key.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		m := New[int, int]()
		m.Set(1, 10)
		m.Set(2, 20)
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { m.Del(1) })
		}
		wg.Wait()
		fuzzext.Equal(t, m.Len(), 1)
	})
}
