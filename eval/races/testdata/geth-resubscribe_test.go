package event

import (
	"context"
	"testing"
	"time"

	"github.com/espalier-go/espalier/fuzzext"
)

// A subscription is ended from both sides.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		end := make(chan struct{})
		sub := Resubscribe(time.Second, func(context.Context) (Subscription, error) {
			return NewSubscription(func(unsubscribed <-chan struct{}) error {
				select {
				case <-end:
				case <-unsubscribed:
				}
				return nil
			}), nil
		})
		close(end)
		sub.Unsubscribe()
	})
}
