package xsync

import (
	"strconv"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// One goroutine stores and deletes a key, while another makes the map grow and shrink.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		m := NewMap()
		var wg sync.WaitGroup
		wg.Go(func() {
			for i := range 128 {
				if _, loaded := m.LoadOrStore(strconv.Itoa(i), i); loaded {
					t.Errorf("%d was present", i)
				}
			}
			for i := range 128 {
				m.Delete(strconv.Itoa(i))
			}
		})
		if _, loaded := m.LoadOrStore("key", 1); loaded {
			t.Error("the key was present")
		}
		if _, ok := m.Load("key"); !ok {
			t.Error("the key is lost")
		}
		m.Delete("key")
		wg.Wait()
		fuzzext.Equal(t, m.Size(), 0)
	})
}
