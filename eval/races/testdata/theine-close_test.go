package theine

import (
	"sync"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// A value is set while the cache closes.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		cache, err := NewBuilder[int, int](10).Build()
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() { cache.Set(1, 1, 1) })
		cache.Close()
		wg.Wait()
		if _, ok := cache.Get(1); ok {
			t.Error("a closed cache has a value")
		}
	})
}
