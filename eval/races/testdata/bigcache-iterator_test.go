package bigcache

import (
	"sync"
	"testing"
	"time"

	"github.com/espalier-go/espalier/fuzzext"
)

// A cache is iterated while an entry is added. Its keys are not looked at: they are wrong in both
// versions, with today's compiler, since they point to bytes that have moved.
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
			if entry, err := it.Value(); err != nil || string(entry.Value()) != "value" {
				t.Error(string(entry.Value()), err)
			}
		}
		wg.Wait()
	})
}
