package tiff_test

import (
	"bytes"
	"image"
	"image/color"
	"testing"

	"golang.org/x/image/tiff"
)

func FuzzDecode(f *testing.F) {
	gray := image.NewPaletted(image.Rect(0, 0, 2, 2), color.Palette{color.Black, color.White})
	for _, m := range []image.Image{gray, image.NewRGBA(image.Rect(0, 0, 2, 2))} {
		var b bytes.Buffer
		if err := tiff.Encode(&b, m, nil); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := tiff.DecodeConfig(bytes.NewReader(b)); err != nil || c.Width*c.Height > 1e6 {
			return
		}
		m, err := tiff.Decode(bytes.NewReader(b))
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
