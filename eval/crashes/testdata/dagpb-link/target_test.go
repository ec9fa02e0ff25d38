package dagpb_test

import (
	"bytes"
	"testing"

	dagpb "github.com/ipld/go-codec-dagpb"
)

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\x12\x0b\x0a\x09\x01\x55\x00\x05\x00\x01\x02\x03\x04"))
	f.Add([]byte("\x0a\x05\x00\x01\x02\x03\x04"))
	f.Fuzz(func(t *testing.T, b []byte) {
		dagpb.Decode(dagpb.Type.PBNode.NewBuilder(), bytes.NewReader(b))
	})
}
