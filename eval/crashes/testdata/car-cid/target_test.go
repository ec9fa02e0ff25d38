package car_test

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/ipld/go-car"
)

func FuzzCarReader(f *testing.F) {
	b, err := hex.DecodeString("3aa265726f6f747381d82a58250001711220151fe9e73c6267a7060c6f6c4cca" +
		"943c236f4b196723489608edb42a8b8fa80b6776657273696f6e012c01711220" +
		"151fe9e73c6267a7060c6f6c4cca943c236f4b196723489608edb42a8b8fa80b" +
		"a165646f646779f5")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := car.NewCarReader(bytes.NewReader(b))
		for err == nil {
			_, err = r.Next()
		}
	})
}
