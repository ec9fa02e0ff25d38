package statsd

import (
	"testing"
	"time"

	"github.com/espalier-go/espalier/fuzzext"
)

type writer struct{}

func (writer) Write(data []byte) (int, error)      { return len(data), nil }
func (writer) SetWriteTimeout(time.Duration) error { return nil }
func (writer) Close() error                        { return nil }

// A client is closed when it is time to flush.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		client, err := NewWithWriter(writer{}, WithBufferFlushInterval(time.Second))
		if err != nil {
			t.Fatal(err)
		}
		if err := client.Count("metric", 1, nil, 1); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second)
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
}
