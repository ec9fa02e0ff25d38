package pond

import (
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// More tasks than there is room for are submitted. The pool is not stopped, since Stop uses a pool in
// a variable of the package: its workers end when they have nothing to do.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		pool := NewPool(1, WithQueueSize(1))
		var tasks []Task
		for range 4 {
			tasks = append(tasks, pool.Submit(func() {}))
		}
		for _, task := range tasks {
			if err := task.Wait(); err != nil {
				t.Error(err)
			}
		}
	})
}
