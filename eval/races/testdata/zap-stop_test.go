package zapcore

import (
	"bytes"
	"testing"
	"time"

	"github.com/espalier-go/espalier/fuzzext"
)

// A syncer is stopped when it is time to flush.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		var buf bytes.Buffer
		s := &BufferedWriteSyncer{WS: AddSync(&buf), FlushInterval: time.Second}
		if _, err := s.Write([]byte("line")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(s.FlushInterval)
		if err := s.Stop(); err != nil {
			t.Fatal(err)
		}
		fuzzext.Equal(t, buf.String(), "line")
	})
}
