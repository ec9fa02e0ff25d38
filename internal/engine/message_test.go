package engine_test

import (
	"bytes"
	"io"
	"testing"
	"testing/iotest"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/stretchr/testify/require"
)

// A message has what the engine's messages have.
type message struct {
	Fuzz *struct {
		Timeout  time.Duration
		Limit    int64
		Warmup   bool
		Coverage []byte
	}
	Reply struct {
		Err   string
		Count uint32
	}
}

// TestMessages: what is read is what was written, however the bytes arrive.
func TestMessages(t *testing.T) {
	fuzzext.Check(t, bigen.SliceOf(bigen.For[message](), 0, 5), func(t *fuzzext.T, all []message) {
		var pipe bytes.Buffer
		w := engine.NewMessageWriter(&pipe)
		for _, m := range all {
			require.NoError(t, w.Encode(m))
		}
		r := engine.NewMessageReader(iotest.OneByteReader(&pipe))
		for _, want := range all {
			got := message{Reply: want.Reply} // is replaced
			require.NoError(t, r.Decode(&got))
			require.Equal(t, want, got)
		}
		require.ErrorIs(t, r.Decode(&message{}), io.EOF)
	})
}

func TestMessageErrors(t *testing.T) {
	var pipe bytes.Buffer
	require.NoError(t, engine.NewMessageWriter(&pipe).Encode(message{}))
	whole := pipe.Bytes()
	for n := range whole {
		want := io.ErrUnexpectedEOF
		if n == 0 {
			want = io.EOF
		}
		err := engine.NewMessageReader(bytes.NewReader(whole[:n])).Decode(&message{})
		require.ErrorIs(t, err, want, "%d of %d bytes", n, len(whole))
	}
	lost := engine.NewMessageReader(iotest.ErrReader(io.ErrClosedPipe))
	require.ErrorIs(t, lost.Decode(&message{}), io.ErrClosedPipe)
	require.PanicsWithValue(t, "a message has no values of type float64",
		func() { engine.NewMessageWriter(io.Discard).Encode(1.5) })
}
