package handshake_test

import (
	"testing"

	"github.com/pion/dtls/v2/pkg/protocol/handshake"
)

func FuzzHandshake(f *testing.F) {
	hello := []byte("\x02\x00\x00\x28\x00\x00\x00\x00\x00\x00\x00\x28\xfe\xfd")
	hello = append(hello, make([]byte, 32)...) // random
	f.Add(append(hello, "\x00\xc0\x2b\x00\x00\x00"...))
	f.Add([]byte("\x0e\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		new(handshake.Handshake).Unmarshal(b)
	})
}
