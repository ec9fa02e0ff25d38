package pond

import (
	"testing"
	"time"

	"github.com/espalier-go/espalier/fuzzext"
)

// A task is submitted, and the pool is stopped, when an idle worker is purged.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		pool := New(1, 1, IdleTimeout(time.Second))
		pool.Submit(func() {})
		time.Sleep(time.Second)
		done := false
		pool.Submit(func() { done = true })
		pool.StopAndWait()
		if !done {
			t.Error("a task was not run")
		}
	})
}
