package tag_test

import (
	"bytes"
	"testing"

	"github.com/dhowden/tag"
)

func FuzzReadFrom(f *testing.F) {
	f.Add([]byte("ID3\x03\x00\x00\x00\x00\x00\x0fTIT2\x00\x00\x00\x05\x00\x00\x00Song"))
	f.Add([]byte("fLaC\x84\x00\x00\x16\x00\x00\x00\x00\x01\x00\x00\x00\x0a\x00\x00\x00title=Song"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := tag.ReadFrom(bytes.NewReader(b))
		if err != nil {
			return
		}
		m.Title()
		m.Picture()
	})
}
