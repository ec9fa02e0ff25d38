package spinner

import (
	"io"
	"testing"
	"time"

	"github.com/espalier-go/espalier/fuzzext"
)

// A spinner is stopped, and used again.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		s := New([]string{"a", "b"}, time.Second, WithWriter(io.Discard))
		s.Start()
		s.Stop()
		s.Reverse()
	})
}
