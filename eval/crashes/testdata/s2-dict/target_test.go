package s2_test

import (
	"bytes"
	"testing"

	"github.com/klauspost/compress/s2"
)

func FuzzNewDict(f *testing.F) {
	f.Add(append([]byte{4}, "some text for a dictionary"...))
	f.Fuzz(func(t *testing.T, b []byte) {
		if d := s2.NewDict(b); d != nil {
			d.Encode(nil, bytes.Repeat([]byte("some text to compress "), 10))
		}
	})
}
