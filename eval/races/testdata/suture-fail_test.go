package suture

import (
	"context"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

type failing struct{}

func (failing) Serve(context.Context) error { panic("the service fails") }

// A service fails while its supervisor stops.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		s := New("supervisor", Spec{EventHook: func(Event) {}})
		s.Add(failing{})
		ctx, cancel := context.WithCancel(context.Background())
		done := s.ServeBackground(ctx)
		cancel()
		<-done
	})
}
