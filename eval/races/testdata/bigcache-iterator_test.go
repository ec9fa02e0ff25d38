package bigcache

import (
	"sync"
	"testing"
	"time"

	"github.com/espalier-go/espalier/fuzzext"
)

// A cache is iterated while an entry is added.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		cache, err := NewBigCache(Config{
			Shards: 1, LifeWindow: time.Minute, MaxEntriesInWindow: 4, MaxEntrySize: 16,
		})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := cache.Set("key", []byte("value")); err != nil {
				t.Error(err)
			}
		})
		for it := cache.Iterator(); it.SetNext(); {
			if entry, err := it.Value(); err != nil || entry.Key() != "key" {
				t.Error(entry, err)
			}
		}
		wg.Wait()
	})
}
