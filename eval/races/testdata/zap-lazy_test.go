package zapcore

import (
	"sync"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// Two goroutines use a lazy core for the first time.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		core := NewLazyWith(NewNopCore(), []Field{{Key: "key", Type: StringType, String: "value"}})
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if core.Enabled(ErrorLevel) {
					t.Error("enabled")
				}
				core.Check(Entry{Level: ErrorLevel}, nil)
			})
		}
		wg.Wait()
	})
}
