package fx

import (
	"context"
	"os"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// A signal comes while the receivers stop.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		recv := newSignalReceivers()
		recv.notify = func(chan<- os.Signal, ...os.Signal) {}
		recv.stopNotify = func(chan<- os.Signal) {}
		recv.Start()
		go func() { recv.signals <- os.Interrupt }()
		if err := recv.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
}
