package pond

import (
	"context"
	"errors"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// The context of a group is canceled while its task fails.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		pool := New(1, 1)
		ctx, cancel := context.WithCancel(context.Background())
		group, _ := pool.GroupContext(ctx)
		group.Submit(func() error { return errors.New("failed") })
		go cancel()
		_ = group.Wait()
		pool.StopAndWait()
	})
}
