package gochannel

import (
	"context"
	"sync"
	"testing"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"

	"github.com/espalier-go/espalier/fuzzext"
)

// A subscriber comes while the channel closes. Then publishing is an error.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		c := NewGoChannel(Config{}, watermill.NopLogger{})
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = c.Subscribe(context.Background(), "topic") })
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
		if err := c.Publish("topic", message.NewMessage("1", nil)); err == nil {
			t.Error("published on a closed channel")
		}
	})
}
