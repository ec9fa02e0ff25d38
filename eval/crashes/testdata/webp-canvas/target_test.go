package webp_test

import (
	"bytes"
	"os"
	"testing"

	"golang.org/x/image/webp"
)

func FuzzDecode(f *testing.F) {
	for _, name := range []string{"gopher-doc.1bpp.lossless", "yellow_rose.lossy-with-alpha"} {
		b, err := os.ReadFile("../testdata/" + name + ".webp")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := webp.DecodeConfig(bytes.NewReader(b)); err != nil || c.Width*c.Height > 1e6 {
			return
		}
		m, err := webp.Decode(bytes.NewReader(b))
		if err != nil {
			return
		}
		r := m.Bounds()
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				m.At(x, y)
			}
		}
	})
}
